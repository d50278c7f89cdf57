"""triggers remove: less that says when a key applies."""

from __future__ import annotations

from typing import Any

import click

from upheld.cli.options import Shared
from upheld.cli.triggers.matched import matched, take_edit
from upheld.cli.writing import Consent, writing
from upheld.errors import UsageError
from upheld.model.written import Written


@click.command("remove", short_help="Take matchers and examples out of a key.")
@click.argument("key")
@matched
@writing
def command(given: Shared, consent: Consent, key: str, **options: Any) -> Written:
    """Take out of the trigger of KEY what is named, exactly as `triggers show` prints it.

    \b
    Examples:
      upheld triggers remove customer-copy --path "site/**"
    """
    edit = take_edit(options)
    if edit.is_empty:
        raise UsageError("nothing to take out is given", help="`upheld triggers remove --help`")
    return given.open().triggers.remove(key, edit, **consent.keywords)
