"""Put the texts of some keys into the room that there is: verified, framed, or refused in so many words."""

from __future__ import annotations

from upheld.hooks.asked import Said
from upheld.model.answer import Answer
from upheld.render import wording
from upheld.render.frame import framed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from upheld.compose.library import Memory
    from upheld.model.route import Routed

_LEAST = 3_000
"""What a frame needs (``render.frame``)."""


def load(memory: Memory, routed: Routed, *, given_before: Callable[[str, str], bool] = lambda *_: False) -> Said:
    """Recall every key of a match.

    Args:
        memory: the store.
        routed: a match.
        given_before: whether this session has a text already, by key and digest; it is verified all the same.
    """
    parts: list[str] = []
    given: list[tuple[str, str]] = []
    texts: list[str] = []
    codes: list[str] = []
    refusal = ""
    fresh = False
    room = wording.LIMIT - 600 - 400 * len(routed.keys)
    for key in routed.keys:
        outcome = memory.recall(key)
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
