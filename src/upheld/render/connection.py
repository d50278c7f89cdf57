"""What ``connect`` and ``disconnect`` did or would do, for people and for programs."""

from __future__ import annotations

from difflib import unified_diff

from upheld.model.connection import Connection
from upheld.model.written import FileChange
from upheld.render.escape import escape
from upheld.render.jsontext import dumps

_WIDEST = 400


def shown(connection: Connection) -> str:
    """Render what a person is asked to agree to: the lines that come and go, one file after the other.

    Lines that stay are shown one each side at most: the files are the person's own, and may hold tokens.
    """
    return "".join(map(_diff, connection.changes))


def text(connection: Connection) -> str:
    """Render the outcome for people."""
    if connection.outcome == "printed":
        parts = [f"# {escape(one.path)}\n{_escaped(one.text)}" for one in connection.pasted]
        return "\n".join([*parts, "".join(_notes(connection))] if connection.notes else parts)
    head = {
        "planned": f"{shown(connection)}nothing was written: this was a dry run of `{connection.verb}`\n",
        "unchanged": f"nothing to change: {escape(connection.title)} is {_state(connection)}\n",
        "written": f"{connection.verb}ed: {escape(connection.title)}, {connection.scope} scope\n",
    }[connection.outcome]
    files = [f"  wrote {escape(one.name or '')}\n" for one in connection.changes if one.name is not None]
    files += [f"  removed {escape(one.was or '')}\n" for one in connection.changes if one.name is None]
    copies = [f"  as it was: {escape(path)}\n" for path in connection.kept]
    return "".join([head, *(files if connection.outcome == "written" else ()), *copies, *_notes(connection)])


def json(connection: Connection) -> str:
    """Render the outcome for programs."""
    made = {
        "verb": connection.verb,
        "client": connection.client,
        "scope": connection.scope,
        "outcome": connection.outcome,
        "files": [{"path": one.name or one.was, "diff": _diff(one)} for one in connection.changes],
        "kept": list(connection.kept),
        "paste": [{"path": one.path, "text": one.text} for one in connection.pasted],
        "notes": list(connection.notes),
    }
    return dumps(made) + "\n"


def _state(connection: Connection) -> str:
    return f"{'connected' if connection.verb == 'connect' else 'not connected'} ({connection.scope} scope)"


def _notes(connection: Connection) -> list[str]:
    return [f"note: {escape(note)}\n" for note in connection.notes]


def _escaped(block: str) -> str:
    return "".join(f"{escape(line.expandtabs(4))}\n" for line in block.splitlines())


def _diff(change: FileChange) -> str:
    was, name = escape(change.was or "/dev/null"), escape(change.name or "/dev/null")
    before, after = (_lines(data) for data in (change.before, change.after))
    body = list(unified_diff(before, after, was, name, lineterm="", n=1))
    return "".join(f"{line if number < 2 else _line(line)}\n" for number, line in enumerate(body))


def _lines(data: bytes) -> list[str]:
    lines = data.decode("utf-8", "backslashreplace").replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _line(line: str) -> str:
    shorter = line if len(line) <= _WIDEST else f"{line[:_WIDEST]}… ({len(line) - _WIDEST} more characters)"
    return shorter[:1] + escape(shorter[1:].expandtabs(4))
