"""Rate: how much may wait, and how fast one proposer may ask. The caller counts; this only compares."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.model.draft import Draft, Hit


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL003 where as many proposals as allowed wait already, or were made lately."""
    policy = draft.policy
    for name, count, limit in (
        ("waiting", draft.pending, policy.max_pending),
        ("asked lately", draft.recent, policy.max_recent),
    ):
        if count >= limit:
            yield Hit(code="POL003", facts=((name, f"{count:,}"), ("limit", f"{limit:,}")))
