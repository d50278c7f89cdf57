"""The correct command: a new version of a key."""

from __future__ import annotations

from typing import Any

import click

from upheld.cli.asking import given_text, text_or_ask, words
from upheld.cli.options import Shared
from upheld.cli.triggers.matched import matched, take_edit
from upheld.cli.writing import Consent, because, dated, owned, writing
from upheld.model.reports import Review
from upheld.model.written import Written


@click.command("correct", short_help="A new version that supersedes the current.")
@click.argument("key")
@click.argument("text", required=False)
@click.option("--file", metavar="FILE", help="Read the text from a file (- for standard input).")
@click.option("--source", metavar="FILE", help="A file of the repository owns the text from now on.")
@click.option("--unbind", is_flag=True, help="The store owns the text from now on, not a file of the repository.")
@click.option("--base", metavar="DIGEST", help="The record that the text was made from; if it moved, a conflict.")
@because
@owned
@dated
@matched
@writing
def command(
    given: Shared,
    consent: Consent,
    key: str,
    text: str | None,
    file: str | None,
    because: str | None,
    **options: Any,
) -> Written:
    """Correct KEY: a new version supersedes the current one, and the pointer moves last.

    Without a text, a changed source is taken as it is now; else your editor opens on the current text. The window
    until review stays as long as it was, unless a date or --volatility is given. Matchers and examples are added to
    its trigger in the same change.

    \b
    Examples:
      upheld correct deploy-window "Deploy on weekdays before 12:00 UTC." --because "The on-call rota changed."
      upheld correct code-style --because "The style guide was revised."     (takes the bound file as it is now)
    """
    memory, edit = given.open(), take_edit(options)
    data = given_text(text, file)
    if data is None and options["source"] is None:
        now = memory.review(key)
        assert isinstance(now, Review)
        options["base"] = options["base"] or now.record_sha256
        if now.state != "changed" and not now.is_bound:
            data = text_or_ask(None, None, now.text or "")
    because = words(because, "--because", "Why is it corrected?")
    options["trigger"] = None if edit.is_empty else edit
    return memory.correct(key, data, because=because, **options, **consent.keywords)
