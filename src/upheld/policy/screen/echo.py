"""Echo: what the store served is not news. Agents that remember what they recalled fill a store with copies of itself."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.model.draft import Draft, Hit, Text
from upheld.policy.fold import words
from upheld.policy.shingles import SHINGLE_WORDS, fingerprint, fingerprints, shingles

# More than half of the runs of five words: one changed word in twenty spoils five of sixteen runs.
_MOST = 0.6
# Nineteen words in a row: a served text quoted whole inside a longer one.
_ROW = 15


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL018 for each text that mostly, or for long, repeats what was served under another key."""
    served = draft.served_fingerprints
    for own in draft.current if served else ():
        if own.key == draft.key:  # a correction says again what it does not change
            served = served - fingerprints(own.text)
    for text in draft.texts if served else ():
        yield from _echoed(text, served)


def _echoed(text: Text, served: frozenset[str]) -> Iterator[Hit]:
    found = words(text.text)
    known = [fingerprint(piece) in served for piece in shingles(found, SHINGLE_WORDS)]
    if known and (sum(known) >= _MOST * len(known) or _longest_row(known) >= _ROW):
        yield Hit(code="POL018", field=text.field, facts=(("repeated", f"{100 * sum(known) // len(known)} %"),))


def _longest_row(known: list[bool]) -> int:
    longest = row = 0
    for one in known:
        row = row + 1 if one else 0
        longest = max(longest, row)
    return longest
