"""What a client asked and what we answer, free of any client's dialect."""

from __future__ import annotations

from upheld.model.value import Value

SESSION_START, PROMPT, BEFORE_TOOL, SUBAGENT_START = "session-start", "prompt", "before-tool", "subagent-start"
EVENTS = (SESSION_START, PROMPT, BEFORE_TOOL, SUBAGENT_START)


class Asked(Value):
    """One event, as its client told it.

    Attributes:
        client, event: which client, and one of ``EVENTS``.
        session: the client's name for the session, the same in every hook file that one client reads; may be empty.
        turn: the client's name for this one event (a prompt's or a tool call's id); empty where it gives none.
        source: why a session starts (``startup``, ``resume``, ``clear``, ``compact``).
        agent: the subagent that this happens in; empty for the main one.
        cwd: where the agent stands; folders: where to look for the store, first to last.
        prompt: what the person typed.
        tool: the tool about to be used, as the client spells it; ``given`` its input.
    """

    client: str
    event: str
    session: str = ""
    turn: str = ""
    source: str = ""
    agent: str = ""
    cwd: str = ""
    folders: tuple[str, ...] = ()
    prompt: str = ""
    tool: str = ""
    given: dict[str, object] = {}  # noqa: RUF012 - a default of a frozen value, never written to


class Said(Value):
    """What goes back to the client, and what is noted about it.

    Attributes:
        context: text for the model.
        deny: why a tool must not be used.
        block: why the prompt must not go on, where the store's policy wants that.
        note: what a person is told by a client that takes no text for the model at this event.
        outcome: one word for the log.
        code: the code of a refusal or fault.
        keys: the keys that the outcome is about.
        given: key and digest of each text that stands in ``context``.
        texts: the texts themselves, for what is remembered of them.
    """

    context: str = ""
    deny: str = ""
    block: str = ""
    note: str = ""
    outcome: str = "silent"
    code: str = ""
    keys: tuple[str, ...] = ()
    given: tuple[tuple[str, str], ...] = ()
    texts: tuple[str, ...] = ()
