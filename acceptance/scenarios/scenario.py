"""What a scenario is: a world, some runs in it, and facts about them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from acceptance.day import Instruction
from acceptance.judge import Sight, look, text_of
from acceptance.world import Run, World
from upheld.model.value import Value

CLIENTS = ("claude", "codex", "gemini")


class Fact(Value):
    """One thing that was looked at.

    Attributes:
        holds: it is as it must be.
        what: what must be, as a sentence.
        saw: what was seen, where that helps.
    """

    holds: bool
    what: str
    saw: str = ""


class Scenario(Value):
    """One scenario.

    Attributes:
        name: its name.
        play: runs it in a fresh world and yields what it found.
        clients: those that can do it headless.
    """

    name: str
    play: Callable[[World], Iterator[Fact]]
    clients: tuple[str, ...] = CLIENTS


KEPT = (
    Instruction(
        key="refunds",
        text="# Refunds\n\nOffer a full refund within 30 days of the purchase without asking for a reason.\n",
        options=(
            "--when",
            "Before answering a refund request",
            "--because",
            "Our own terms.",
            "--fires",
            "Handle the refund for order 5521",
        ),
    ),
    Instruction(
        key="deploy-window",
        text="# Deploying\n\nDeploy to production on weekdays before 15:00 UTC, with a second person online.\n",
        options=(
            "--when",
            "Before deploying to production",
            "--because",
            "Agreed in the operations review.",
            "--command",
            "make deploy",
        ),
    ),
)
"""What the worlds of the scenarios hold."""
HELD: Mapping[str, str] = {one.key: one.text for one in KEPT}
PROMPT = "Handle the refund for order 5521"
"""A prompt that `refunds` governs beyond doubt: it is one of its examples."""


def sight(run: Run, held: Mapping[str, str] = HELD, never: tuple[str, ...] = ()) -> Sight:
    """What all requests of a run held."""
    return look([request.body for request in run.requests], held, never)


def first(run: Run) -> str:
    """The texts of the agent's first request."""
    return text_of(run.turns[0].body) if run.turns else ""


def everything(run: Run) -> str:
    """The texts of all requests of a run."""
    return "\n".join(text_of(request.body) for request in run.requests)


def finished(run: Run) -> Fact:
    """The client ended by itself, without a fault, and asked its model something."""
    good = run.process.code == 0 and bool(run.turns)
    return Fact(holds=good, what="the client ran to its end", saw="" if good else _complaint(run))


def served(run: Run, *keys: str, held: Mapping[str, str] = HELD, never: tuple[str, ...] = ()) -> Iterator[Fact]:
    """Exactly these current texts arrived, and nothing that is not current and verified."""
    saw = sight(run, held, never)
    named = ", ".join(keys) or "no instruction"
    yield finished(run)
    yield Fact(holds=saw.served == set(keys), what=f"{named} arrived, and no other", saw=", ".join(sorted(saw.served)))
    yield Fact(holds=not saw.untrue, what="nothing that is not current and verified", saw="; ".join(saw.untrue))


def refused(run: Run, *codes: str, never: tuple[str, ...] = ()) -> Iterator[Fact]:
    """The refusal arrived, with one of these codes, and no text did: neither the genuine one nor a changed one."""
    yield from served(run, never=never)
    said = everything(run)
    seen = sorted({code for code in codes if code in said})
    yield Fact(holds=bool(seen), what=f"the refusal said {' or '.join(codes)}", saw=", ".join(seen))
    yield Fact(holds="[upheld] REFUSED" in said, what="and called itself a refusal")


def _complaint(run: Run) -> str:
    return f"exit {run.process.code}: {(run.process.err or run.process.out)[-300:]}"
