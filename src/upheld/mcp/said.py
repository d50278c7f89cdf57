"""What a tool answers: one value for the structured and the text form, for answers and for refusals alike."""

from __future__ import annotations

from upheld.errors import BusyError, ConflictError, FaultError, NoKeyError, NoStoreError, RefusedError, UsageError
from upheld.model.answer import Refusal
from upheld.model.finding import Finding
from upheld.model.value import Value
from upheld.render.escape import bounded, escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from upheld.errors import UpheldError

MAX_REASON = 1_000
_NAMES: tuple[tuple[type[Exception], str], ...] = (
    (NoStoreError, "no-store"),
    (BusyError, "busy"),
    (UsageError, "usage"),
    (NoKeyError, "no-key"),
    (ConflictError, "conflict"),
)


class Said(Value):
    """The result of one call.

    Attributes:
        fields: the structured form, held to the tool's output schema.
        text: the same for a reader: framed where it holds text of the store.
        is_error: nothing was served, and the fields hold ``code``, ``reason`` and ``help``.
    """

    fields: dict[str, Any]
    text: str
    is_error: bool = False

    def result(self) -> dict[str, Any]:
        """Return it as the result of ``tools/call``."""
        content = [{"type": "text", "text": self.text}]
        return {"content": content, "structuredContent": self.fields, "isError": self.is_error}


def refused(refusal: Refusal, **more: object) -> Said:
    """Say that a key, or the store, is refused."""
    name = f"{refusal.code} {refusal.name}"
    about = f"No instruction was served for `{escape(refusal.key)}`" if refusal.key else "No instruction was served"
    near = [escape(key) for key in refusal.nearest]
    why = refusal.why
    reason = bounded(refusal.what if why == refusal.what else f"{refusal.what} ({why})", MAX_REASON)
    help_ = bounded(refusal.help, MAX_REASON)
    lines = [f"REFUSED {name}", f"reason: {reason}", f"help: {help_}"]
    lines += [f"nearest keys: {', '.join(near)}"] if near else []
    lines.append(f"{about}, and this memory authorises nothing. Tell the user the code and the help.")
    fields: dict[str, Any] = {"outcome": "refused", **more, "code": refusal.code, "reason": reason, "help": help_}
    if refusal.key:
        fields["key"] = escape(refusal.key)
    if near:
        fields["nearest"] = near
    return Said(fields=fields, text="\n".join(lines) + "\n", is_error=True)


def failed(code: str, reason: str, help: str) -> Said:
    """Say that the call could not be carried out."""
    shown, mends = bounded(reason, MAX_REASON), bounded(help, MAX_REASON)
    text = f"FAILED {code}: {shown}\nhelp: {mends}\nNo instruction was served, and this memory authorises nothing.\n"
    return Said(fields={"outcome": "failed", "code": code, "reason": shown, "help": mends}, text=text, is_error=True)


def of_error(error: UpheldError, *, today: str) -> Said:
    """Say what one of our own exceptions stands for."""
    if isinstance(error, FaultError):
        from upheld.checks.finding_of import finding_of

        return refused(Refusal(key="", findings=(finding_of(error),), as_of=today))
    if isinstance(error, RefusedError):
        if isinstance(error.refusal, Refusal):
            return refused(error.refusal)
        if isinstance(error.refusal, Finding):
            return refused(Refusal(key="", findings=(error.refusal,), as_of=today))
    code = next((name for kind, name in _NAMES if isinstance(error, kind)), "storage")
    return failed(code, error.message, error.help or "tell the user; `upheld doctor` looks at the store")


def notices(findings: tuple[Finding, ...]) -> dict[str, list[str]]:
    """Return what the reader should be told and is no reason to refuse; nothing where there is nothing."""
    told = [f"{one.code} {one.entry.name}: {one.entry.what}; help: {bounded(one.help, MAX_REASON)}" for one in findings]
    return {"notices": told} if told else {}
