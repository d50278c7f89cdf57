"""Findings and refusals for people and for machines. Loaded only when there is one."""

from __future__ import annotations

from upheld.render.answer import HYPOTHETICAL
from upheld.render.escape import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.answer import Refusal
    from upheld.model.finding import Finding


def text(finding: Finding) -> str:
    """Render one finding: what, where, what was compared, what it does, how to mend it."""
    entry = finding.entry
    lines = [f"{entry.severity}[{entry.code}]: {entry.what}"]
    where = ": ".join(part for part in (finding.place, finding.path) if part)
    if where:
        lines.append(f"  --> {escape(where)}")
    width = max([len(label) for label, _ in finding.facts], default=0)
    lines += [f"   = {escape(label):<{width}}  {escape(shown)}" for label, shown in finding.facts]
    if finding.cause:
        lines.append(f"   = cause: {escape(finding.cause)}")
    lines.append(f"   = effect: {effect(finding)}")
    lines.append(f"   = help: {escape(finding.help)}")
    return "\n".join(lines) + "\n"


def effect(finding: Finding) -> str:
    """Say what the fault refuses."""
    keys = [f"`{escape(key)}`" for key in finding.keys]
    if not keys:
        return "every recall is refused" if finding.severity == "error" and not finding.place else "no key is refused"
    shown = ", ".join(keys[:5]) + (f" and {len(keys) - 5} more" if len(keys) > 5 else "")
    return f"recall of {shown} is refused" if finding.severity == "error" else f"concerns {shown}"


def refusal_text(refusal: Refusal) -> str:
    """Render a refusal: every finding, worst first, then the verdict."""
    parts = [HYPOTHETICAL.format(day=refusal.as_of)] if refusal.hypothetical else []
    parts += [text(finding) for finding in refusal.findings]
    if refusal.nearest:
        parts.append(f"   = nearest: {', '.join(escape(key) for key in refusal.nearest)}\n")
    if refusal.owner:
        parts.append(f"   = ask: {escape(refusal.owner)}\n")
    parts.append(f"refused: {escape(refusal.key)}: {refusal.code} {refusal.name}\n")
    return "".join(parts)


def refusal_concise(refusal: Refusal) -> str:
    """Render one line: what is refused, the code, why, and the remedy."""
    what = f"{escape(refusal.key)}: {refusal.code} {refusal.name}"
    return f"refused: {what}: {escape(refusal.why)}; help: {escape(refusal.help)}\n"


def refusal_json(refusal: Refusal) -> dict[str, object]:
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
        "findings": [finding_json(finding) for finding in refusal.findings],
    }
    if refusal.nearest:
        made["nearest"] = refusal.nearest
    if refusal.owner:
        made["owner"] = refusal.owner
    return made


def finding_json(finding: Finding) -> dict[str, object]:
    """Return a finding as plain values."""
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
