"""A draft: everything that somebody wants remembered, as the screen sees it, and what the screen says of it."""

from __future__ import annotations

from upheld.model.finding import Finding
from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from upheld.model.route import Rule

REFUSE = "refuse"
FLAG = "flag"
ALLOW = "allow"


class Text(Value):
    """One text of a draft: ``field`` says which (``text``, ``because``, ``evidence``, ``owner``, ...)."""

    field: str
    text: str


class CurrentInstruction(Value):
    """An instruction that is served today.

    Attributes:
        key: its key.
        text: the whole text that is served.
        read_when: its trigger sentence.
        fires: the examples that must fire it.
        rule: when it applies, in full; None where only the sentence and the examples are known.
    """

    key: str
    text: str
    read_when: str = ""
    fires: tuple[str, ...] = ()
    rule: Rule | None = None


class ScreenPolicy(Value):
    """What a store's policy says about the screen.

    Attributes:
        actions: pairs of a code and ``refuse``, ``flag`` or ``allow``, where they differ from the code's severity
            (an ``error`` refuses, a ``warning`` flags). ``screen-failed`` always refuses.
        allowed_characters: first and last code point of ranges that the character checks let through.
        limits: pairs of a field and its largest size in bytes of UTF-8; ``""`` is for every field not named.
        max_examples: how many examples one trigger may have.
        max_pending: how many proposals may wait.
        max_recent: how many proposals one proposer may make in the window that the caller counts (an hour).
    """

    actions: tuple[tuple[str, str], ...] = ()
    allowed_characters: tuple[tuple[int, int], ...] = ()
    limits: tuple[tuple[str, int], ...] = (
        ("text", 65_536),
        ("because", 2_000),
        ("evidence", 4_000),
        ("read_when", 500),
        ("example", 500),
        ("", 1_000),
    )
    max_examples: int = 64
    max_pending: int = 200
    max_recent: int = 30


class Draft(Value):
    """What the screen judges; every field is untrusted but ``policy`` and what the caller took from the store.

    Attributes:
        key: the key it would be written under.
        texts: every free text of the draft but those below.
        read_when: the trigger sentence; empty where the draft leaves it as it is.
        trigger: the words and patterns of structured matchers.
        examples: what must fire.
        counterexamples: what must not fire.
        current: the instructions that are served today, the one under ``key`` among them.
        served_fingerprints: ``policy.shingles.fingerprints`` of what was served to the proposer.
        rejected: ``policy.rejected.fingerprints`` of each text that a person rejected.
        pending: how many proposals wait.
        recent: how many this proposer made in the policy's window.
        would_fire: which keys a task would fire if the draft were approved; absent where no routing is at hand.
        policy: limits and actions.
    """

    key: str
    texts: tuple[Text, ...] = ()
    read_when: str = ""
    trigger: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    counterexamples: tuple[str, ...] = ()
    current: tuple[CurrentInstruction, ...] = ()
    served_fingerprints: frozenset[str] = frozenset()
    rejected: tuple[frozenset[str], ...] = ()
    pending: int = 0
    recent: int = 0
    would_fire: Callable[[str], Iterable[str]] | None = None
    policy: ScreenPolicy = ScreenPolicy()

    def every_text(self) -> tuple[Text, ...]:
        """Return each text with its dotted path: texts, trigger sentence, matchers, examples."""
        listed = (("trigger", self.trigger), ("examples", self.examples), ("counterexamples", self.counterexamples))
        more = tuple(Text(field=f"{name}[{n}]", text=text) for name, texts in listed for n, text in enumerate(texts))
        when = (Text(field="read_when", text=self.read_when),) if self.read_when else ()
        return (Text(field="key", text=self.key), *self.texts, *when, *more)


class Hit(Value):
    """What one check saw: a code, the field, what to show, and where in the field it stands (character offsets)."""

    code: str
    field: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    spans: tuple[tuple[int, int], ...] = ()


class Screened(Value):
    """One finding of the screen with what the policy makes of it: ``refuse`` or ``flag``."""

    action: str
    finding: Finding
    spans: tuple[tuple[int, int], ...] = ()


class Screening(Value):
    """What the screen says of one draft. Ask ``refused``: a screening has no truth value of its own.

    Attributes:
        results: every finding, those that refuse first.
        checked: the checks that ran to their end.
        not_checked: the checks that did not; where there is one, the draft is refused.
    """

    results: tuple[Screened, ...]
    checked: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether the draft may not be written at all."""
        return bool(self.not_checked) or not self.checked or any(r.action == REFUSE for r in self.results)

    @property
    def flagged(self) -> bool:
        """Whether a person should look twice."""
        return any(r.action == FLAG for r in self.results)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings alone, in the same order."""
        return tuple(r.finding for r in self.results)

    def spans(self, field: str) -> tuple[tuple[int, int], ...]:
        """Return what was marked in one field, to be cut out before the text is remembered anywhere."""
        return tuple(sorted(span for r in self.results if r.finding.path == field for span in r.spans))

    def __bool__(self) -> bool:
        raise TypeError("a screening has no truth value: ask .refused or .flagged")
