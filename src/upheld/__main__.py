"""The front door: which of the top rooms answers a call of ``upheld`` or ``python -m upheld``.

The command line, the hooks and the MCP server are siblings that may not import each other, so the choice between them
stands above all three. Each is imported only when it is the one that was called.
"""

from __future__ import annotations

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
    from upheld.cli.main import main as command_line

    return command_line(argv)


if __name__ == "__main__":
    sys.exit(main())
