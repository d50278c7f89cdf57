"""Verification: values in, findings out. No clock, no disk, no network.

The steps are numbered as in docs/explanation/verification.md. One more check is one more file, and one line here.
"""

from __future__ import annotations

from upheld.checks import binding, bound, dates, links, records, sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from upheld.model.chain import Chain
    from upheld.model.finding import Finding

CHECKS: tuple[Callable[[Chain, str], list[Finding]], ...] = (
    records.check,  # 3. every record file: readable, whole, at the digest that names it
    binding.check,  # 4. the record is the one that the pointer and the key mean
    links.check,  # 5. the supersession chain: both ends, no circle, one current record
    sources.check,  # 6. every source at its digest, and a text that can be served
    dates.check,  # 7. dates real and in order; not due, not expired
    bound.check,  # 8. a bound file still holds the verified bytes
)


def check_chain(chain: Chain, as_of: str) -> list[Finding]:
    """Run steps 3 to 8 on one key and return every finding, in no particular order.

    Args:
        chain: what was read for the key.
        as_of: the day to judge dates by, ``YYYY-MM-DD``, UTC.
    """
    return [finding for check in CHECKS for finding in check(chain, as_of)]
