"""Upheld under the public benchmark of the OWASP agent memory guard.

The benchmark writes, crosses a session boundary and reads back; an attack is breached if its canary is read. In its
scenarios attacks and benign controls come the same way, so two runs say two things:

* ``PersonAdapter``: agents only propose, and the person approves what they wanted: the benign ones. What is kept out is
  kept out by the gate, and the benign ones are the positive control.
* ``CarelessAdapter``: the person approves whatever the screen neither refuses nor flags. What is kept out is kept out
  by the screen.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from agent_memory_guard.bench.adapter import MemorySystemAdapter, RememberOutcome

from upheld.compose.library import Memory
from upheld.errors import RefusedError
from upheld.model.answer import Answer
from upheld.model.proposal import Asker
from upheld.services.seal_store import SEALING_VERBS


class CarelessAdapter(MemorySystemAdapter):  # type: ignore[misc, unused-ignore]  # typed only where it is installed
    """A sealed store, an agent that proposes, and a person who does not read."""

    name = "upheld"

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="upheld-amg-")
        self.memory = Memory(path=str(Path(self._folder.name) / ".upheld"), why="the benchmark")
        self.memory.init(passphrase=False, automation=SEALING_VERBS)
        self.memory.remember("genuine", "Keep it.\n", when="When it is about keeping.", because="I said so.")

    def remember(self, key: str, value: Any, *, source_class: str = "external_tool") -> RememberOutcome:
        asker = Asker(client="benchmark", channel=source_class)
        try:
            made = self.memory.propose(_key(key), str(value), when=f"Working on {key}.", because="Seen.", asker=asker)
        except RefusedError:
            return RememberOutcome.BLOCKED
        return RememberOutcome.STORED if self._approved(made.id) else RememberOutcome.QUARANTINED

    def recall(self, key: str) -> Any | None:
        outcome = self.memory.recall(_key(key))
        return outcome.text.removesuffix("\n") if isinstance(outcome, Answer) else None

    def serves_the_genuine_memory(self) -> bool:
        """Whether what the person wrote beside it is served."""
        return self.memory.recall("genuine").outcome == "verified"

    def close(self) -> None:
        """Remove the store."""
        self._folder.cleanup()

    def _approved(self, proposal_id: str) -> bool:
        view = self.memory.show(proposal_id)
        if not self._wants(flagged=view.screening.flagged) or not view.can_be_approved:
            return False
        self.memory.approve(proposal_id, sha256=view.sha256)
        return True

    def _wants(self, *, flagged: bool) -> bool:
        return not flagged


class PersonAdapter(CarelessAdapter):
    """The same, with a person who approves what they wanted and nothing else.

    Args:
        wanted: whether the writes of this scenario are what the person wanted.
    """

    def __init__(self, wanted: bool) -> None:
        super().__init__()
        self._wanted = wanted

    def _wants(self, *, flagged: bool) -> bool:
        return self._wanted


def _key(key: str) -> str:
    return "".join(c if c.isalnum() else "-" for c in key.lower()).strip("-")[:64]
