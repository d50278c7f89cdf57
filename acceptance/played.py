"""Play the day: every prompt in a session of its own, and what each came to."""

from __future__ import annotations

from acceptance.day import Prompt
from acceptance.judge import instruction_of, look, outcome, text_of
from acceptance.said import candidates_in, line_in
from acceptance.script import Step
from acceptance.world import Run, World
from upheld.model.value import Value


class Played(Value):
    """One prompt, played.

    Attributes:
        prompt: its id.
        expects: the key that governs it; empty where none does.
        outcome: one of `judge.OUTCOMES`; ``failed`` where the client did not run to its end.
        at: where the text arrived first: ``prompt`` or ``tool``; empty where none did.
        served: every key whose text arrived.
        offered: the keys that were offered for a choice.
        said: what Upheld said to the prompt, its first line.
        untrue: what arrived and is not current and verified.
        seconds: how long the client ran.
    """

    prompt: str
    expects: str
    outcome: str
    at: str = ""
    served: tuple[str, ...] = ()
    offered: tuple[str, ...] = ()
    said: str = ""
    untrue: tuple[str, ...] = ()
    seconds: float = 0.0


def play(world: World, prompt: Prompt, held: dict[str, str]) -> Played:
    """Type one prompt into a new session and judge what the model was sent."""
    return judged(prompt, world.ask(prompt.text, *steps_of(world, prompt)), held)


def steps_of(world: World, prompt: Prompt) -> tuple[Step, ...]:
    """What the model does after the prompt."""
    if prompt.shell:
        return (world.client.shell(prompt.shell),)
    if prompt.write:
        return (world.client.write(world.place.project / prompt.write, "one line\n"),)
    return ()


def judged(prompt: Prompt, run: Run, held: dict[str, str]) -> Played:
    """What one run came to."""
    sight = look([request.body for request in run.requests], held)
    first = text_of(run.turns[0].body) if run.turns else ""
    offered = candidates_in(first)
    ended = run.process.code == 0 and bool(run.turns)
    early = any(instruction_of(held[key]) in first for key in sight.served)
    return Played(
        prompt=prompt.name,
        expects=prompt.expects,
        outcome=outcome(prompt.expects, sight, line_in(first), offered) if ended else "failed",
        at=("prompt" if early else "tool") if sight.served else "",
        served=tuple(sorted(sight.served)),
        offered=tuple(sorted(offered)),
        said=line_in(first),
        untrue=sight.untrue,
        seconds=round(run.process.seconds, 2),
    )
