"""Near-exact statements of a trigger, and talk *about* a trigger.

A task that states a trigger (``routing.terms.statement``) matches it. A task that names a trigger in order to say
something about it does not: ``do not load customer-copy``, ``why did "Before writing customer-facing product copy"
fire?``. It names one by its sentence or key in quotes, or by its key beside a *not* or a word of this trade (*load*,
*pointer*, *trigger* ...), or by denying its sentence (``never deploy to production``). A task that stands in
quotes as a whole is a task like any other.
"""

from __future__ import annotations

from upheld.routing.form import KEY
from upheld.routing.terms import NEGATED, NEGATORS, statement
from upheld.routing.words import LONGEST, mark, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.routing.index import Index

_QUOTES = {"`": "`", '"': '"', "\u201c": "\u201d", "\u00ab": "\u00bb", "\u201e": "\u201c", "\u300c": "\u300d", "'": "'"}
_EDGES = "`\"'\u201c\u201d\u201e\u00ab\u00bb\u300c\u300d()[]{}<>.,;:!?*"
_TRADE = frozenset(
    """pointer pointers trigger triggers memory memories record recall recalled upheld key keys read_when load loads
    loaded loading unload fire fires fired firing route routed routing""".split()  # noqa: SIM905
)


def stated(found: list[str], index: Index) -> tuple[set[int], set[int]]:
    """The pointers that the task states word for word or nearly so, and those whose negatives it states."""
    return _with_form(statement(found), index) if found else (set(), set())


def _with_form(form: str, index: Index) -> tuple[set[int], set[int]]:
    fires: set[int] = set()
    nots: set[int] = set()
    for pointer, negative, said in index.stated(mark(form)):
        if said == form:
            (nots if negative else fires).add(pointer)
    return fires, nots


def talked_about(text: str, index: Index) -> set[int]:
    """The pointers that the task names rather than needs."""
    text = text[:LONGEST]
    found = words(text)
    named = _keys(text.split(), index) if any(word in _TRADE or word in NEGATORS for word in found) else set()
    form = statement(found)
    if form.startswith(NEGATED):
        named |= _with_form(form.removeprefix(NEGATED), index)[0]
    for span in _quoted(text):
        inside = words(span)
        if inside != found:
            named |= _keys([span], index) | stated(inside, index)[0]
    return named


def _keys(tokens: list[str], index: Index) -> set[int]:
    named: set[int] = set()
    for token in tokens:
        bare = token.strip(_EDGES).casefold()
        for number in index.gated(mark(f"{KEY}{bare}")):
            pointer, kind, key = index.matcher(number)
            if kind == KEY and key.casefold() == bare:
                named.add(pointer)
    return named


def _quoted(text: str) -> list[str]:
    """The quoted spans of a text; an apostrophe inside a word opens none."""
    spans: list[str] = []
    at = 0
    while at < len(text):
        closing = _QUOTES.get(text[at])
        if closing and not (text[at] == "'" and at and text[at - 1].isalnum()):
            end = text.find(closing, at + 1)
            if end > at + 1:
                spans.append(text[at + 1 : end])
                at = end
        at += 1
    return spans
