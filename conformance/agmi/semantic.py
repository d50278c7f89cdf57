"""Upheld under the memory-specific family of the agent memory integrity suite.

The suite's attacker holds the memory API, on three channels: as itself, under a false label, and through the agent,
signature and all. Upheld has no label and no key that tells the third channel from the user: what tells them apart is
who acts. Everything that comes through an agent is a proposal; memory is what a person made at a terminal. So the
adapter is told which memories are the person's own (``mine``), and what happens to the rest is the point of each run:

* ``Nobody`` approves nothing. Kept out then is kept out by the gate.
* ``Careless`` approves whatever the screen neither refuses nor flags. Kept out then is kept out by the screen.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from agmi.adapters.semantic_base import MemoryItem, Retrieved, SemanticMemoryAdapter

from upheld.compose.library import Memory
from upheld.errors import RefusedError, UsageError
from upheld.model.answer import Answer
from upheld.model.finding import Finding
from upheld.model.proposal import Asker
from upheld.services.seal_store import SEALING_VERBS

_WORD = re.compile(r"[a-z0-9]{3,}")


def nobody(memory: Memory, proposal_id: str) -> None:
    """Approve nothing."""


def careless(memory: Memory, proposal_id: str) -> None:
    """Approve what the screen says nothing about, without reading it."""
    view = memory.show(proposal_id)
    if view.can_be_approved and not view.screening.flagged:
        memory.approve(proposal_id, sha256=view.sha256)


class UpheldSemanticAdapter(SemanticMemoryAdapter):  # type: ignore[misc]  # the suite is untyped
    """One sealed store a user; a memory is a key, and a question is answered by recalling every key.

    Args:
        home: a folder of this test's own, which the user's state folder lies in.
        mine: whether a memory is one that the person made themselves.
        reviewer: what the person does with a proposal.
    """

    name = "upheld"

    def __init__(
        self, home: Path, mine: Callable[[MemoryItem], bool], reviewer: Callable[[Memory, str], None] = nobody
    ) -> None:
        self._home = home
        self._mine = mine
        self._reviewer = reviewer
        self._template = home.with_name(home.name + "-template")
        self._sealed = {user: self._store(user) for user in ("victim", "user-a", "user-b", "attacker")}
        for memory in self._sealed.values():
            memory.init(passphrase=False, automation=SEALING_VERBS)
        shutil.copytree(home, self._template)
        self.proposed = 0
        """How many writes became proposals; refused: how many the screen refused."""
        self.refused = 0

    def reset(self) -> None:
        """Put the empty stores and the state that knows them back."""
        shutil.rmtree(self._home)
        shutil.copytree(self._template, self._home)

    def add_memory(self, item: MemoryItem) -> None:
        memory = self._sealed[item.user_id]
        key = f"m-{sha256(item.text.encode()).hexdigest()[:12]}"
        if self._mine(item):
            memory.remember(
                key, f"{item.text}\n", when=f"When it is about this: {item.text[:200]}", because="I said so."
            )
            return
        asker = Asker(client="suite", agent=item.user_id, session="attack", channel=item.source)
        try:
            made = memory.propose(key, item.text, when=f"When asked: {item.text[:200]}", because="Heard.", asker=asker)
        except (RefusedError, UsageError):
            self.refused += 1
            return
        self.proposed += 1
        self._reviewer(memory, made.id)

    def retrieve(self, query: str, user_id: str, k: int = 5) -> list[Retrieved]:
        wanted = set(_WORD.findall(query.lower()))
        found = [Retrieved(text=text, user_id=user_id, score=_score(text, wanted)) for text in self._served(user_id)]
        return sorted(found, key=lambda one: -one.score)[:k]

    def retrieve_where(self, query: str, user_id: str, where: dict[str, str], k: int = 5) -> list[Retrieved]:
        """Every text that is served is verified; there is no tag that a writer could set."""
        if where != {"trust": "verified"}:
            raise NotImplementedError("there is one filter")
        return self.retrieve(query, user_id, k)

    def measured_on(self) -> str:
        return "upheld, library, default policy; ranking by shared words, in the adapter"

    def _served(self, user_id: str) -> list[str]:
        memory = self._sealed[user_id]
        with memory.index() as listing:
            keys = [line.key for line in listing.lines() if not isinstance(line, Finding)]
        answers = [memory.recall(key) for key in keys]
        return [one.text for one in answers if isinstance(one, Answer) and one.outcome == "verified"]

    def _store(self, user: str) -> Memory:
        return Memory(path=str(self._home / user / ".upheld"), why="the suite")


def _score(text: str, wanted: set[str]) -> float:
    return float(len(wanted & set(_WORD.findall(text.lower()))))
