"""What a verification of a whole store comes to."""

from __future__ import annotations

from upheld.errors import RefusedError
from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.finding import Finding


class Verdict(Value):
    """``verified``, ``failed`` or ``unverified``, with what was and was not checked.

    It has no truth value of its own: ``if verdict:`` would hide the difference between "failed" and "could not check".

    Attributes:
        outcome: ``verified`` (everything checked, nothing wrong), ``failed`` (an error), ``unverified`` (nothing wrong
            in what could be checked, but something that matters could not be: an unsealed store, an empty one).
        findings: every fault, worst first.
        checked: counts of what was checked, as ``(label, number)``.
        not_checked: what was not checked, and why.
        keys: how many keys the store holds; refused: those that would be refused, sorted.
    """

    outcome: str
    findings: tuple[Finding, ...]
    checked: tuple[tuple[str, int], ...]
    not_checked: tuple[str, ...]
    keys: int
    refused: tuple[str, ...]
    as_of: str
    hypothetical: bool
    sealed: bool
    version: int | None = None

    def __bool__(self) -> bool:
        raise TypeError("a verdict has no truth value: ask for verdict.outcome, or call verdict.require()")

    def require(self) -> Verdict:
        """Return the verdict if it is ``verified``.

        Raises:
            RefusedError: it is not.
        """
        if self.outcome != "verified":
            raise RefusedError(f"the store is {self.outcome}", refusal=self)
        return self


def unread_verdict(finding: Finding, *, as_of: str, today: str) -> Verdict:
    """Return the verdict on a store that could not be read at all: ``failed``, and nothing checked."""
    return Verdict(
        outcome="failed",
        findings=(finding,),
        checked=(),
        not_checked=("everything: there is nothing to read",),
        keys=0,
        refused=(),
        as_of=as_of,
        hypothetical=as_of != today,
        sealed=False,
    )
