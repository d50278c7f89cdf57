"""A proposal: something that an agent, an import or a person wants remembered. Never served; a person decides."""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NEW = "new"
CORRECTION = "correction"
RETIREMENT = "retirement"
TRIGGERS = "triggers"
KINDS = (NEW, CORRECTION, RETIREMENT, TRIGGERS)


class Asker(Value):
    """Who asked, by their own account: nothing here is proven, and nothing is decided by it.

    Attributes:
        client: the program that the proposal came through.
        agent: the agent or model.
        session: the session's id.
        channel: how it came: ``cli``, ``mcp``, ``hook``, ``import``, ...
        words: the words that led to it.
    """

    client: str = ""
    agent: str = ""
    session: str = ""
    channel: str = ""
    words: str = ""


class Flag(Value):
    """What the screen flagged when the proposal was made: a code and the field."""

    code: str
    field: str = ""


class Endorsement(Value):
    """An acceptance that came through an agent's client. It ranks below a terminal's: hooks can answer it too."""

    client: str
    protocol: str
    at: str


class Proposal(Value):
    """One proposal as it lies in ``proposals/<id>.json``.

    Attributes:
        id: its name; holds a nonce. kind: one of ``KINDS``. key: the key that it is about.
        at: when it was made, UTC, by the proposer's clock.
        text: the whole text, for a new key and a correction.
        because: why. read_when: when it applies; empty leaves the trigger as it is.
        volatility, review_on, expires_on, owner: what the version should say; empty for the usual.
        fires, nots: examples of tasks that it governs, and that it does not.
        base_sha256: the record that it was made from; empty for a new key.
        source: where an import found it.
        asker: who asked. flags: what the screen flagged then.
        endorsements: acceptances through agents' clients.
        fields: every field of the file, unknown ones too.
    """

    id: str
    kind: str
    key: str
    at: str
    text: str = ""
    because: str = ""
    read_when: str = ""
    volatility: str = ""
    review_on: str = ""
    expires_on: str = ""
    owner: str = ""
    fires: tuple[str, ...] = ()
    nots: tuple[str, ...] = ()
    base_sha256: str = ""
    source: str = ""
    asker: Asker = Asker()
    flags: tuple[Flag, ...] = ()
    endorsements: tuple[Endorsement, ...] = ()
    fields: Mapping[str, object] | None = None

    @property
    def has_text(self) -> bool:
        """Whether its kind brings a text."""
        return self.kind in (NEW, CORRECTION)
