"""What a recall comes to: an answer, or a refusal. Both are values; ``require()`` raises only when it is asked to."""

from __future__ import annotations

from upheld.errors import RefusedError
from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.finding import Finding


class Answer(Value):
    """One instruction, read from the source that owns it, after every check.

    Attributes:
        outcome: ``verified``; or ``unsealed`` where nothing says who wrote the store (read with ``--unsealed``).
        hypothetical: judged as of another day than today; never to be acted on.
        instruction: the article's line, the first that is neither blank nor a heading.
        text: the whole text, decoded from exactly the bytes whose digest was checked.
        checked: what was verified, in order; not_checked: what was not, and why.
        notices: what the reader should be told and is no reason to refuse.
    """

    outcome: str
    hypothetical: bool
    key: str
    read_when: str
    instruction: str
    text: str
    source: str
    source_sha256: str
    record_id: str
    last_verified: str | None
    review_on: str
    expires_on: str
    as_of: str
    sealed: bool
    version: int | None
    checked: tuple[str, ...]
    not_checked: tuple[str, ...]
    notices: tuple[Finding, ...] = ()

    def require(self) -> Answer:
        """Return the answer itself: it is one."""
        return self


class Refusal(Value):
    """A governed "no": why one key is not served, and how to mend it.

    Attributes:
        findings: every fault found, worst first; the first one gives the refusal its code.
        nearest: for an unknown key, the keys that look most like it.
        owner: whom to ask, where the store says so.
    """

    key: str
    findings: tuple[Finding, ...]
    as_of: str
    hypothetical: bool = False
    nearest: tuple[str, ...] = ()
    owner: str = ""
    outcome: str = "refused"

    @property
    def code(self) -> str:
        """The code of the worst finding."""
        return self.findings[0].code

    @property
    def name(self) -> str:
        """The code's name."""
        return self.findings[0].entry.name

    @property
    def what(self) -> str:
        """What is wrong, in one sentence."""
        return self.findings[0].entry.what

    @property
    def why(self) -> str:
        """What was found, where, in one sentence."""
        worst = self.findings[0]
        where = f"{worst.place}: {worst.path}" if worst.place and worst.path else worst.place or worst.path
        parts = [where] if where else []
        parts += [f"{label} {text}" for label, text in worst.facts]
        if worst.cause:
            parts.append(worst.cause)
        return "; ".join(parts) or worst.entry.what

    @property
    def help(self) -> str:
        """What mends it."""
        return self.findings[0].help

    def require(self) -> Answer:
        """Raise.

        Raises:
            RefusedError: always; it carries this refusal.
        """
        raise RefusedError(f"{self.code} {self.name}: {self.what} ({self.why})", refusal=self, help=self.help)
