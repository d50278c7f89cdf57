"""What may be written: a text that a recall would serve, and words that a record can hold."""

from __future__ import annotations

from upheld.checks.finding_of import finding_of
from upheld.checks.sources import MAX_BYTES
from upheld.errors import FaultError, UsageError
from upheld.model.answer import Refusal
from upheld.model.finding import Finding
from upheld.policy.opening import fault, mended
from upheld.wire.text import conflict_line, decode, forbidden

MAX_WORDS = 4096
"""The longest reason, evidence or trigger sentence, in characters."""
_PLACE = "the text"


def check_text(key: str, text: bytes, today: str) -> None:
    """Refuse a text that could not be served as it is meant.

    Raises:
        RefusedError: it is not UTF-8, too large, holds control characters or an unfinished merge, or its first served
            line is not the instruction; the refusal shows how to mend it.
    """
    findings = _findings(key, text)
    if findings:
        Refusal(key=key, findings=tuple(findings), as_of=today).require()


def _findings(key: str, data: bytes) -> list[Finding]:
    if len(data) > MAX_BYTES:
        facts = (("size", f"{len(data)} bytes, at most {MAX_BYTES}"),)
        return [Finding(code="STO005", place=_PLACE, keys=(key,), facts=facts)]
    try:
        text = decode(data, _PLACE)
    except FaultError as wrong:
        return [finding_of(wrong, key)]
    controls, conflict = forbidden(text), conflict_line(data)
    if controls:
        return [Finding(code="FMT009", place=_PLACE, keys=(key,), facts=(("detail", controls),))]
    if conflict:
        return [Finding(code="FMT011", place=_PLACE, keys=(key,), facts=(("detail", f"line {conflict}"),))]
    return _opening(key, text)


def _opening(key: str, text: str) -> list[Finding]:
    found = fault(text)
    if found is None:
        return []
    facts = [("line", str(found.line)), ("reads", found.shown[:200])]
    better = mended(text)
    if better is not None:
        facts.append(("mended", better.rstrip("\n") if len(better) <= 400 else better[:400] + "…"))
    return [Finding(code=found.code, place=_PLACE, keys=(key,), facts=tuple(facts))]


def check_words(**words: str | None) -> None:
    """Refuse words that a record or a pointer should not hold.

    Raises:
        UsageError: empty, too long, or with control characters.
    """
    for name, value in words.items():
        if value is None:
            continue
        option = f"--{name.replace('_', '-')}"
        if not value.strip():
            raise UsageError(f"{option} is empty", help=f"say it in a sentence: {option} '...'")
        if len(value) > MAX_WORDS:
            raise UsageError(f"{option} is longer than {MAX_WORDS} characters")
        if forbidden(value) or not value.isprintable():
            raise UsageError(f"{option} holds characters that cannot be shown", help="plain text on one line is wanted")
