"""The resolve command: settle a key that was changed here and by others, then sync."""

from __future__ import annotations

import click

from upheld.cli.complete import keys
from upheld.cli.options import Shared, shared
from upheld.cli.sharing import sharing, shown
from upheld.compose.teams import publish
from upheld.errors import UsageError


@click.command("resolve", short_help="Settle a key that two people changed.")
@click.argument("key", shell_complete=keys)
@click.option("--mine", "side", flag_value="mine", help="Your version becomes a correction of theirs.")
@click.option("--theirs", "side", flag_value="theirs", help="Your change of this key is given up.")
@click.option("--key", "sealing_key", metavar="FILE", help="The key to seal with.")
@click.option("--yes", is_flag=True, help="Seal without asking, where the trust root's automation lists sync.")
@shared
def command(given: Shared, key: str, side: str | None, sealing_key: str | None, yes: bool) -> int:
    """Settle the conflict about KEY that `upheld sync` named, and sync again.

    Theirs stays in the chain whichever you choose, and so does your version in history. The choice counts for the two
    versions that were compared: if others change KEY again first, it is asked anew.

    \b
    Examples:
      upheld resolve customer-copy --mine
      upheld resolve customer-copy --theirs
    """
    if side is None:
        raise UsageError("whose version?", help="say --mine or --theirs; `upheld history` shows both")
    call = sharing(given.replace(key=sealing_key), yes=yes, seals=True)
    return shown(given, lambda: publish(call, resolve=(key, side)))
