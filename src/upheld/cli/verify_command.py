"""The verify command: every fault of a store in one run."""

from __future__ import annotations

import click

from upheld.cli.options import Shared, shared
from upheld.cli.output import write
from upheld.cli.progress import progress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.verdict import Verdict

_FAILED, _NOTHING_CHECKED = 1, 3


@click.command("verify", short_help="Every fault of the store, in one run.")
@shared
def command(given: Shared) -> int:
    """Check every key of the store and report every fault, worst first.

    Exits 0 if the store is verified, 1 if something is wrong, 3 if nothing could be checked or nobody has sealed the
    store. With --unsealed, a sound store that nobody has sealed exits 0 as well; its verdict stays `unverified`.

    \b
    Examples:
      upheld verify
      upheld verify --unsealed --format github      annotations in a GitHub workflow
      upheld verify --format sarif > upheld.sarif   for code scanning
      upheld verify --as-of 2027-01-01              what will have fallen due by then
    """
    memory = given.open()
    with progress("verifying") as advance:
        verdict = memory.verify(progress=advance)
    write(verdict, given.form, store=memory.path)
    return _exit_code(verdict, unsealed=given.unsealed)


def _exit_code(verdict: Verdict, *, unsealed: bool) -> int:
    if verdict.outcome == "failed":
        return _FAILED
    if verdict.outcome == "verified":
        return 0
    return 0 if unsealed and verdict.keys > 0 else _NOTHING_CHECKED
