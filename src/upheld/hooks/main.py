"""The hook's door: read the call and the client's JSON, answer the event within a second, write the answer.

It never stops a person's prompt because of a fault of its own, unless the store's policy wants that, and never passes
one over in silence: whatever goes wrong here, one constant sentence says that memory could not be checked.
"""

from __future__ import annotations

import os
import sys

from upheld.errors import FaultError, UpheldError
from upheld.hooks.answering import Answering
from upheld.hooks.asked import BEFORE_TOOL, EVENTS, PROMPT, Asked, Said
from upheld.hooks.deadline import SECONDS, Deadline, DeadlineMissed
from upheld.hooks.dialects import CLIENTS, dialect_of
from upheld.hooks.payload import Malformed, parse, read_input
from upheld.render import wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.hooks.dialect import Dialect

MISSED, MALFORMED, FAILED = "POL060", "POL061", "POL062"
_POLICY_SECONDS = 0.3


def main(arguments: list[str]) -> int:
    """Run one hook; ``arguments`` are those behind ``hook``. The exit code is 0 whatever happens to the event."""
    call = _call(arguments)
    if call is None:
        return _usage()
    client, event = call
    dialect = dialect_of(client)
    answering = Answering(Asked(client=client, event=event), dialect.injects)
    said = _said(answering, dialect)
    _write(dialect, event, said)
    _afterwards(answering, said)
    return 0


def _said(answering: Answering, dialect: Dialect) -> Said:
    event = answering.asked.event
    try:
        with Deadline(SECONDS, lambda: _write(dialect, event, _fault(MISSED))):
            answering.asked = dialect.read(event, parse(read_input()), dict(os.environ))
            return answering.answer()
    except DeadlineMissed:
        code = MISSED
    except Malformed:
        code = MALFORMED
    except FaultError as error:
        code = error.code
    except (UpheldError, OSError):
        code = FAILED
    except Exception:  # noqa: BLE001 - the outermost boundary: a fault of ours never stops a prompt, and is always said
        code = FAILED
    said = _fault(code)
    return said.replace(block=said.context) if event in (PROMPT, BEFORE_TOOL) and _blocks(answering) else said


def _blocks(answering: Answering) -> bool:
    """Whether the store's policy wants a stop; what cannot be found out in a moment does not stop anybody."""
    try:
        with Deadline(_POLICY_SECONDS, lambda: None):
            return answering.blocks_on_fault()
    except (DeadlineMissed, UpheldError, OSError):
        return False


def _afterwards(answering: Answering, said: Said) -> None:
    """Note what was done, now that the client has its answer. None of it may fail a hook, or hold it up."""
    try:
        with Deadline(SECONDS, lambda: None):
            answering.afterwards(said)
    except (DeadlineMissed, UpheldError, OSError):
        return


def _fault(code: str) -> Said:
    said = wording.fault(code)
    return Said(context=said, note=said, outcome="fault", code=code)


def _call(arguments: list[str]) -> tuple[str, str] | None:
    words: list[str] = []
    client = ""
    waiting = iter(arguments)
    for argument in waiting:
        name, equals, value = argument.partition("=")
        if name == "--client":
            client = value if equals else next(waiting, "")
        else:
            words.append(argument)
    return (client, words[0]) if client in CLIENTS and len(words) == 1 and words[0] in EVENTS else None


def _usage() -> int:
    """A person gets the usage. A client gets the constant sentence, for its exit code 2 would stop a prompt."""
    if sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write(f"error: --client {'|'.join(CLIENTS)} and one of {', '.join(EVENTS)} are wanted\n")
        sys.stderr.write("  = help: `upheld hook --help`\n")
        return 2
    _put(wording.fault(MALFORMED).encode("utf-8"))
    return 0


def _write(dialect: Dialect, event: str, said: Said) -> None:
    made = dialect.encode(event, said)
    if made is not None:
        from upheld.render.jsontext import dumps

        # On one line: no string holds a line feed as such, and some clients read a line at a time.
        line = "".join(part.strip() for part in dumps(made).split("\n"))
        _put(line.encode("ascii") + b"\n")


def _put(data: bytes) -> None:
    """Write to the client; one that no longer listens is no reason to fail."""
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:
        return
