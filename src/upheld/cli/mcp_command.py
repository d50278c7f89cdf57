"""What the command framework knows of ``upheld mcp``: its name. The server is answered before it is loaded."""

from __future__ import annotations

import click

from upheld.errors import UsageError


@click.command("mcp", short_help="Serve the store to an agent over MCP.")
def command() -> None:
    """Serve the store to an agent over MCP. Its options stand after its name: `upheld mcp --help`.

    \b
    Examples:
      upheld mcp --store DIR
      upheld mcp --http 8765
    """
    raise UsageError("the options of `mcp` stand after its name", help="`upheld mcp --help`")
