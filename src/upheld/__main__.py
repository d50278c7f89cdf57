"""The front door: which of the top rooms answers a call of ``upheld`` or ``python -m upheld``.

The command line, the hooks and the MCP server are siblings that may not import each other, so the choice between them
stands above all three. Each is imported only when it is the one that was called.
"""

from __future__ import annotations

import os
import sys


def main(argv: list[str] | None = None) -> int:
    """Run the room that the first argument names, and return its exit code."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments[:1] == ["hook"] and not {"-h", "--help"}.intersection(arguments):
        from upheld.hooks.main import main as hook

        return hook(arguments[1:])
    if arguments[:1] == ["mcp"]:
        from upheld.mcp.main import main as server

        return server(arguments[1:])
    if argv is None and arguments[:1] in (["recall"], ["route"]):
        from upheld.image import with_image

        return with_image(os.path.dirname(__file__), f"{arguments[0]}-{_form(arguments)}", _command_line)
    return _command_line(argv)


def _command_line(argv: list[str] | None = None) -> int:
    from upheld.cli.main import main as command_line

    return command_line(argv)


def _form(arguments: list[str]) -> str:
    """What the answer is written as, for the name of an image: each form needs other modules."""
    for at, argument in enumerate(arguments[:-1]):
        if argument == "--format" and arguments[at + 1].isidentifier():
            return arguments[at + 1]
    return "text"


if __name__ == "__main__":
    sys.exit(main())
