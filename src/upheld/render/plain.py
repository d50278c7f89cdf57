"""Values as plain dictionaries, for every format that is made of JSON. Nothing is escaped or cut here."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.answer import Answer, Refusal
    from upheld.model.done import Done
    from upheld.model.finding import Finding
    from upheld.model.history import History, Version
    from upheld.model.log_view import LogView
    from upheld.model.page import Page
    from upheld.model.receipt_check import ReceiptCheck
    from upheld.model.route import Routed
    from upheld.model.trust_view import TrustView
    from upheld.model.trusted import Head
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


def routed(routed: Routed) -> dict[str, object]:
    """Return a route as plain values."""
    return {
        "outcome": routed.outcome,
        "keys": routed.keys,
        "why": routed.why,
        "by": routed.by or None,
        "choices": [
            {"key": one.key, "read_when": one.read_when, "why": one.why, "store": one.store or None}
            for one in routed.choices
        ],
        "loaded": [answer(one) if one.outcome != "refused" else refusal(one) for one in routed.loaded],  # type: ignore[arg-type]
        "never_fires": routed.skipped,
        "sealed": routed.sealed,
        "version": routed.version,
        "not_checked": routed.not_checked,
        "notices": [_notice(notice) for notice in routed.notices],
    }


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


def history(history: History) -> dict[str, object]:
    """Return a key's versions as plain values."""
    return {
        "outcome": history.outcome,
        "hypothetical": history.hypothetical,
        "as_of": history.as_of,
        "key": history.key,
        "retired": history.retired,
        "renamed_to": history.renamed_to,
        "sealed": history.sealed,
        "not_checked": history.not_checked,
        "versions": [_version(version) for version in history.versions],
        "findings": [finding(found) for found in history.findings],
    }


def _version(version: Version) -> dict[str, object]:
    return {
        "record_id": version.record_id,
        "record": version.place,
        "record_sha256": version.sha256,
        "status": version.status,
        "served": version.is_served and not version.findings,
        "recorded_on": version.recorded_on,
        "last_verified": version.last_verified,
        "review_on": version.review_on,
        "expires_on": version.expires_on,
        "source": version.source,
        "source_sha256": version.source_sha256,
        "change_reason": version.change_reason,
        "owner": version.owner,
        "reviewed_by": version.reviewed_by,
        "evidence": version.evidence,
        "codes": [found.code for found in version.findings],
    }


def page(page: Page) -> dict[str, object]:
    """Return a part of the index as plain values."""
    return {
        "outcome": "failed" if page.findings else "verified" if page.sealed else "unsealed",
        "sealed": page.sealed,
        "version": page.version,
        "keys": [{"key": line.key, "read_when": line.read_when, "broken": line.is_broken} for line in page.lines],
        "shown": len(page.lines),
        "total": page.total,
        "cut": page.cut,
        "not_checked": page.not_checked,
        "findings": [finding(found) for found in page.findings],
    }


def trust(view: TrustView) -> dict[str, object]:
    """Return the trust in a store as plain values."""
    fields = {name: getattr(view, name) for name in type(view)._fields}
    heads = {name: _head(getattr(view, name)) for name in ("head", "published")}
    return {
        **fields,
        **heads,
        "keys": [{name: getattr(key, name) for name in type(key)._fields} for key in view.keys],
        "policy": dict(view.policy),
        "pin": view.pin,
        "pin_command": view.command,
        "findings": [finding(found) for found in view.findings],
    }


def _head(head: Head | None) -> dict[str, object] | None:
    return None if head is None else {name: getattr(head, name) for name in type(head)._fields}


def done(done: Done) -> dict[str, object]:
    """Return an act as plain values."""
    facts = [{"label": label, "text": text} for label, text in done.facts]
    return {"what": done.what, "dry_run": done.dry_run, "facts": facts, "notes": done.notes}


def log(view: LogView) -> dict[str, object]:
    """Return the log as plain values."""
    return {
        "outcome": view.outcome,
        "sealed": view.sealed,
        "version": view.version,
        "total": view.total,
        "events": [{name: getattr(line, name) for name in type(line)._fields} for line in view.lines],
        "not_checked": view.not_checked,
        "findings": [finding(found) for found in view.findings],
    }


def receipt(check: ReceiptCheck) -> dict[str, object]:
    """Return a checked receipt as plain values."""
    return {
        "outcome": check.outcome,
        "key": check.key,
        "chosen_by": check.chosen_by,
        "at": check.at,
        "answer": None if check.answer is None else answer(check.answer),
        "store_id": check.store_id,
        "root_sha256": check.root_sha256,
        "version": check.version,
        "not_checked": check.not_checked,
        "findings": [finding(found) for found in check.findings],
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
