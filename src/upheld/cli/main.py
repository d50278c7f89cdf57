"""The door: recall and route go straight to the reading path, everything else to the command framework.

Importing the framework takes longer than a whole recall, so argv is looked at first (docs/adr/0003-cold-path.md).
"""

from __future__ import annotations

import gc
import sys

from upheld.errors import UpheldError


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code (DESIGN section 4, "Codes")."""
    arguments = sys.argv[1:] if argv is None else argv
    _speak_utf8()
    try:
        from upheld.cli.cold import parse

        call = parse(arguments)
        if call is not None:
            if argv is None:
                # The process ends with the answer: a collection in between costs a tenth of it and frees nothing.
                gc.disable()
            from upheld.cli.recall import run

            return run(call)
        if arguments[:1] == ["route"]:
            from upheld.cli.cold_route import parse as parse_route

            route_call = parse_route(arguments)
            if route_call is not None:
                from upheld.cli.route import run as run_route

                return run_route(route_call)
        from upheld.cli.app import run_app

        return run_app(arguments)
    except UpheldError as error:
        return complain(error, as_json=wants_json(arguments))
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # noqa: BLE001 - the outermost boundary: a fault of ours is said, and never shows a text
        return _confess(error)


def _confess(error: Exception) -> int:
    """Say that Upheld itself failed, in one line; the whole trace only where it is asked for."""
    import os

    if os.environ.get("UPHELD_DEBUG"):
        raise error
    from upheld.render.escape import escape

    sys.stderr.write(f"error: Upheld itself failed: {type(error).__name__}: {escape(str(error))[:300]}\n")
    sys.stderr.write("  = help: nothing was served; run it again with UPHELD_DEBUG=1 and report what it prints\n")
    return UpheldError.exit_code


def complain(error: UpheldError, *, as_json: bool = False) -> int:
    """Say what went wrong and return the exit code.

    A person reads it on standard error. A program that asked for JSON gets it as JSON, where it reads everything else.
    """
    if as_json:
        from upheld.render.jsontext import dumps

        made = {"outcome": "error", "message": error.message, "help": error.help or None}
        sys.stdout.write(dumps(made) + "\n")
        return error.exit_code
    sys.stderr.write(f"error: {_indented(error.message)}\n")
    if error.help:
        sys.stderr.write(f"  = help: {_indented(error.help)}\n")
    unsaved = sys.modules.get("upheld.cli.unsaved")  # there only where somebody was asked to write
    if unsaved is not None:
        unsaved.say()
    return error.exit_code


def _indented(text: str) -> str:
    """Escape a text of several lines, each but the first indented: none can pass for a line of another kind."""
    from upheld.render.escape import escape

    return "\n    ".join(escape(line) for line in text.split("\n"))


def wants_json(arguments: list[str]) -> bool:
    """Whether ``--format json`` was given, also where the rest of the call makes no sense; the last one counts."""
    form = ""
    for before, argument in zip(["", *arguments], arguments, strict=False):
        if argument == "--":
            break
        if before == "--format":
            form = argument
        elif argument.startswith("--format="):
            form = argument.partition("=")[2]
    return form == "json"


def _speak_utf8() -> None:
    """Write UTF-8 whatever the platform's habit is (mempalace#1488: cp1252 and gbk crashes)."""
    for stream in (sys.stdout, sys.stderr):
        encoding = getattr(stream, "encoding", None)
        if encoding and encoding.lower() not in ("utf-8", "utf8"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
