"""The draft command: give up what was committed here and not published."""

from __future__ import annotations

import sys

import click

from upheld.cli.options import Shared, shared
from upheld.cli.sharing import sharing, shown
from upheld.compose.teams import give_up
from upheld.errors import NoKeyError
from upheld.model.draft_state import Synced
from upheld.render.escape import escape


@click.command("draft", short_help="Give up unpublished changes.")
@click.argument("what", type=click.Choice(["drop"]), metavar="drop")
@click.option("--yes", is_flag=True, help="Do not ask.")
@shared
def command(given: Shared, what: str, yes: bool) -> int:
    """Give up every change that was not published, and go back to the published version.

    The changes stay in history on this machine (`upheld history` lists them); nobody else ever sees them.

    \b
    Examples:
      upheld draft drop
    """

    def agrees(keys: tuple[str, ...]) -> bool:
        named = ", ".join(f"`{escape(key)}`" for key in keys) or "nothing that differs"
        sys.stderr.write(f"This gives up your changes of: {named}\n")
        return yes or (sys.stdin.isatty() and click.confirm("Go back to the published version?", err=True))

    def act() -> Synced:
        done = give_up(sharing(given, seals=False), agrees)
        if done is None:
            raise NoKeyError("nothing was changed", help="answer at a terminal, or with --yes")
        return done

    return shown(given, act)
