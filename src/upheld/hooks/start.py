"""The way in from ``compose.hook_command``: run the hook and end the process at once, with nothing to tidy up.

A hook runs some ninety small modules of ours once and ends. Finding each of them costs more than running it, so their
compiled code also lies in one file, the *image*, beside the compiled files that Python keeps itself, and is worth what
those are worth: a module whose source has another time or size is taken from its source, and the image is made anew.
Where no image can be written, everything is imported as usual.
"""

from __future__ import annotations

import gc

gc.disable()  # before the imports: the process ends with the answer, and a collection frees nothing

import os  # noqa: E402
import sys  # noqa: E402
from marshal import dumps, loads  # noqa: E402

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.machinery import ModuleSpec
    from types import ModuleType
    from typing import Any

    Entry = tuple[str, int, int, bool, bytes]
else:
    ModuleSpec = type(sys.__spec__)

_NAME = f"image.{sys.implementation.cache_tag}.bin"


class Image:
    """An importer of what one file holds; anything else is left to Python's own importers.

    Args:
        file: where it lies.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.entries: dict[str, Entry] = {}
        # What stood before this importer did, this module among it, can never come from it.
        self.used = set(sys.modules)
        try:
            with open(file, "rb", buffering=0) as opened:
                version, entries = loads(opened.read())  # noqa: S302 - as much as any compiled file beside it
        except (OSError, EOFError, ValueError, TypeError):
            return
        if version == sys.version:
            self.entries = entries

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        """Return the spec of a module whose source is still the one that the image was made from."""
        entry = self.entries.get(name)
        if entry is None or _stamp(entry[0]) != entry[1:3]:
            return None
        self.used.add(name)
        spec = ModuleSpec(name, self, origin=entry[0], is_package=entry[3])  # type: ignore[arg-type]  # all that is asked of a loader
        spec.has_location = True
        if entry[3]:
            spec.submodule_search_locations = [os.path.dirname(entry[0])]
        return spec

    def create_module(self, _spec: ModuleSpec) -> None:
        """Leave it to Python."""

    def exec_module(self, module: ModuleType) -> None:
        """Run a module's code."""
        exec(loads(self.entries[module.__name__][4]), module.__dict__)  # noqa: S102, S302 - what importing is

    def renew(self) -> None:
        """Write the image anew where this process imported something of ours that it did not hold."""
        prefix = f"{__package__.partition('.')[0]}."
        missing = [name for name in list(sys.modules) if name.startswith(prefix) and name not in self.used]
        fresh = {name: entry for name in missing if (entry := _entry(sys.modules[name])) is not None}
        if not fresh:
            return
        temporary = f"{self.file}.{os.getpid()}"
        try:
            os.makedirs(os.path.dirname(self.file), exist_ok=True)
            with open(temporary, "xb") as file:
                file.write(dumps((sys.version, {**self.entries, **fresh})))
            os.replace(temporary, self.file)
        except OSError:
            return


def _stamp(source: str) -> tuple[int, int]:
    try:
        status = os.stat(source)
    except OSError:
        return (0, 0)
    return status.st_mtime_ns, status.st_size


def _entry(module: Any) -> Entry | None:
    spec = module.__spec__
    if spec is None or not spec.origin or not hasattr(spec.loader, "get_data"):
        return None
    # The time first: a source that changes in between is found out by it.
    stamp = _stamp(spec.origin)
    # Without docstrings, which nobody asks a hook for.
    code = compile(spec.loader.get_data(spec.origin), spec.origin, "exec", dont_inherit=True, optimize=2)
    return (spec.origin, *stamp, spec.submodule_search_locations is not None, dumps(code))


def run() -> None:
    """Answer the event that the arguments behind ``hook`` name. Never returns."""
    image = Image(os.path.join(os.path.dirname(__file__), "__pycache__", _NAME))
    sys.meta_path.insert(0, image)
    from upheld.hooks.main import main

    code = main(sys.argv[2:])
    if not sys.dont_write_bytecode:
        image.renew()
    os._exit(code)
