"""Look at the clients' side: read every settings file that may hold an entry of ours. Nothing is run or written."""

from __future__ import annotations

import os
import re
import shutil
import tomllib

from upheld import __version__
from upheld.compose.client_paths import home, project_top, settings_path
from upheld.compose.connecting import program
from upheld.errors import UpheldError
from upheld.services.connect import block
from upheld.services.connect.clients import CLIENTS
from upheld.services.connect.jsonc import UneditableError, parse
from upheld.services.connect.sight import Entry, Notes, Run, Sight, entries_in, folders_of, program_of
from upheld.stores.settings_file import SettingsFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from upheld.model.finding import Finding

_MORE = {
    "claude": (("project", ".claude/settings.local.json"),),
    "gemini": (),
    "codex": (),
}
"""Files that a client reads besides those that ``connect`` writes."""
_VERSION = re.compile(r'^__version__ = "([^"]+)"', re.MULTILINE)


def examined(environ: Mapping[str, str], here: str, store: str = "") -> tuple[tuple[Finding, ...], tuple[str, ...]]:
    """Return what is wrong on the clients' side, and what could not be looked at.

    Args:
        environ: the environment.
        here: the working directory.
        store: the store here, where it is sealed and nobody pinned it.
    """
    from upheld.services.connect.examine import examine

    sight = sight_of(environ, here, store)
    asks = any(entry.client == "codex" and entry.event for entry in sight.entries)
    notes = ("Codex: whether its trust is in the hooks as they are now; `/hooks` in Codex says it",) if asks else ()
    return examine(sight), (*sight.unread, *notes)


def sight_of(environ: Mapping[str, str], here: str, store: str = "") -> Sight:
    """Read the files."""
    entries: list[Entry] = []
    settings: dict[str, list[tuple[str, Mapping[str, object]]]] = {}
    edited: list[str] = []
    unread: list[str] = []
    for client, scope, form, path in _files(environ, here):
        try:
            text = (SettingsFile(path).read() or b"").decode("utf-8")
            if form == "markdown":
                edited += [path] if any(found.is_edited for found in block.find(text)) else []
                continue
            tree = _tree(text, form)
        except (UpheldError, UneditableError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
            unread.append(f"{path}: {fault}")
            continue
        if not isinstance(tree, dict):
            continue
        if client in _MORE:
            settings.setdefault(client, []).append((path, tree))
        entries += _entries(client, scope, path, tree, environ)
    return Sight(
        project=os.path.realpath(project_top(here)),
        version=__version__,
        entries=tuple(entries),
        settings={client: tuple(found) for client, found in settings.items()},
        edited=tuple(edited),
        notes=_notes(environ, here, settings),
        trusted_hooks=_trusted_hooks(settings),
        trusted_folders=_json(os.path.join(_gemini(environ), "trustedFolders.json")),
        project_state=_project_state(environ, here),
        store=store,
        unread=tuple(unread),
    )


def _files(environ: Mapping[str, str], here: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield client, scope, format and path of every file that may hold an entry of ours, each path once."""
    seen = set()
    for name, registration in CLIENTS.items():
        for scope in ("user", "project"):
            files = [(one.form, one.name) for one in registration.files(scope, program(portable=True))]
            files += [("json", more) for at, more in _MORE.get(name, ()) if at == scope]
            for form, file in files:
                path = settings_path(file, scope, environ, here)
                if form != "javascript" and " " not in file and path not in seen:
                    seen.add(path)
                    yield name, scope, form, path
    for path in _plugins(environ):
        yield "claude", "plugin", "json", path


def _plugins(environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the hooks of our own plugin, where Claude Code has it installed and switched on."""
    folder = settings_path("$CLAUDE_CONFIG_DIR/plugins", "user", environ, "")
    installed = _json(os.path.join(folder, "installed_plugins.json")).get("plugins")
    for name, found in installed.items() if isinstance(installed, dict) else ():
        for one in found if isinstance(found, list) else [found]:
            place = one.get("installPath") if isinstance(one, dict) else None
            if str(name).startswith("upheld@") and isinstance(place, str):
                yield os.path.join(place, "hooks", "hooks.json")
                yield os.path.join(place, ".mcp.json")


def _entries(
    client: str, scope: str, file: str, tree: Mapping[str, object], environ: Mapping[str, str]
) -> Iterator[Entry]:
    for path, event, entry in entries_in(tree):
        yield Entry(
            client=client, scope=scope, file=file, path=path, event=event, entry=entry, run=_run(entry, environ)
        )


def _run(entry: Mapping[str, object], environ: Mapping[str, str]) -> Run:
    named = program_of(entry)
    found = named if os.path.isabs(named) else shutil.which(named, path=environ.get("PATH")) or ""
    exists = bool(found) and os.path.isfile(found)
    return Run(
        program=named,
        found=found if exists else "",
        is_executable=exists and os.access(found, os.X_OK),
        is_shim=exists and _is_shim(found),
        version=_version(folders_of(entry)),
    )


def _is_shim(path: str) -> bool:
    """Whether a program only looks for another one: by its folder, or by what it says."""
    if "shims" in path.split(os.sep):
        return True
    with open(path, "rb") as file:
        start = file.read(4096)
    return start.startswith(b"#!") and any(word in start for word in (b"pyenv exec", b"asdf exec", b"mise exec"))


def _version(folders: tuple[str, ...]) -> str | None:
    """Return the version of the Upheld in the first folder that has one; empty where none of them has."""
    if not folders:
        return None
    for folder in folders:
        try:
            with open(os.path.join(folder, "upheld", "__init__.py"), encoding="utf-8") as file:
                found = _VERSION.search(file.read(65536))
        except OSError:
            continue
        return found[1] if found else None
    return ""


def _tree(text: str, form: str) -> object:
    if not text.strip("\ufeff \t\r\n"):
        return {}
    return tomllib.loads(text.removeprefix("\ufeff")) if form == "toml" else parse(text).plain()


def _json(path: str) -> Mapping[str, object]:
    try:
        tree = _tree((SettingsFile(path).read() or b"").decode("utf-8"), "json")
    except (UpheldError, UneditableError, UnicodeDecodeError):
        return {}
    return tree if isinstance(tree, dict) else {}


def _gemini(environ: Mapping[str, str]) -> str:
    return settings_path("$GEMINI_HOME/", "user", environ, "")


def _trusted_hooks(settings: Mapping[str, list[tuple[str, Mapping[str, object]]]]) -> frozenset[str]:
    keys: set[str] = set()
    for _, values in settings.get("codex", ()):
        hooks = values.get("hooks")
        state = hooks.get("state") if isinstance(hooks, dict) else None
        for key, one in state.items() if isinstance(state, dict) else ():
            keys |= {key} if isinstance(one, dict) and one.get("trusted_hash") else set()
    return frozenset(keys)


def _project_state(environ: Mapping[str, str], here: str) -> Mapping[str, object]:
    """Return what Claude Code remembers of the project: of the folder itself, or of one above it that it trusts."""
    projects = _json(settings_path("$CLAUDE_JSON", "user", environ, here)).get("projects")
    if not isinstance(projects, dict):
        return {}
    folder = os.path.realpath(project_top(here))
    found = projects.get(folder) or projects.get(project_top(here)) or {}
    made = dict(found) if isinstance(found, dict) else {}
    for name, one in projects.items():
        is_above = f"{folder}/".startswith(f"{str(name).rstrip('/')}/")
        if is_above and isinstance(one, dict) and one.get("hasTrustDialogAccepted") is True:
            made["hasTrustDialogAccepted"] = True
    return made


def _notes(
    environ: Mapping[str, str], here: str, settings: Mapping[str, list[tuple[str, Mapping[str, object]]]]
) -> Notes | None:
    """Return Claude Code's own memory of the project, the file that it loads at the start of a session."""
    slug = re.sub(r"[^A-Za-z0-9]", "-", os.path.realpath(project_top(here)))
    folder = settings_path(f"$CLAUDE_CONFIG_DIR/projects/{slug}/memory", "user", environ, here)
    for _, values in settings.get("claude", ()):
        named = values.get("autoMemoryDirectory")
        if isinstance(named, str) and named:
            folder = os.path.join(home(environ), named[2:]) if named.startswith("~/") else named
    path = os.path.join(folder, "MEMORY.md")
    try:
        data = SettingsFile(path).read()
    except UpheldError:
        return None
    return Notes(file=path, lines=len(data.splitlines()), size=len(data)) if data is not None else None
