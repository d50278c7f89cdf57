"""Values as plain dictionaries, for every format that is made of JSON. Nothing is escaped or cut here."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.answer import Answer, Refusal
    from upheld.model.finding import Finding
    from upheld.model.verdict import Verdict


def answer(answer: Answer) -> dict[str, object]:
    """Return an answer as plain values."""
    return {
        "outcome": answer.outcome,
        "hypothetical": answer.hypothetical,
        "key": answer.key,
        "read_when": answer.read_when,
        "instruction": answer.instruction,
        "text": answer.text,
        "source": answer.source,
        "source_sha256": answer.source_sha256,
        "record_id": answer.record_id,
        "last_verified": answer.last_verified,
        "review_on": answer.review_on,
        "expires_on": answer.expires_on,
        "as_of": answer.as_of,
        "sealed": answer.sealed,
        "version": answer.version,
        "checked": answer.checked,
        "not_checked": answer.not_checked,
        "notices": [_notice(notice) for notice in answer.notices],
    }


def refusal(refusal: Refusal) -> dict[str, object]:
    """Return a refusal as plain values."""
    made: dict[str, object] = {
        "outcome": refusal.outcome,
        "hypothetical": refusal.hypothetical,
        "key": refusal.key,
        "code": refusal.code,
        "name": refusal.name,
        "what": refusal.what,
        "why": refusal.why,
        "help": refusal.help,
        "as_of": refusal.as_of,
        "findings": [finding(found) for found in refusal.findings],
    }
    if refusal.nearest:
        made["nearest"] = refusal.nearest
    if refusal.owner:
        made["owner"] = refusal.owner
    return made


def verdict(verdict: Verdict) -> dict[str, object]:
    """Return a verdict as plain values."""
    return {
        "outcome": verdict.outcome,
        "hypothetical": verdict.hypothetical,
        "as_of": verdict.as_of,
        "sealed": verdict.sealed,
        "version": verdict.version,
        "keys": verdict.keys,
        "refused": verdict.refused,
        "checked": dict(verdict.checked),
        "not_checked": verdict.not_checked,
        "findings": [finding(found) for found in verdict.findings],
    }


def finding(finding: Finding) -> dict[str, object]:
    """Return a finding as plain values."""
    from upheld.render.finding import effect

    entry = finding.entry
    return {
        "code": entry.code,
        "name": entry.name,
        "severity": entry.severity,
        "what": entry.what,
        "place": finding.place,
        "path": finding.path,
        "keys": finding.keys,
        "facts": [{"label": label, "text": shown} for label, shown in finding.facts],
        "cause": finding.cause,
        "effect": effect(finding),
        "help": finding.help,
    }


def _notice(notice: Finding) -> dict[str, object]:
    return {"code": notice.code, "name": notice.entry.name, "what": notice.entry.what, "help": notice.help}
