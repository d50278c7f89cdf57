"""What a session begins with, goes on with, and never gets twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from acceptance.judge import text_of
from acceptance.scenarios.scenario import HELD, KEPT, PROMPT, Fact, Scenario, everything, finished, first, served, sight
from acceptance.script import Call
from acceptance.world import World

PLUGIN = Path(__file__).parent.parent.parent / "plugins/claude"
_WHEN = tuple(one.options[1] for one in KEPT)


def _index(world: World) -> Iterator[Fact]:
    run = world.ask("What is in README.md?")
    yield from served(run)
    yield from _listed(first(run))


def _listed(text: str) -> Iterator[Fact]:
    missing = [key for key in HELD if key not in text]
    yield Fact(holds=not missing, what="every key was named", saw=", ".join(missing))
    missing = [when for when in _WHEN if when not in text]
    yield Fact(holds=not missing, what="with when to read it", saw=", ".join(missing))


def _resumed(world: World) -> Iterator[Fact]:
    yield finished(world.ask("What is in README.md?"))
    run = world.ask(PROMPT, resume=True, tag="b")
    yield from served(run, "refunds")
    yield from _listed(first(run))


def _compacted(world: World) -> Iterator[Fact]:
    yield from served(world.ask(PROMPT), "refunds")
    yield finished(world.ask("/compact", resume=True, tag="b"))
    run = world.ask("Go on.", resume=True, tag="c")
    yield finished(run)
    yield from _listed(first(run))


def _once(world: World) -> Iterator[Fact]:
    world.connect_twice()
    run = world.ask(PROMPT)
    yield from served(run, "refunds")
    most = sight(run).most.get("refunds", 0)
    yield Fact(holds=most == 1, what="the text arrived once", saw=f"{most} times")


def _valid(world: World) -> Iterator[Fact]:
    for folder in (PLUGIN, PLUGIN.parent):
        said = world.client_says("plugin", "validate", str(folder))
        yield Fact(holds=said.code == 0, what=f"{folder.name} is valid", saw=(said.out + said.err)[-300:])


def _plugin(world: World) -> Iterator[Fact]:
    """The plugin's hooks and server beside those of the settings; then the plugin alone."""
    both = world.ask(PROMPT, plugin=str(PLUGIN))
    yield from served(both, "refunds")
    most = sight(both).most.get("refunds", 0)
    yield Fact(holds=most == 1, what="the text arrived once", saw=f"{most} times")
    named = first(both).count(f"  refunds: {_WHEN[0]}")
    yield Fact(holds=named == 1, what="and the index too", saw=f"{named} times")
    world.upheld("disconnect", "claude", "--yes")
    alone = world.ask(PROMPT, Call(tool="recall", arguments={"key": "deploy-window"}), plugin=str(PLUGIN))
    yield from served(alone, "deploy-window", "refunds")


def _before_a_tool(world: World) -> Iterator[Fact]:
    run = world.ask("CI is green.", world.client.shell("make deploy"))
    yield from served(run, "deploy-window")
    early = HELD["deploy-window"].splitlines()[2] in first(run)
    yield Fact(holds=not early, what="only once the command was at hand")


def _subagent(world: World) -> Iterator[Fact]:
    run = world.ask("Ask a colleague.", Call(tool="Agent", arguments=_TASK))
    yield finished(run)
    own = [request for request in run.turns if _TASK["prompt"] in text_of(request.body)]
    told = [request for request in own if all(key in text_of(request.body) for key in HELD)]
    yield Fact(holds=bool(told), what="the subagent's first request names every key", saw=f"{len(own)} requests")


_TASK = {
    "description": "look around",
    "prompt": "Look around in the project and say what you see.",
    "subagent_type": "general-purpose",
}


def _chosen(world: World) -> Iterator[Fact]:
    run = world.ask("What is in README.md?", Call(tool="recall", arguments={"key": "refunds"}))
    yield from served(run, "refunds")


def _unknown(world: World) -> Iterator[Fact]:
    run = world.ask("What is in README.md?", Call(tool="recall", arguments={"key": "refund"}))
    yield from served(run)
    yield Fact(holds="PTR001" in everything(run), what="the refusal said PTR001")


SCENARIOS = (
    Scenario(name="a session starts with the compact index and no text", play=_index),
    Scenario(name="a resumed session has the index and the text", play=_resumed),
    Scenario(name="after a compaction the index is back", play=_compacted, clients=("claude",)),
    Scenario(name="connected twice, injected once", play=_once),
    Scenario(name="the client finds the plugin valid", play=_valid, clients=("claude",)),
    Scenario(name="the plugin beside the settings, and alone", play=_plugin, clients=("claude",)),
    Scenario(name="a command's instruction arrives before the tool's result is used", play=_before_a_tool),
    Scenario(name="a subagent starts with the index", play=_subagent, clients=("claude",)),
    Scenario(name="a recall through the tool", play=_chosen),
    Scenario(name="a recall of a key that does not exist is a refusal", play=_unknown),
)
