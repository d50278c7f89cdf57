"""route: the verified text that governs a task, candidates to choose from, or none."""

from __future__ import annotations

from upheld.mcp.echoes import remember
from upheld.mcp.recall_tool import said as recalled
from upheld.mcp.resident import resident
from upheld.mcp.said import MAX_REASON, Said, failed, notices, refused
from upheld.model.answer import Refusal
from upheld.model.route import AMBIGUOUS, MATCH, NONE
from upheld.render.escape import bounded, escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from upheld.compose.library import Memory
    from upheld.mcp.desk import Caller, Desk
    from upheld.model.route import Routed

_SENTENCE = 300


def run(desk: Desk, caller: Caller, arguments: dict[str, Any]) -> Said:
    """Route one task and load what matches."""
    memory = desk.open()
    outcome = _routed(memory, arguments)
    if not isinstance(outcome, Refusal):
        remember(memory.path, outcome.loaded)
    return _said(outcome)


def _routed(memory: Memory, arguments: dict[str, Any]) -> Routed | Refusal:
    """Route it, by the sense of the text as well where the extra is installed: one router is kept in this process."""
    at_hand = {name: tuple(arguments.get(name, ())) for name in ("paths", "tools", "commands")}
    return memory.route(arguments["task"], **at_hand, load=True, semantic=resident())


def _said(outcome: Routed | Refusal) -> Said:
    if isinstance(outcome, Refusal):
        return refused(outcome)
    if outcome.outcome == MATCH:
        return _matched(outcome)
    why = bounded(outcome.why, MAX_REASON)
    if outcome.outcome == NONE:
        text = f"none: nothing in this store governs the task ({why})\n"
        return Said(fields={"outcome": "none", "why": why, **notices(outcome.notices)}, text=text)
    if outcome.outcome == AMBIGUOUS:
        return _choice(outcome, why)
    help_ = "tell the user to run `upheld triggers build`; until then recall by a key from `index`"
    return failed("unchecked", f"the task was not checked against the memory: {why}", help_)


def _choice(outcome: Routed, why: str) -> Said:
    candidates = [{"key": escape(one.key), "read_when": bounded(one.read_when, _SENTENCE)} for one in outcome.choices]
    lines = [f"{one['key']}: {one['read_when']}" for one in candidates]
    text = "\n".join([f"ambiguous: nothing is loaded ({why}); recall the one that applies, if any:", *lines]) + "\n"
    fields = {"outcome": "ambiguous", "why": why, "candidates": candidates, **notices(outcome.notices)}
    return Said(fields=fields, text=text)


def _matched(outcome: Routed) -> Said:
    """Say what was loaded. One refused key makes the whole an error: what governs the task is not known then."""
    said = [recalled(one) for one in outcome.loaded]
    why, keys = bounded(outcome.why, MAX_REASON), [escape(key) for key in outcome.keys]
    bad = [one for one in said if one.is_error]
    if bad:
        fields = {**bad[0].fields, "why": why, "keys": keys}
        return Said(fields=fields, text="".join(one.text for one in bad), is_error=True)
    text = "".join(one.text for one in said)
    fields = {"outcome": "match", "why": why, "keys": keys, "text": text, **notices(outcome.notices)}
    return Said(fields=fields, text=text)
