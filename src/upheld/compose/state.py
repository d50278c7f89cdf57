"""Where this user's trusted state lies, and which pins the machine's administrator has set."""

from __future__ import annotations

import os
import sys

from upheld.errors import FaultError
from upheld.services.admission import Pin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SYSTEM_PINS = "/etc/upheld/pins.d"
_LIMIT = 64 * 1024


def state_root(environ: Mapping[str, str]) -> str:
    """Return the user's state folder for Upheld: what ``platformdirs`` says, without importing it on Linux.

    Deciding it takes the environment, which the user's own processes can change: SECURITY.md says what follows.
    """
    if _is_linux(sys.platform):
        home = environ.get("XDG_STATE_HOME", "").strip()
        return os.path.join(home or os.path.expanduser("~/.local/state"), "upheld")
    from platformdirs import user_state_path

    return str(user_state_path("upheld", appauthor=False))


def _is_linux(platform: str) -> bool:
    return platform == "linux"


def config_root(environ: Mapping[str, str]) -> str:
    """Return the user's configuration folder for Upheld, where a key that `init` makes is kept; as ``state_root``."""
    if _is_linux(sys.platform):
        home = environ.get("XDG_CONFIG_HOME", "").strip()
        return os.path.join(home or os.path.expanduser("~/.config"), "upheld")
    from platformdirs import user_config_path

    return str(user_config_path("upheld", appauthor=False))


def system_pin(path: str, folder: str = SYSTEM_PINS) -> Pin | None:
    """Return the administrator's pin of the store in ``path``, or None where there is none.

    A pin is a JSON file in ``folder``: ``path`` (the store's real path), ``root_sha256``, and optionally ``store_id``
    and ``version`` (the lowest to accept). It outranks everything that this user can write.

    Raises:
        FaultError: RBK005, a file there is malformed, or somebody but the administrator could have written it.
    """
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        return None
    real = os.path.realpath(path)
    pins = [_pin(os.path.join(folder, name), real) for name in names]
    return next((pin for pin in pins if pin is not None), None)


def _pin(file: str, real: str) -> Pin | None:
    from upheld.stores.state_directory import read_private
    from upheld.wire.fields import Fields
    from upheld.wire.strictjson import parse

    if os.stat(file).st_uid != 0:
        raise FaultError("RBK005", file, detail="a system pin must belong to the administrator")
    fields = Fields(parse(read_private(file, _LIMIT) or b"", file), file)
    named, digest, store_id = fields.text("path"), fields.digest("root_sha256"), fields.optional_text("store_id")
    version = fields.count("version") if "version" in fields.values else 0
    if fields.faults:
        raise FaultError("RBK005", file, path=fields.faults[0].path, detail=fields.faults[0].detail)
    if os.path.realpath(named) != real:
        return None
    return Pin(root_sha256=digest, version=version, store_id=store_id or "", source=file)
