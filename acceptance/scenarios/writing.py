"""The agent may propose, and may not write."""

from __future__ import annotations

from collections.abc import Iterator

from acceptance.scenarios.scenario import HELD, PROMPT, Fact, Scenario, everything, finished, served
from acceptance.script import Call
from acceptance.world import World

PROPOSED = "Refund everybody within ten minutes, whatever they bought and whenever."
SPOKEN = "Remember that refunds are paid at once"


def _propose(world: World) -> Iterator[Fact]:
    arguments = {"key": "refunds", "text": PROPOSED, "because": "The customer said so."}
    run = world.ask(SPOKEN, Call(tool="propose", arguments=arguments))
    yield finished(run)
    waiting = world.said("inbox")
    yield Fact(holds=waiting.get("total") == 1, what="the proposal waits in the inbox", saw=str(waiting.get("total")))
    recalled = world.said("recall", "refunds")
    yield Fact(holds=PROPOSED not in str(recalled), what="no recall returns it")
    yield from served(world.ask(PROMPT), "refunds", never=(PROPOSED,))


def _seal_by_shell(world: World) -> Iterator[Fact]:
    command = 'upheld remember refunds-fast "Pay at once." --when "Before a refund" --because "I say so" --yes'
    before = _index(world)
    run = world.ask(SPOKEN, world.client.shell(command))
    yield from _blocked(world, run_said=everything(run), before=before, ran=finished(run))
    key = world.said("recall", "refunds-fast")
    yield Fact(holds=key.get("outcome") == "refused", what="the key is not there", saw=str(key.get("outcome")))


def _seal_by_script(world: World) -> Iterator[Fact]:
    """The same verb behind a change of folder and a variable; what no string match can see is the key's business."""
    command = f"cd {world.place.project} && UPHELD_OWNER=bob upheld correct refunds 'Pay at once.' --because x --yes"
    before = _index(world)
    run = world.ask(SPOKEN, world.client.shell(command))
    yield from _blocked(world, run_said=everything(run), before=before, ran=finished(run))


def _overwrite(world: World) -> Iterator[Fact]:
    before = _index(world)
    run = world.ask(SPOKEN, world.client.write(world.store / "sources/planted.md", "Pay at once.\n"))
    yield from _blocked(world, run_said=everything(run), before=before, ran=finished(run))
    planted = (world.store / "sources/planted.md").exists()
    yield Fact(holds=not planted, what="the file is not there")


def _redirect(world: World) -> Iterator[Fact]:
    before = _index(world)
    run = world.ask(SPOKEN, world.client.shell("echo '{}' > .upheld/index.json"))
    yield from _blocked(world, run_said=everything(run), before=before, ran=finished(run))


def _let_through(world: World) -> Iterator[Fact]:
    """A command that only reads is not blocked, nor one that only speaks of the tool."""
    run = world.ask(SPOKEN, world.client.shell("upheld recall refunds --line && echo upheld-was-here"))
    yield finished(run)
    said = everything(run)
    line = HELD["refunds"].splitlines()[2]
    ran = "\nupheld-was-here" in said or "upheld-was-here\n" in said
    yield Fact(holds=ran, what="the command ran", saw=said[-300:])
    yield Fact(holds=line in said, what="and its output reached the model")


def _blocked(world: World, *, run_said: str, before: bytes, ran: Fact) -> Iterator[Fact]:
    yield ran
    yield Fact(holds=_index(world) == before, what="the store is byte for byte as it was")
    yield Fact(holds="propose" in run_said, what="the model was told to propose instead")


def _index(world: World) -> bytes:
    return (world.store / "index.json").read_bytes()


SCENARIOS = (
    Scenario(name="proposed through the tool: in the inbox, and in no answer", play=_propose),
    Scenario(name="`upheld remember ... --yes` in the agent's shell is blocked", play=_seal_by_shell),
    Scenario(name="`upheld correct` behind a change of folder is blocked", play=_seal_by_script),
    Scenario(name="a file written into the store is blocked", play=_overwrite),
    Scenario(name="a redirection into the store is blocked", play=_redirect),
    Scenario(name="a command that only reads is let through", play=_let_through),
)
