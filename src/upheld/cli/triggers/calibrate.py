"""triggers calibrate: how sure a text must be to match."""

from __future__ import annotations

import click

from upheld.cli.options import Shared
from upheld.cli.writing import reporting
from upheld.model.trigger_reports import Tuned


@click.command("calibrate", short_help="Choose how sure a text must be to match.")
@click.option(
    "--wrong-load",
    metavar="PERCENT",
    type=click.FloatRange(0, 100, min_open=True, max_open=True),
    default=1.0,
    show_default=True,
    help="The highest share of wrong loads, where nothing governs half of all tasks.",
)
@reporting
def command(given: Shared, wrong_load: float) -> Tuned:
    """Choose the limit from the store's own examples, and build the route index of this place with it.

    Every example in turn is held out, and a fifth of the pointers in turn is left out. A store with too few examples
    stays uncalibrated: then only structured and near-exact hits match.

    \b
    Examples:
      upheld triggers calibrate
      upheld triggers calibrate --wrong-load 0.5
    """
    return given.open().triggers.calibrate(wanted=wrong_load / 100)
