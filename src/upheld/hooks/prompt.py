"""prompt: what governs the prompt that a person has just sent."""

from __future__ import annotations

import os

from upheld.hooks.asked import Said
from upheld.hooks.at_hand import mentioned
from upheld.hooks.own_text import without_own_text
from upheld.hooks.served import load
from upheld.model.answer import Refusal
from upheld.model.route import AMBIGUOUS, MATCH, UNCHECKED
from upheld.render import wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.compose.library import Memory
    from upheld.hooks.asked import Asked

NOT_FOR_USE = frozenset({"RBK006", "SIG001"})
"""Sealed but not pinned, and unsealed without the person's leave: said when a session starts, and then silent."""
UNROUTED = "TRG008"


def answer(asked: Asked, memory: Memory) -> Said:
    """Route the prompt, and give the verified text, the candidates, the refusal, or the word that nothing governs."""
    text = without_own_text(asked.prompt)
    if asked.prompt and not text:
        return Said(context=wording.OWN_TEXT, outcome="none")
    top = os.path.dirname(memory.path)
    routed = memory.route(text, paths=mentioned(text, asked.cwd or top, top))
    if isinstance(routed, Refusal):
        return refusal(routed)
    if routed.outcome == MATCH:
        return load(memory, routed)
    if routed.outcome == AMBIGUOUS:
        keys = tuple(choice.key for choice in routed.choices)
        note = f"Upheld: one of {', '.join(keys)} may govern this; have it recalled."
        return Said(context=wording.ambiguous(routed.choices), note=note, outcome=AMBIGUOUS, keys=keys)
    if routed.outcome == UNCHECKED:
        return Said(context=wording.fault(UNROUTED), note=wording.fault(UNROUTED), outcome=UNCHECKED, code=UNROUTED)
    return Said(context=wording.CHECKED, outcome="none")


def refusal(found: Refusal) -> Said:
    """Say that the whole memory is refused; silent where nobody on this machine has taken it into use."""
    if found.code in NOT_FOR_USE:
        return Said(outcome="not-in-use", code=found.code)
    said = wording.refused(found)
    return Said(context=said, note=said, outcome="refused", code=found.code)
