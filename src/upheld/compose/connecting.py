"""Connect a client: its registration, bound to this interpreter, this user's folders and the disk."""

from __future__ import annotations

import os
import sys

from upheld.compose.client_paths import project_top, settings_path
from upheld.compose.hook_command import hook_line
from upheld.errors import UsageError
from upheld.model.connection import Connection, Pasted
from upheld.model.value import Value
from upheld.model.written import FileChange
from upheld.services.connect import block
from upheld.services.connect.clients import CLIENTS
from upheld.services.connect.edit import connected, disconnected, is_empty, restored, to_paste
from upheld.services.connect.jsonc import UneditableError
from upheld.services.connect.registration import Program
from upheld.stores.settings_file import SettingsFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from upheld.services.connect.registration import Registration, Settings

_PERSONAL = (
    "what is written names an interpreter of this machine: keep these files out of shared commits, or write them with "
    "--portable, which runs the `upheld` that each person's PATH finds"
)
_NO_SERVER = "the server is left out, as its packages are not installed: pip install 'upheld[mcp]', then connect again"
_EDITED = "the block in {} was edited by somebody and is left as it is; --renew-block writes it anew"


class Planned(Value):
    """One file of a plan: its bytes now (None: there is none) and afterwards (None: it goes)."""

    file: SettingsFile
    before: bytes | None
    after: bytes | None

    @property
    def change(self) -> FileChange:
        """The same for those who look at it."""
        path = self.file.path
        return FileChange(
            was=path if self.before is not None else None,
            name=path if self.after is not None else None,
            before=self.before or b"",
            after=self.after or b"",
        )


class Plan(Value):
    """What one call would do: the files that change, and what to say."""

    connection: Connection
    files: tuple[Planned, ...]


_SERVED = ("claude", "codex", "gemini")
_MOVED = (
    "{names}: set here; a client that starts servers with few variables (Codex does) must be told to pass that on, "
    "in the server's `env`: without it the server looks for your pins elsewhere, and refuses"
)


def registration_of(client: str) -> Registration:
    """Return one client's registration.

    Raises:
        UsageError: there is none of this name.
    """
    if client not in CLIENTS:
        raise UsageError(f"no client is called {client!r}", help=f"one of {', '.join(CLIENTS)}")
    return CLIENTS[client]


def program(*, portable: bool) -> Program:
    """Return how we are run: by this interpreter, or by whatever ``upheld`` a PATH finds."""
    if portable:
        return Program(
            hook=lambda client, event: f"upheld hook --client {client} {event}",
            server=lambda client: ("upheld", "mcp", "--client-name", client),
        )
    interpreter = os.path.abspath(sys.executable)
    return Program(
        hook=hook_line,
        server=lambda client: (interpreter, "-I", "-m", "upheld", "mcp", "--client-name", client),
    )


def has_server() -> bool:
    """Whether the server's packages are installed beside us."""
    from importlib.util import find_spec

    return find_spec("mcp") is not None


def plan_connect(
    client: str, scope: str, environ: Mapping[str, str], here: str, *, portable: bool = False, renew_block: bool = False
) -> Plan:
    """Return what connecting would change.

    Raises:
        UsageError: a file cannot be edited safely: it says why, and what to put there by hand.
        StorageError: a file cannot be read.
    """
    registration = registration_of(client)
    notes = list(registration.notes(scope))
    planned = []
    for settings in files_of(registration, scope, portable=portable):
        path = settings_path(settings.name, scope, environ, here)
        _refuse_shadow(registration, path)
        if scope == "project":
            _refuse_outside(path, here)
        made, said = _planned(settings, path, renew_block=renew_block)
        planned += [made] if made.after != made.before else []
        notes += said
    if scope == "project" and not portable and any(one.form != "markdown" for one in files_of(registration, scope)):
        notes.append(_PERSONAL)
    moved = [name for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME") if environ.get(name)]
    if moved and client in _SERVED:
        notes.append(_MOVED.format(names=" and ".join(moved)))
    if not has_server() and not portable and client in _SERVED:
        notes.append(_NO_SERVER)
    return _plan("connect", registration, scope, planned, notes)


def plan_disconnect(client: str, scope: str, environ: Mapping[str, str], here: str) -> Plan:
    """Return what disconnecting would change.

    Raises:
        UsageError, StorageError: see ``plan_connect``.
    """
    registration = registration_of(client)
    planned = []
    for settings in registration.files(scope, program(portable=False)):
        file = SettingsFile(settings_path(settings.name, scope, environ, here))
        before = file.read()
        after = _after_us(file, before, settings)
        if after != before:
            planned.append(Planned(file=file, before=before, after=after))
    return _plan("disconnect", registration, scope, planned, [])


def to_print(client: str, scope: str, environ: Mapping[str, str], here: str, *, portable: bool = False) -> Connection:
    """Return what to put where by hand."""
    registration = registration_of(client)
    pasted = tuple(
        Pasted(path=_shown(settings, scope, environ, here), text=to_paste(settings))
        for settings in registration.files(scope, program(portable=portable))
    )
    made = _plan("connect", registration, scope, [], list(registration.notes(scope))).connection
    return made.replace(outcome="printed", pasted=pasted)


def carry_out(plan: Plan) -> Connection:
    """Write what was planned, each file after a copy of it was put aside.

    Raises:
        ConflictError, StorageError: a file was left alone; files before it in the plan are written.
    """
    kept = []
    for one in plan.files:
        copies = one.file.copies()
        if plan.connection.verb == "connect" and one.before is not None:
            kept.append(one.file.keep(one.before))
        one.file.replace(one.before, one.after)
        if plan.connection.verb == "disconnect":
            _drop_copies(copies, one.after)
    return plan.connection.replace(outcome="written", kept=tuple(kept))


def files_of(registration: Registration, scope: str, *, portable: bool = False) -> tuple[Settings, ...]:
    """Return the files of a registration, without the server where it cannot be started."""
    files = registration.files(scope, program(portable=portable))
    if portable or has_server():
        return files
    from upheld.services.connect.registration import Server

    trimmed = (one.replace(parts=tuple(part for part in one.parts if not isinstance(part, Server))) for one in files)
    return tuple(one for one in trimmed if one.parts)


def _refuse_outside(path: str, here: str) -> None:
    """Follow no link out of the project: whoever wrote the project chose where it leads, and not the person."""
    real, top = os.path.realpath(path), os.path.realpath(project_top(here))
    if os.path.commonpath([real, top]) != top:
        raise UsageError(
            f"{path} is left alone: by a link it leads out of the project, to {real}",
            help="put a file of the project there, or --print and change that one by hand",
        )


def _planned(settings: Settings, path: str, *, renew_block: bool) -> tuple[Planned, tuple[str, ...]]:
    file = SettingsFile(path)
    before = file.read()
    text = _text(before, path, settings)
    if settings.form == "markdown" and not renew_block and any(found.is_edited for found in block.find(text)):
        return Planned(file=file, before=before, after=before), (_EDITED.format(path),)
    try:
        after = connected(text, settings).encode("utf-8")
    except UneditableError as fault:
        raise _left_alone(path, str(fault), settings) from None
    return Planned(file=file, before=before, after=before if after == (before or b"") else after), ()


def _after_us(file: SettingsFile, before: bytes | None, settings: Settings) -> bytes | None:
    """Return what a file holds once we are gone: its bytes of before where nothing else changed since."""
    if before is None:
        return None
    text = _text(before, file.path, settings)
    try:
        left = disconnected(text, settings)
        if left == text:
            return before
        copies = file.copies()
        for _, copy in copies:
            back = restored(text, _text(copy, file.path, settings), settings)
            if back != left:
                return back.encode("utf-8")
    except UneditableError as fault:
        raise _left_alone(file.path, str(fault), settings) from None
    return None if is_empty(left, settings) and not copies else left.encode("utf-8")


def _drop_copies(copies: list[tuple[str, bytes]], after: bytes | None) -> None:
    """Remove the copies once the file says again what the first of them says: they have nothing more to tell."""
    if copies and copies[0][1] == after:
        for path, _ in copies:
            os.unlink(path)


def _text(data: bytes | None, path: str, settings: Settings) -> str:
    try:
        return (data or b"").decode("utf-8")
    except UnicodeDecodeError:
        raise _left_alone(path, "it is not UTF-8", settings) from None


def _left_alone(path: str, why: str, settings: Settings) -> UsageError:
    return UsageError(
        f"{path} is left alone: {why}",
        help="mend it, or put this in by hand (--print shows it alone):\n" + to_paste(settings),
    )


def _refuse_shadow(registration: Registration, path: str) -> None:
    """A new CLAUDE.md would hide the AGENTS.md beside it, which Claude Code reads only where it stands alone."""
    beside = os.path.join(os.path.dirname(path), "AGENTS.md")
    if registration.name == "claude-md" and not os.path.exists(path) and os.path.exists(beside):
        raise UsageError(
            f"a new {path} would hide {beside} from Claude Code", help="`upheld connect agents-md` adds the block there"
        )


def _shown(settings: Settings, scope: str, environ: Mapping[str, str], here: str) -> str:
    return settings.name if " " in settings.name else settings_path(settings.name, scope, environ, here)


def _plan(verb: str, registration: Registration, scope: str, planned: list[Planned], notes: list[str]) -> Plan:
    connection = Connection(
        verb=verb,
        client=registration.name,
        title=registration.title,
        scope=scope,
        outcome="planned" if planned else "unchanged",
        changes=tuple(one.change for one in planned),
        notes=tuple(notes),
    )
    return Plan(connection=connection, files=tuple(planned))
