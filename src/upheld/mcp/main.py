"""The door of ``upheld mcp``: reads the arguments, looks for the extra, and serves."""

from __future__ import annotations

import sys

from upheld.errors import UpheldError, UsageError
from upheld.mcp.options import HELP, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.mcp.options import Options


def main(arguments: list[str]) -> int:
    """Serve as the arguments after ``mcp`` say, and return the exit code."""
    try:
        options = parse(arguments)
        if options.wants_help:
            sys.stdout.write(HELP)
            return 0
        _look_for_extra()
        return _serve(options)
    except UpheldError as error:
        return _complain(error)
    except KeyboardInterrupt:
        return 130


def _serve(options: Options) -> int:
    if options.http is not None:
        from upheld.mcp.http import serve as serve_http

        return serve_http(options)
    from upheld.mcp.desk import Desk
    from upheld.mcp.stdio import serve

    return serve(Desk(store=options.store, client_name=options.client_name))


def _look_for_extra() -> None:
    """Find the SDK without importing it, which takes most of a second.

    Raises:
        UsageError: it is not installed.
    """
    if not any(finder.find_spec("mcp", None) for finder in sys.meta_path):
        raise UsageError("the MCP server needs the extra `mcp`", help="pip install 'upheld[mcp]'")


def _complain(error: UpheldError) -> int:
    from upheld.render.escape import escape

    sys.stderr.write(f"error: {escape(error.message)}\n")
    if error.help:
        sys.stderr.write(f"  = help: {escape(error.help)}\n")
    return error.exit_code
