"""The hook's door: read the call and the client's JSON, answer the event within a second, write the answer.

It never stops a person's prompt because of a fault of its own, and never passes one over in silence: whatever goes
wrong here, one constant sentence says that memory could not be checked.
"""

from __future__ import annotations

import gc
import os
import sys

from upheld.errors import FaultError, UpheldError
from upheld.hooks import wording
from upheld.hooks.asked import BEFORE_TOOL, EVENTS, PROMPT, Asked, Said
from upheld.hooks.deadline import SECONDS, Deadline, DeadlineMissed
from upheld.hooks.dialects import CLIENTS, dialect_of
from upheld.hooks.payload import Malformed, parse, read_input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.compose.library import Memory
    from upheld.hooks.dialect import Dialect

MISSED, MALFORMED, FAILED = "POL060", "POL061", "POL062"


def main(arguments: list[str]) -> int:
    """Run one hook; ``arguments`` are those behind ``hook``. The exit code is 0 whatever happens to the event."""
    gc.disable()  # the process ends with the answer, and a collection frees nothing
    call = _call(arguments)
    if call is None:
        return _usage(arguments)
    client, event = call
    dialect = dialect_of(client)
    asked = Asked(client=client, event=event)
    memory: Memory | None = None
    try:
        with Deadline(SECONDS, lambda: _write(dialect, event, _fault(MISSED))):
            asked = dialect.read(event, parse(read_input()), dict(os.environ))
            from upheld.hooks.place import memory_of

            memory = memory_of(asked)
            said = _answer(asked, memory, dialect)
    except DeadlineMissed:
        said = _fault(MISSED)
    except Malformed:
        said = _fault(MALFORMED)
    except FaultError as error:
        said = _fault(error.code)
    except (UpheldError, OSError):
        said = _fault(FAILED)
    except Exception:  # noqa: BLE001 - the outermost boundary: a fault of ours never stops a prompt, and is always said
        said = _fault(FAILED)
    _write(dialect, event, said)
    return 0


def _answer(asked: Asked, memory: Memory | None, dialect: Dialect) -> Said:
    if memory is None:
        return Said()
    if asked.event == PROMPT:
        from upheld.hooks.prompt import answer as answer_prompt

        return answer_prompt(asked, memory)
    if asked.event == BEFORE_TOOL:
        from upheld.hooks.before_tool import answer as answer_tool

        return answer_tool(asked, memory, lambda *_: False)
    from upheld.hooks.session_start import answer as answer_start

    return answer_start(asked, memory, dialect.injects)


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


def _usage(arguments: list[str]) -> int:
    """A person gets the usage. A client gets the constant sentence, for its exit code 2 would stop a prompt."""
    if os.isatty(0) or {"-h", "--help"}.intersection(arguments):
        sys.stderr.write(f"usage: upheld hook --client {'|'.join(CLIENTS)} {'|'.join(EVENTS)}\n")
        return 0 if {"-h", "--help"}.intersection(arguments) else 2
    _put(wording.fault(FAILED).encode("utf-8"))
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
