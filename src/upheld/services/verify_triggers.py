"""Verify what takes several pointers to see: relations to no key (TRG005), and triggers that collide (TRG006).

Compared are the pointers that have a trigger or examples; the bare sentences of all others are left to
``triggers lint``, which reads a store for that alone. No recall asks any of it, so no key goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from upheld.checks.trie import pointer_in
from upheld.model.route import Rule
from upheld.routing.lint import lint_together
from upheld.services.snapshot import leaf_of
from upheld.wire.trigger import RELATIONS, decode_trigger

if TYPE_CHECKING:
    from collections.abc import Iterable

    from upheld.model.finding import Finding
    from upheld.model.index import Index
    from upheld.ports.store import ReadableStore
    from upheld.services.tally import Triggered


def verify_triggers(store: ReadableStore, index: Index, triggered: Iterable[Triggered]) -> tuple[Finding, ...]:
    """Compare the triggers of one version of a store.

    Args:
        store: where to look up keys that a trigger names.
        index: the version.
        triggered: every pointer of it with a trigger or examples that can be read, in any order.
    """
    rules: dict[str, Rule] = {}
    places: dict[str, str] = {}
    for place, key, read_when, encoded, fires, nots in sorted(triggered, key=lambda row: (row[1], row[0])):
        trigger, _ = decode_trigger(encoded or None, place, "trigger")
        rules[key] = Rule(key=key, read_when=read_when, trigger=trigger, fires=fires, nots=nots)
        places[key] = place
    named = {
        key for rule in rules.values() if rule.trigger for name in RELATIONS for key in getattr(rule.trigger, name)
    }
    others = frozenset(key for key in named - rules.keys() if _may_be_there(store, index, key))
    found = lint_together(tuple(rules.values()), others)
    return tuple(finding.replace(place=places[finding.keys[0]]) for finding in found)


def _may_be_there(store: ReadableStore, index: Index, key: str) -> bool:
    """Whether the index has a pointer of this key, or holds it where it cannot be read, which is reported as that."""
    leaf, findings = leaf_of(store, index, key)
    if leaf is None:
        return bool(findings)
    pointer, findings = pointer_in(leaf, key)
    return pointer is not None or bool(findings)
