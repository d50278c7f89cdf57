"""What a command did, or would do, where there is nothing else to show."""

from __future__ import annotations

from upheld.model.value import Value


class Done(Value):
    """One act.

    Attributes:
        what: the act in one sentence.
        facts: what came of it, as label and text.
        notes: what should be known besides.
        dry_run: nothing was written.
    """

    what: str
    facts: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    dry_run: bool = False
