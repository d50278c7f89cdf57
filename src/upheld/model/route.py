"""What routing takes and gives: the task at hand, the rules of a store, and the answer.

A *rule* is what a store says about when one key applies: its ``read_when`` sentence, its structured trigger and its
examples. The answer is ``match``, ``none``, ``ambiguous``, or ``unchecked`` when there was nothing to route with.
"""

from __future__ import annotations

from upheld.model.value import Value

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
    """

    key: str
    read_when: str
    trigger: Trigger | None = None
    fires: tuple[str, ...] = ()
    nots: tuple[str, ...] = ()


class Choice(Value):
    """One key that may apply, for whoever has to choose; never its text.

    Attributes:
        key: the key of the pointer.
        read_when: its sentence.
        why: what speaks for it.
    """

    key: str
    read_when: str
    why: str = ""


class Route(Value):
    """The answer.

    Attributes:
        outcome: ``match``, ``none``, ``ambiguous`` or ``unchecked``.
        keys: the keys to load: one or more for a match, else empty.
        why: the reason, in one line.
        choices: for ``ambiguous``, at most five keys to choose from, best first.
        skipped: patterns of the index that could not be read, and so never fired.
    """

    outcome: str
    keys: tuple[str, ...] = ()
    why: str = ""
    choices: tuple[Choice, ...] = ()
    skipped: tuple[str, ...] = ()
