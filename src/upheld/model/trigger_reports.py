"""What the ``triggers`` commands report."""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.finding import Finding
    from upheld.model.route import Rule


class Shown(Value):
    """One trigger, as the admitted index and the file of examples hold it; and what is wrong with it."""

    rule: Rule
    findings: tuple[Finding, ...] = ()


class Linted(Value):
    """What is wrong with the triggers of a store: errors never fire or cannot be told apart, warnings are worth it."""

    findings: tuple[Finding, ...]
    rules: int

    @property
    def failed(self) -> bool:
        """Whether there is an error among them."""
        return any(finding.severity == "error" for finding in self.findings)


class Tuned(Value):
    """A route index that was built, and the limit that it was given.

    Attributes:
        file: where it lies; pointers, statements, size: what is in it, its bytes.
        limit: the probability from which a text alone matches; None where nothing was calibrated.
        chosen_now: whether the limit was chosen by this call; else an earlier one was kept.
        wanted, reached, low, high, coverage: shares: of wrong loads wanted, estimated, the ends of the estimate's 95 %
            interval, and of governed tasks matched by their text alone. None where nothing was chosen now.
        governed, ungoverned: how many held-out examples of each kind that rests on.
        needed: how many of each are needed.
        findings: pointers that could not be read, and triggers that never fire.
    """

    file: str
    pointers: int
    statements: int
    size: int
    limit: float | None
    chosen_now: bool
    wanted: float | None = None
    reached: float | None = None
    low: float | None = None
    high: float | None = None
    coverage: float | None = None
    governed: int = 0
    ungoverned: int = 0
    needed: int = 0
    findings: tuple[Finding, ...] = ()


class Counted(Value):
    """The counts of one trial of triggers, as ``routing.trial.Score`` has them."""

    should: int
    right: int
    ambiguous: int
    among: int
    should_not: int
    wrong: int
    unchecked: int
    coverage: float
    wrong_load: float
    confusions: tuple[tuple[str, str, int], ...] = ()


class Tried(Value):
    """What ``triggers test`` found.

    Attributes:
        total: all cases; keys: the cases of each key that had any.
        baseline: share of wrong loads and coverage that were stored before; None where none was.
        regressed: it is worse than the baseline in either.
        limit: the limit that texts were held to; None where none was calibrated.
        accepted: the file that now holds these shares as the baseline; empty where that was not asked for.
    """

    total: Counted
    keys: tuple[tuple[str, Counted], ...]
    baseline: tuple[float, float] | None = None
    regressed: bool = False
    limit: float | None = None
    accepted: str = ""
