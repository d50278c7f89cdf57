"""triggers add: more that says when a key applies."""

from __future__ import annotations

from typing import Any

import click

from upheld.cli.options import Shared
from upheld.cli.triggers.matched import matched, take_edit
from upheld.cli.writing import Consent, writing
from upheld.errors import UsageError
from upheld.model.written import Written


@click.command("add", short_help="Add matchers and examples to a key.")
@click.argument("key")
@click.option("--when", metavar="SENTENCE", help="The new sentence that says when it applies.")
@matched
@writing
def command(given: Shared, consent: Consent, key: str, when: str | None, **options: Any) -> Written:
    """Add to the trigger of KEY: a sealed change of the pointer; the instruction stays as it is.

    What would fire on everything, or is malformed, is refused. An example that stood on the other side leaves it.

    \b
    Examples:
      upheld triggers add customer-copy --path "site/**" --not-when "path:site/legal/**"
      upheld triggers add customer-copy --fires "Write the pricing page" --not "Fix the pricing bug"
      upheld triggers add style --together-with customer-copy
    """
    edit = take_edit(options, when)
    if edit.is_empty:
        raise UsageError("nothing to add is given", help="`upheld triggers add --help`")
    return given.open().triggers.add(key, edit, **consent.keywords)
