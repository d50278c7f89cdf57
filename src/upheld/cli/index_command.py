"""The index command: which keys there are, and when to read each."""

from __future__ import annotations

import click

from upheld.cli.options import Shared, shared
from upheld.cli.output import write
from upheld.errors import FaultError, RefusedError
from upheld.model.answer import Refusal
from upheld.model.finding import Finding
from upheld.model.page import Line, Page
from upheld.render.text import entry

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.services.index_listing import Listing

BUDGET = 8000


@click.command("index", short_help="The keys, and when to read each.")
@click.option(
    "--budget",
    metavar="CHARS",
    type=click.IntRange(min=0),
    default=BUDGET,
    show_default=True,
    help="How many characters the list may take; what does not fit is counted.",
)
@shared
def command(given: Shared, budget: int) -> int:
    """List the keys of the store, each with the sentence that says when to read it.

    The list says what there is to recall, not that a recall would be served: records and sources are not read. It ends
    in how many of how many keys it shows. Exits 0, or 1 where a part of the index cannot be read, or 4 where all of it
    is refused.

    \b
    Examples:
      upheld index
      upheld index --budget 2000        for the start of an agent's prompt
      upheld index --format json
    """
    memory = given.open()
    try:
        with memory.index() as listing:
            page = _page(listing, budget)
    except (FaultError, RefusedError) as error:
        write(_refusal(error, given), given.form, store=memory.path)
        return 4
    write(page, given.form, store=memory.path)
    return 1 if page.findings or any(line.is_broken for line in page.lines) else 0


def _page(listing: Listing, budget: int) -> Page:
    """Take keys as long as they fit. What lies behind the first that does not is not read."""
    lines: list[Line] = []
    findings: list[Finding] = []
    left = budget
    for item in listing.lines():
        if isinstance(item, Finding):
            findings.append(item)
            continue
        left -= len(entry(item))
        if left < 0:
            break
        lines.append(item)
    return Page(
        lines=tuple(lines),
        total=listing.total,
        budget=budget,
        findings=tuple(findings),
        sealed=listing.sealed,
        not_checked=listing.not_checked,
        version=listing.version,
    )


def _refusal(error: FaultError | RefusedError, given: Shared) -> Refusal:
    from upheld.checks.finding_of import finding_of
    from upheld.compose.clock import day_or_today

    as_of, today = day_or_today(given.as_of)
    if isinstance(error, FaultError):
        finding = finding_of(error)
    elif isinstance(error.refusal, Finding):
        finding = error.refusal
    else:
        raise error
    return Refusal(key="", findings=(finding,), as_of=as_of, hypothetical=as_of != today)
