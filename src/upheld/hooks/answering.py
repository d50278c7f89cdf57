"""Answer one event: find the store, ask the room of the event, and say nothing twice."""

from __future__ import annotations

import os

from upheld.compose.state import state_root
from upheld.hooks.asked import BEFORE_TOOL, PROMPT, SESSION_START, SUBAGENT_START, TOOLS, Said
from upheld.hooks.place import memory_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.compose.library import Memory
    from upheld.hooks.asked import Asked
    from upheld.hooks.once import Marks

_GIVEN_SECONDS = 1_800.0
"""For how long a text that was given before a tool call is not given again to the same session."""
_PULL_SECONDS = 60.0


class Answering:
    """One event on its way.

    Args:
        asked: the event; replaced once its payload has been read.
        injects: the events at which this client takes a text for the model.
    """

    def __init__(self, asked: Asked, injects: frozenset[str]) -> None:
        self.asked = asked
        self.memory: Memory | None = None
        self._injects = injects
        self._is_repeated = False

    def answer(self) -> Said:
        """Return what is said.

        Raises:
            UpheldError, OSError: memory could not be checked.
        """
        self.memory = memory_of(self.asked)
        if self.asked.event == BEFORE_TOOL:
            from upheld.hooks.before_tool import denial

            denied = denial(self.asked, self.memory)
            if denied is not None:
                return denied
        said = self._of_event(self.memory) if self.memory is not None else Said()
        if said.context and self.asked.event in self._injects and not self._is_first(said):
            self._is_repeated = True
            return said.replace(context="", note="")
        return said

    def blocks_on_fault(self) -> bool:
        """Whether the policy of the store that this is about stops what could not be checked."""
        from upheld.compose.hook_policy import blocks_on_fault

        memory = self.memory or memory_of(self.asked)
        return memory is not None and blocks_on_fault(memory.path)

    def afterwards(self, said: Said) -> None:
        """Note what was said, remember the texts that were served, and fetch what others published."""
        from upheld.hooks.journal import note

        if said.outcome == "silent":
            return
        path = self.memory.path if self.memory is not None else ""
        note(state_root(os.environ), self.asked, said, path, repeated=self._is_repeated)
        if self.memory is None or self._is_repeated:
            return
        if self.asked.event == SESSION_START:
            self._fetch(self.memory)
            for kind in ("once", "given"):
                self._marks(kind).sweep()
        if said.texts and self.asked.event in self._injects:
            for key, digest in said.given:
                self._marks("given").is_first(self.asked.agent, key, digest, seconds=0.0)
            self._remember(self.memory, said)

    def _of_event(self, memory: Memory) -> Said:
        if self.asked.event == PROMPT:
            from upheld.hooks.prompt import answer as answer_prompt

            return answer_prompt(self.asked, memory)
        if self.asked.event in TOOLS:
            from upheld.hooks.before_tool import answer as answer_tool

            return answer_tool(self.asked, memory, self._was_given)
        from upheld.hooks.session_start import answer as answer_start

        if self.asked.event != SUBAGENT_START and self.asked.session:
            self._marks("given").forget()  # this session begins with an empty context
        return answer_start(self.asked, memory, self._injects)

    def _is_first(self, said: Said) -> bool:
        """Whether this event was not answered so already. Another verdict is said, however soon it comes."""
        asked = self.asked
        if not asked.session:
            return True
        what = asked.prompt or asked.source or asked.agent
        if asked.event in TOOLS:
            from upheld.render.jsontext import dumps

            what = asked.tool + dumps([str(value) for value in asked.given.items()])
        verdict = (said.outcome, said.code, *said.keys)
        return self._marks("once").is_first(asked.session, asked.event, what, *verdict, turn=asked.turn)

    def _was_given(self, key: str, sha256: str) -> bool:
        given = self._marks("given")
        return bool(self.asked.session) and given.is_claimed(self.asked.agent, key, sha256, seconds=_GIVEN_SECONDS)

    def _marks(self, kind: str) -> Marks:
        from upheld.hooks.once import Marks

        group = self.asked.session if kind == "given" else ""
        return Marks(os.path.join(state_root(os.environ), "hooks", kind), group)

    def _fetch(self, memory: Memory) -> None:
        from upheld.stores.state_directory import StateReader

        state = StateReader(state_root(os.environ), memory.path).load()
        if state is None or state.remote is None:
            return
        if self._marks("once").is_first("pull", state.place, seconds=_PULL_SECONDS):
            from upheld.hooks.detached import start_pull

            start_pull(memory.path)

    def _remember(self, memory: Memory, said: Said) -> None:
        """Keep fingerprints of what was served, once a text: proposed again as news, it is refused (POL018)."""
        fresh = [
            text
            for text, (_, digest) in zip(said.texts, said.given, strict=True)
            if self._marks("once").is_first("served", memory.path, digest, seconds=_GIVEN_SECONDS)
        ]
        if fresh:
            from upheld.compose.served_texts import remember_served

            remember_served(memory.path, fresh)
