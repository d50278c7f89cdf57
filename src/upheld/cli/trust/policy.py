"""trust policy."""

from __future__ import annotations

import click

from upheld.cli.options import Shared, shared
from upheld.cli.trust.change import change, with_change_options
from upheld.cli.trust.fields import limit
from upheld.errors import UsageError
from upheld.services.screen_policy import set_screen
from upheld.services.trust_policy import in_turn, set_policy
from upheld.wire.hook_policy import CHOICES

_DAYS = "A number of days, or `none`."


@click.command("policy")
@click.option("--freshness", metavar="DAYS", help=f"How old a seal may be before reading refuses. {_DAYS}")
@click.option("--review-window", metavar="DAYS", type=click.IntRange(1, 36_500), help="The longest that a record has.")
@click.option("--max-sync-age", metavar="DAYS", help=f"How old the last sync may be before reading refuses. {_DAYS}")
@click.option("--automation", metavar="VERBS", help="The verbs that --yes may answer for, with commas; `none`.")
@click.option("--branch", metavar="NAME", help="The branch on which bound sources must stand; `any`.")
@click.option(
    "--on-hook-fault",
    type=click.Choice(CHOICES),
    help="What a hook does when memory could not be checked: say so, or also block the prompt or tool.",
)
@click.option(
    "--screen",
    metavar="CODE=ACTION",
    multiple=True,
    help="What a check of the screen does: refuse, flag, allow, or default; may be given again.",
)
@click.option("--allow-character", metavar="U+XXXX[-U+XXXX]", multiple=True, help="Let characters through the screen.")
@click.option("--disallow-character", metavar="U+XXXX[-U+XXXX]", multiple=True, help="Take them off that list again.")
@with_change_options
@shared
def command(
    given: Shared,
    freshness: str | None,
    review_window: int | None,
    max_sync_age: str | None,
    automation: str | None,
    branch: str | None,
    on_hook_fault: str | None,
    screen: tuple[str, ...],
    allow_character: tuple[str, ...],
    disallow_character: tuple[str, ...],
    key: str | None,
    out: str | None,
    yes: bool,
    dry_run: bool,
) -> int:
    """Change the store's policy. What is not named stays as it is.

    \b
    Examples:
      upheld trust policy --freshness 30
      upheld trust policy --automation review,correct
      upheld trust policy --on-hook-fault block
      upheld trust policy --screen POL045=allow --screen POL042=refuse
      upheld trust policy --allow-character U+200C
    """
    changes: dict[str, object] = {}
    if freshness is not None:
        changes["freshness_days"] = limit(freshness)
    if review_window is not None:
        changes["longest_review_days"] = review_window
    if max_sync_age is not None:
        changes["max_sync_age_days"] = limit(max_sync_age)
    if automation is not None:
        changes["automation"] = () if automation == "none" else tuple(dict.fromkeys(automation.split(",")))
    if branch is not None:
        changes["branch"] = None if branch == "any" else branch
    edits = []
    if changes or on_hook_fault is not None:
        edits.append(set_policy(changes, on_hook_fault=on_hook_fault))
    if screen or allow_character or disallow_character:
        edits.append(set_screen(screen, allow_character, disallow_character))
    if not edits:
        raise UsageError("nothing is to be changed", help="`upheld trust show` shows the policy")
    return change(given, in_turn(edits), key=key, out=out, yes=yes, dry_run=dry_run)
