"""The propose command: a wish, not a memory."""

from __future__ import annotations

import click

from upheld.cli.asking import given_text
from upheld.cli.deciding import gated
from upheld.cli.options import Shared
from upheld.model.proposal import KINDS, Asker
from upheld.model.proposal_view import Proposed
from upheld.policy.windows import WINDOWS


@click.command("propose", short_help="Ask for something to be remembered; a person decides.")
@click.argument("key")
@click.argument("text", required=False)
@click.option("--kind", type=click.Choice(KINDS), help="Default: new, or a correction where KEY is current.")
@click.option("--file", metavar="FILE", help="Read the text from a file (- for standard input).")
@click.option("--when", metavar="SENTENCE", default="", help="When it applies. Needed for a new key.")
@click.option("--because", metavar="TEXT", default="", help="Why.")
@click.option("--fires", metavar="TASK", multiple=True, help="A task that it governs; may be given several times.")
@click.option("--not", "nots", metavar="TASK", multiple=True, help="A task that it does not govern.")
@click.option(
    "--base", metavar="DIGEST", default="", help="The record that it was made from (default: the current one)."
)
@click.option("--volatility", type=click.Choice(list(WINDOWS)), help="How soon it is to be reviewed.")
@click.option("--client", default="", help="The program that asks.")
@click.option("--agent", default="", help="The agent or model that asks.")
@click.option("--session", default="", help="The session that it came up in.")
@click.option("--words", default="", help="The words that led to it.")
@gated
def command(
    given: Shared,
    key: str,
    text: str | None,
    kind: str | None,
    file: str | None,
    when: str,
    because: str,
    fires: tuple[str, ...],
    nots: tuple[str, ...],
    base: str,
    volatility: str | None,
    client: str,
    agent: str,
    session: str,
    words: str,
) -> Proposed:
    """Propose something about KEY. It waits in the inbox, and no recall returns it until a person approves it.

    Needs no key and no terminal. Exits 0, or 4 where the screen refuses it; then nothing was written.

    \b
    Examples:
      upheld propose deploy-window "Deploy before 15:00 UTC." --when "Before deploying." --because "The rota says so."
      upheld propose deploy-window --kind retirement --because "There is no rota any more."
      upheld propose deploy-window --kind triggers --fires "ship it to production"
    """
    data = given_text(text, file)
    return given.open().propose(
        key,
        data.decode("utf-8", "surrogateescape") if data is not None else "",
        kind=kind,
        when=when,
        because=because,
        fires=fires,
        nots=nots,
        base=base,
        volatility=volatility or "",
        asker=Asker(client=client, agent=agent, session=session, channel="cli", words=words),
    )
