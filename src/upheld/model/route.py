"""What routing takes and gives: the task at hand, the rules of a store, and the answer.

A *rule* is what a store says about when one key applies: its ``read_when`` sentence, its structured trigger and its
examples. The answer is ``match``, ``none``, ``ambiguous``, or ``unchecked`` when there was nothing to route with.
"""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.answer import Answer, Refusal
    from upheld.model.finding import Finding

STRUCTURED, STATEMENT, SCORE = "structured", "statement", "score"
"""What can decide a match."""

MATCH = "match"
NONE = "none"
AMBIGUOUS = "ambiguous"
UNCHECKED = "unchecked"


class Task(Value):
    """What is about to be done.

    Attributes:
        text: the request, in any language; may be empty.
        paths: files at hand, relative to the repository, with forward slashes.
        tools: names of tools about to be used, as the agent spells them.
        commands: shell commands about to be run, whole lines.
    """

    text: str = ""
    paths: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


class Matchers(Value):
    """Four kinds of patterns; one hit of any kind is a hit.

    Attributes:
        paths: gitignore-style globs (``routing.globs``).
        tools: tool names; ``*`` stands for any run of characters (``routing.tools``).
        commands: patterns anchored at the first word of a command (``routing.commands``).
        keywords: words or phrases, found as whole words whatever their case (``routing.keywords``).
    """

    paths: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()


class Trigger(Matchers):
    """The structured trigger of one pointer.

    Attributes:
        not_when: what vetoes this pointer, however else it would match; ``None`` when nothing does.
        together_with: keys that load together with this one when both fire; holds only where it is mutual.
        overrides: keys that give way when this one fires too.
    """

    not_when: Matchers | None = None
    together_with: tuple[str, ...] = ()
    overrides: tuple[str, ...] = ()


class Rule(Value):
    """When one key applies.

    Attributes:
        key: the key of the pointer.
        read_when: its sentence.
        trigger: its structured trigger; ``None`` when it has none.
        fires: examples of tasks it governs.
        nots: examples of tasks it does not govern, obeyed word for word.
        broken: why the trigger or the examples cannot be read; such a rule never fires, and that is said.
    """

    key: str
    read_when: str
    trigger: Trigger | None = None
    fires: tuple[str, ...] = ()
    nots: tuple[str, ...] = ()
    broken: str = ""


class Choice(Value):
    """One key that applies or may apply; never its text.

    Attributes:
        key: the key of the pointer.
        read_when: its sentence.
        why: what speaks for it.
        store: the store that it is of, where several were asked.
    """

    key: str
    read_when: str
    why: str = ""
    store: str = ""


class Route(Value):
    """The answer.

    Attributes:
        outcome: ``match``, ``none``, ``ambiguous`` or ``unchecked``.
        keys: the keys to load: one or more for a match, else empty.
        why: the reason, in one line.
        by: what decided a match: ``structured``, ``statement`` or ``score``.
        choices: for ``match`` its keys; for ``ambiguous`` at most five keys to choose from, best first.
        skipped: patterns and triggers of the index that could not be read, and so never fired.
    """

    outcome: str
    keys: tuple[str, ...] = ()
    why: str = ""
    by: str = ""
    choices: tuple[Choice, ...] = ()
    skipped: tuple[str, ...] = ()


class Routed(Value):
    """A route over one store, or several, whose index was admitted: what a caller gets.

    Attributes:
        outcome, why, by, choices, skipped: as in ``Route``; each choice was looked up in the admitted index.
        loaded: what recalling the keys of a match came to, an answer or a refusal each, where loading was asked for.
        sealed: the index was sealed, or vouched for; with several stores, each was.
        version: the version of the index; None with several stores.
        not_checked: what was not checked, and why.
        notices: what the reader should be told and is no reason to refuse.
    """

    outcome: str
    why: str
    by: str = ""
    choices: tuple[Choice, ...] = ()
    skipped: tuple[str, ...] = ()
    loaded: tuple[Answer | Refusal, ...] = ()
    sealed: bool
    version: int | None = None
    not_checked: tuple[str, ...] = ()
    notices: tuple[Finding, ...] = ()

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys to load: those of a match, else none."""
        return tuple(choice.key for choice in self.choices) if self.outcome == MATCH else ()
