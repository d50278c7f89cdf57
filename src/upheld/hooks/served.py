"""What a route comes to, as a hook says it: texts in the room that there is, candidates, or a refusal."""

from __future__ import annotations

from upheld.hooks.asked import Said
from upheld.model.answer import Answer, Refusal
from upheld.model.route import AMBIGUOUS, MATCH, UNCHECKED
from upheld.render import wording
from upheld.render.frame import framed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from upheld.model.route import Routed

_LEAST = 3_000
"""What a frame needs (``render.frame``)."""
NOT_FOR_USE = frozenset({"RBK006", "SIG001"})
"""Sealed but not pinned, and unsealed without the person's leave: said when a session starts, and then silent."""


def of_route(routed: Routed | Refusal, *, given_before: Callable[[str, str], bool] = lambda *_: False) -> Said | None:
    """Say what a route came to; None where nothing governs.

    Args:
        routed: the route, with what each key of a match recalls.
        given_before: whether this session has a text already, by key and digest; it is verified all the same.
    """
    if isinstance(routed, Refusal):
        return refusal(routed)
    if routed.outcome == MATCH:
        return load(routed, given_before)
    if routed.outcome == AMBIGUOUS:
        keys = tuple(choice.key for choice in routed.choices)
        note = f"Upheld: one of {', '.join(keys)} may govern this; have it recalled."
        return Said(context=wording.ambiguous(routed.choices), note=note, outcome=AMBIGUOUS, keys=keys)
    if routed.outcome == UNCHECKED:
        said = wording.fault(wording.UNROUTED)
        return Said(context=said, note=said, outcome=UNCHECKED, code=wording.UNROUTED)
    return None


def refusal(found: Refusal) -> Said:
    """Say that the whole memory is refused; silent where nobody on this machine has taken it into use."""
    if found.code in NOT_FOR_USE:
        return Said(outcome="not-in-use", code=found.code)
    said = wording.refused(found)
    return Said(context=said, note=said, outcome="refused", code=found.code)


def load(routed: Routed, given_before: Callable[[str, str], bool]) -> Said:
    """Say what every key of a match recalled.

    Args:
        routed: a match, with what each key of it recalls.
        given_before: whether this session has a text already, by key and digest; it is verified all the same.
    """
    parts: list[str] = []
    given: list[tuple[str, str]] = []
    texts: list[str] = []
    codes: list[str] = []
    refusal = ""
    fresh = False
    room = wording.LIMIT - 600 - 400 * len(routed.keys)
    for key, outcome in zip(routed.keys, routed.loaded, strict=True):
        if not isinstance(outcome, Answer):
            parts.append(wording.refused(outcome))
            refusal = refusal or outcome.code
            room -= len(parts[-1])
            continue
        codes += [notice.code for notice in outcome.notices]
        if given_before(key, outcome.source_sha256):
            parts.append(wording.still(key, outcome.source_sha256))
        elif room < _LEAST:
            parts.append(wording.unshown(key))
        else:
            parts.append(framed(outcome, limit=room))
            room -= len(parts[-1])
            given.append((key, outcome.source_sha256))
            texts.append(outcome.text)
            fresh = True
    head = wording.match(routed.keys, routed.by) if fresh else ""
    return Said(
        context=_within(head + "".join(parts) + wording.notices(codes)),
        note=f"Upheld: {', '.join(routed.keys)} governs this; this client takes no memory here, so have it recalled.",
        outcome="refused" if refusal else "match",
        code=refusal,
        keys=routed.keys,
        given=tuple(given),
        texts=tuple(texts),
    )


def _within(text: str) -> str:
    if len(text) > wording.LIMIT:
        raise ValueError("what is injected outgrew its limit")
    return text
