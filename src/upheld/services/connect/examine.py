"""What is wrong on the clients' side, one function a fault. One more is one more function and one line in ``_ALL``."""

from __future__ import annotations

import os
import re
from collections import defaultdict

from upheld.model.finding import Finding, worst_first

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from upheld.services.connect.sight import Entry, Sight

MAX_LINES = 200
MAX_SIZE = 25 * 1024
"""How much of its own MEMORY.md Claude Code loads (2.1.332: the rest is left out, with a warning to the model)."""


def examine(sight: Sight) -> tuple[Finding, ...]:
    """Return every finding, worst first."""
    return worst_first(tuple(finding for look in _ALL for finding in look(sight)))


def _untrusted(sight: Sight) -> Iterator[Finding]:
    """Codex names a hook by file, event and numbers; Gemini CLI and Claude Code trust folders."""
    for entry in _of(sight, "codex"):
        if entry.event and codex_key(entry) not in sight.trusted_hooks:
            yield _finding("CLI001", entry, "Codex")
    is_guarded = _setting(sight, "gemini", "security", "folderTrust", "enabled") is not False
    if is_guarded and not _is_trusted(sight):
        for entry in _firsts(_of(sight, "gemini", scope="project")):
            yield _finding("CLI001", entry, "Gemini CLI")
    for entry in _firsts(_of(sight, "claude", scope="project")):
        if sight.project_state.get("hasTrustDialogAccepted") is not True:
            yield _finding("CLI001", entry, "Claude Code")


def codex_key(entry: Entry) -> str:
    """Return the name that Codex gives to a hook: ``/path/hooks.json:user_prompt_submit:0:0``."""
    event = str(entry.path[1]) if len(entry.path) > 1 else ""
    numbers = [part for part in entry.path if isinstance(part, int)]
    snake = re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()
    return ":".join([entry.file, snake, *map(str, numbers)])


def _is_trusted(sight: Sight) -> bool:
    """Whether Gemini CLI was told to trust the project, or a folder above it."""
    for folder, level in sight.trusted_folders.items():
        top = os.path.dirname(folder) if level == "TRUST_PARENT" else folder
        if str(level).startswith("TRUST_") and f"{sight.project}/".startswith(f"{top.rstrip('/')}/"):
            return True
    return False


def _switched_off(sight: Sight) -> Iterator[Finding]:
    for client, path, off in (
        ("claude", ("disableAllHooks",), True),
        ("gemini", ("hooksConfig", "enabled"), False),
        ("codex", ("features", "hooks"), False),
    ):
        for file, values in sight.settings.get(client, ()):
            if _at(values, path) is off and any(entry.event for entry in _of(sight, client)):
                yield Finding(code="CLI002", place=file, path=".".join(path))
    for file, values in sight.settings.get("gemini", ()):
        disabled = _at(values, ("hooksConfig", "disabled"))
        if isinstance(disabled, list) and "upheld" in disabled and _of(sight, "gemini"):
            yield Finding(code="CLI002", place=file, path="hooksConfig.disabled")


def _not_runnable(sight: Sight) -> Iterator[Finding]:
    for entry in _by_program(sight):
        run = entry.run
        if not run.found:
            yield _finding("CLI003", entry, run.program, what="there is no such program")
        elif not run.is_executable:
            yield _finding("CLI003", entry, run.found, what="it may not be executed: chmod +x")
        elif run.version == "":
            yield _finding("CLI003", entry, run.found, what="the Upheld that it ran is no longer there")


def _shims(sight: Sight) -> Iterator[Finding]:
    for entry in _by_program(sight):
        if entry.run.is_shim:
            yield _finding("CLI004", entry, entry.run.found)


def _twice(sight: Sight) -> Iterator[Finding]:
    """Two entries for one event that one client reads: Cursor and VS Code also read Claude Code's hooks."""
    seen: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    for entry in sight.entries:
        seen[entry.client, entry.event].append(entry)
        if entry.client == "claude" and entry.event:
            for reader in ("cursor", "vscode"):
                if any(other.client == reader and other.event == entry.event for other in sight.entries):
                    seen[reader, entry.event].append(entry)
    pairs: dict[tuple[str, str, str], list[Entry]] = {}
    for (client, _), found in seen.items():
        if len(found) > 1:
            pairs.setdefault((client, found[0].file, found[-1].file), found)
    for (client, _, _), found in sorted(pairs.items()):
        facts = (("client", client), *(("in", f"{entry.file} ({entry.scope})") for entry in found))
        yield Finding(code="CLI005", place=found[-1].file, path=found[-1].place, facts=facts)


def _other_version(sight: Sight) -> Iterator[Finding]:
    for entry in _by_program(sight):
        if entry.run.version and entry.run.version != sight.version:
            facts = (("runs", f"Upheld {entry.run.version}"), ("here", f"Upheld {sight.version}"))
            yield Finding(code="CLI006", place=entry.file, path=entry.place, facts=facts)


def _not_awaited(sight: Sight) -> Iterator[Finding]:
    for entry in _of(sight, "claude"):
        if not entry.event and entry.entry.get("alwaysLoad") is not True:
            yield Finding(code="CLI007", place=entry.file, path=entry.place)


def _not_approved(sight: Sight) -> Iterator[Finding]:
    """Look for the person's approval of a project's server, in each place where Claude Code keeps one."""
    given = [values for _, values in sight.settings.get("claude", ())] + [sight.project_state]
    for entry in _of(sight, "claude", scope="project"):
        name = entry.path[-1]
        is_refused = any(name in _listed(values, "disabledMcpjsonServers") for values in given)
        is_approved = any(
            values.get("enableAllProjectMcpServers") is True or name in _listed(values, "enabledMcpjsonServers")
            for values in given
        )
        if not entry.event and (is_refused or not is_approved):
            facts = (("state", "switched off" if is_refused else "waits for approval"),)
            yield Finding(code="CLI008", place=entry.file, path=entry.place, facts=facts)


def _too_long(sight: Sight) -> Iterator[Finding]:
    notes = sight.notes
    is_read = bool(_of(sight, "claude"))
    if notes is not None and is_read and (notes.lines > MAX_LINES or notes.size > MAX_SIZE):
        facts = (
            ("lines", f"{notes.lines:,} of at most {MAX_LINES}"),
            ("bytes", f"{notes.size:,} of at most {MAX_SIZE:,}"),
        )
        yield Finding(code="CLI009", place=notes.file, facts=facts)


def _edited(sight: Sight) -> Iterator[Finding]:
    for file in sight.edited:
        yield Finding(code="CLI010", place=file)


def _not_pinned(sight: Sight) -> Iterator[Finding]:
    if sight.store and any(entry.event for entry in sight.entries):
        yield Finding(code="CLI011", place=sight.store)


_ALL = (
    _untrusted,
    _switched_off,
    _not_runnable,
    _shims,
    _twice,
    _other_version,
    _not_awaited,
    _not_approved,
    _too_long,
    _edited,
    _not_pinned,
)


def _of(sight: Sight, client: str, *, scope: str | None = None) -> list[Entry]:
    return [entry for entry in sight.entries if entry.client == client and scope in (None, entry.scope)]


def _firsts(entries: list[Entry]) -> list[Entry]:
    """Return the first hook of each file."""
    return list({entry.file: entry for entry in reversed(entries) if entry.event}.values())


def _by_program(sight: Sight) -> list[Entry]:
    """Return one entry for each program of each file: one line says it for all of them."""
    return list({(entry.file, entry.run): entry for entry in reversed(sight.entries)}.values())


def _finding(code: str, entry: Entry, fact: str, *, what: str = "") -> Finding:
    label = "client" if code == "CLI001" else "runs"
    facts = ((label, fact), *((("but", what),) if what else ()))
    return Finding(code=code, place=entry.file, path=entry.place, facts=facts)


def _setting(sight: Sight, client: str, *path: str) -> object:
    """Return what the last of a client's settings files says; a project's stands behind the user's."""
    found = [_at(values, path) for _, values in sight.settings.get(client, ())]
    return next((value for value in reversed(found) if value is not None), None)


def _at(values: object, path: tuple[str, ...]) -> object:
    for part in path:
        values = values.get(part) if isinstance(values, dict) else None
    return values


def _listed(values: object, key: str) -> list[object]:
    found = _at(values, (key,))
    return found if isinstance(found, list) else []
