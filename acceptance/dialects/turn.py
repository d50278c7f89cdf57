"""What every dialect has in common: which tools a request offers, which calls it answers, and what is said to it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from acceptance.script import Call, Script
from upheld.model.value import Value


class Offer(Value):
    """A tool that a client offers.

    Attributes:
        name: as the client spells it.
        namespace: the group that Codex puts a server's tools into, or nothing.
        freeform: it takes text and no JSON.
        finds: it is how the client brings tools that it does not offer at once.
    """

    name: str
    namespace: str = ""
    freeform: bool = False
    finds: bool = False


class Turn(Value):
    """One request, as far as the script needs it.

    Attributes:
        model: the model that it asks for.
        offers: its tools, in its order.
        answered: the ids of the calls whose results it holds.
        stream: events are wanted, not one document.
    """

    model: str
    offers: tuple[Offer, ...]
    answered: frozenset[str]
    stream: bool


class Reply(Value):
    """What the model says to one request: a call where ``offer`` is given, words otherwise."""

    text: str = ""
    offer: Offer | None = None
    arguments: Mapping[str, Any] | str = ""
    call_id: str = ""


class Written(Value):
    """Bytes for the client, and what they are."""

    content_type: str
    body: bytes


class Dialect(Protocol):
    """One wire format."""

    def read(self, path: str, body: Mapping[str, Any]) -> Turn | None:
        """Read a request; nothing where the path asks for something else than an answer."""
        ...

    def write(self, turn: Turn, reply: Reply) -> Written:
        """Write what the model says."""
        ...


def choose(script: Script, turn: Turn) -> Reply:
    """What the script says to this request.

    A request without tools is a side request of the client's own (a title, a guess at the topic): it gets plain words
    and takes no step of the script.
    """
    if not turn.offers:
        return Reply(text="Done.")
    number, step = script.next_step(turn.answered)
    if not isinstance(step, Call):
        return Reply(text=step.text)
    offer = _offered(step.tool, turn.offers)
    if offer is None:
        return _search(step.tool, f"{script.call_id(number)}_search", turn)
    return Reply(offer=offer, arguments=step.arguments, call_id=script.call_id(number))


def _search(tool: str, call_id: str, turn: Turn) -> Reply:
    """Look for a tool that is not offered, as a model does where the client keeps tools back; once."""
    finder = next((offer for offer in turn.offers if offer.finds), None)
    if finder is None or call_id in turn.answered:
        return Reply(text=f"NO TOOL {tool}")
    return Reply(offer=finder, arguments={"query": tool}, call_id=call_id)


def _offered(wanted: str, offers: Iterable[Offer]) -> Offer | None:
    known = tuple(offers)
    exact = (offer for offer in known if offer.name == wanted)
    near = (offer for offer in known if wanted in offer.name or wanted in f"{offer.namespace}__{offer.name}")
    return next(exact, None) or next(near, None)


def document(value: object) -> Written:
    """One JSON document."""
    return Written(content_type="application/json", body=json.dumps(value).encode())


def events(values: Iterable[Mapping[str, Any]], *, named: bool) -> Written:
    """Server-sent events, each with its type as the event's name where the dialect wants that."""
    parts = [_event(value, named) for value in values]
    return Written(content_type="text/event-stream", body="".join(parts).encode())


def _event(value: Mapping[str, Any], named: bool) -> str:
    head = f"event: {value['type']}\n" if named else ""
    return f"{head}data: {json.dumps(value)}\n\n"
