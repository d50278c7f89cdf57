"""A proposal as a person is shown it, and what they decide."""

from __future__ import annotations

from upheld.model.draft import Screening
from upheld.model.finding import Finding
from upheld.model.proposal import Proposal
from upheld.model.value import Value

APPROVE = "approve"
REJECT = "reject"
SKIP = "skip"


class ProposalView(Value):
    """Everything that a decision rests on.

    Attributes:
        proposal: what is wanted. sha256: the digest of the file that was read; an approval is of exactly this.
        screening: what the screen says of it now. notes: its flags in words, and how much it was compared with.
        before: the text that is served today; empty where none is. after: the text that would be.
        read_when: the trigger that would be in force. was_read_when: the one that is.
        review_on, expires_on: days, as they would be. also_fires: keys that its own examples fire too.
        faults: why it cannot be approved besides the screen: the key moved on, is taken, is gone.
    """

    proposal: Proposal
    sha256: str
    screening: Screening
    notes: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    read_when: str = ""
    was_read_when: str = ""
    review_on: str = ""
    expires_on: str = ""
    also_fires: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()

    @property
    def can_be_approved(self) -> bool:
        """Whether nothing stands against it but a person's judgement."""
        return not self.screening.refused and not self.faults


class InboxLine(Value):
    """One proposal in the list: ``problem`` says why one cannot be read."""

    id: str
    kind: str = ""
    key: str = ""
    at: str = ""
    asker: str = ""
    because: str = ""
    flags: tuple[str, ...] = ()
    endorsed: int = 0
    problem: Finding | None = None


class Inbox(Value):
    """What waits: at most ``limit`` lines are read, and ``total`` says how many there are."""

    lines: tuple[InboxLine, ...]
    total: int


class Proposed(Value):
    """What ``propose`` made: the proposal's id, the digest of its file, and what the screen flagged."""

    id: str
    kind: str
    key: str
    sha256: str
    notes: tuple[str, ...] = ()


class Decision(Value):
    """What a person decided about one proposal, having been shown exactly ``sha256``.

    Attributes:
        act: ``approve``, ``reject`` or ``skip``.
        text: the text as the person edited it; None where they left it.
        because: why it is rejected.
    """

    id: str
    sha256: str
    act: str
    text: str | None = None
    because: str = ""


class Decided(Value):
    """What came of decisions.

    Attributes:
        approved, rejected, left: ids.
        version: the store's version after it; 0 where nothing was approved.
        index_sha256: the digest of that version's index.
        notes: what the person should know.
        warning: what did not go as it should although the change is committed.
    """

    approved: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    version: int = 0
    index_sha256: str = ""
    notes: tuple[str, ...] = ()
    warning: str = ""
