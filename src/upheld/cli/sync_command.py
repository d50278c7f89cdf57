"""The sync command: publish own changes on top of what others published, or only fetch (``--pull``)."""

from __future__ import annotations

import click

from upheld.cli.options import Shared, shared
from upheld.cli.sharing import sharing, shown
from upheld.compose.teams import publish, receive


@click.command("sync", short_help="Publish your changes, fetch the others'.")
@click.option("--pull", is_flag=True, help="Only fetch, verify and install: needs no key and asks nothing.")
@click.option(
    "--remote", metavar="URL", help="Where the store is shared (remembered; default: this repository's origin)."
)
@click.option("--branch", metavar="NAME", help="The branch there (remembered; default: one for this folder).")
@click.option(
    "--key", "sealing_key", metavar="FILE", help="The key to seal with, where a new version has to be sealed."
)
@click.option("--yes", is_flag=True, help="Seal without asking, where the trust root's automation lists sync.")
@shared
def command(
    given: Shared, pull: bool, remote: str | None, branch: str | None, sealing_key: str | None, yes: bool
) -> int:
    """Share the store: fetch what others published, put your changes on top, publish, and update the folder.

    Changes of different keys both land. A key that was changed on both sides is a conflict that `upheld resolve`
    settles; until then nothing is published. A key is asked for only where others published meanwhile.

    \b
    Examples:
      upheld sync
      upheld sync --pull
      upheld sync --remote git@example.com:team/memory.git
    """
    call = sharing(given.replace(key=sealing_key), remote=remote, branch=branch, yes=yes, seals=not pull)
    return shown(given, lambda: receive(call) if pull else publish(call))
