"""The recall command as the framework sees it: its help, and the calls that ``cli.cold`` leaves to it."""

from __future__ import annotations

import click

from upheld.cli.cold import RecallCall
from upheld.cli.complete import keys
from upheld.cli.options import Shared, shared
from upheld.cli.recall import run


@click.command("recall", short_help="The verified instruction of a key, or a refusal.")
@click.argument("key", shell_complete=keys)
@click.option(
    "--line", is_flag=True, help="Print only the instruction: the first line that is neither blank nor a heading."
)
@click.option("--receipt", metavar="FILE", help="Write a receipt that anybody can verify without this store.")
@click.option(
    "--chosen-by",
    type=click.Choice(["caller", "routing", "ambiguous"]),
    help="What the receipt records of how KEY was chosen: by name (caller), by a route, or out of an ambiguous one.",
)
@shared
def command(given: Shared, key: str, line: bool, receipt: str | None, chosen_by: str | None) -> int:
    """Print the verified instruction of KEY, or refuse with a code, a reason and the remedy.

    \b
    Examples:
      upheld recall customer-copy
      upheld recall customer-copy --line
      upheld recall customer-copy --format json
      upheld recall customer-copy --receipt receipt.json
      upheld recall customer-copy --receipt receipt.json --chosen-by ambiguous
    """
    call = RecallCall(
        key=key,
        store=given.store,
        as_of=given.as_of,
        format=given.form,
        unsealed=given.unsealed,
        pin=given.pin,
        line=line,
        receipt=receipt,
        chosen_by=chosen_by,
    )
    return run(call)
