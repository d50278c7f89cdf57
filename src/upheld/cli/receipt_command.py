"""The receipt command: check what a recall handed out."""

from __future__ import annotations

import click

from upheld.cli.options import Shared, shared
from upheld.cli.output import write
from upheld.compose.receipts import verify_receipt

_EXIT = {"verified": 0, "unverified": 3, "failed": 4}


@click.group("receipt", short_help="Check the proof of a recall.")
def command() -> None:
    """Receipts of recalls (`upheld recall KEY --receipt FILE`), checked without the store.

    \b
    Examples:
      upheld receipt verify receipt.json --pin DIGEST@VERSION
    """


@command.command("verify")
@click.argument("file")
@shared
def verify(given: Shared, file: str) -> int:
    """Run every check of a recall again, from the bytes in its receipt. No store is needed, and none is read.

    --pin names the trust root; without it nothing says whose root this is, and the outcome is `unverified`. Dates are
    judged as of the day on which the receipt was made. Exits 0 if it is verified, 3 without a pin, 4 if it is refused.

    \b
    Examples:
      upheld receipt verify receipt.json --pin DIGEST@VERSION
      upheld receipt verify receipt.json --pin DIGEST@VERSION --format json
    """
    check = verify_receipt(file, given.pin)
    write(check, given.form)
    return _EXIT[check.outcome]
