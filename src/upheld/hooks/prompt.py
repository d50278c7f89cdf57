"""prompt: what governs the prompt that a person has just sent."""

from __future__ import annotations

import os

from upheld.compose.at_hand import mentioned
from upheld.hooks.asked import Said
from upheld.hooks.own_text import without_own_text
from upheld.hooks.served import of_route
from upheld.render import wording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.compose.library import Memory
    from upheld.hooks.asked import Asked


def answer(asked: Asked, memory: Memory) -> Said:
    """Route the prompt, and give the verified text, the candidates, the refusal, or the word that nothing governs."""
    text = without_own_text(asked.prompt)
    if asked.prompt and not text:
        return Said(context=wording.OWN_TEXT, outcome="none")
    top = os.path.dirname(memory.path)
    routed = memory.route(text, paths=mentioned(text, asked.cwd or top, top), load=True)
    return of_route(routed) or Said(context=wording.CHECKED, outcome="none")
