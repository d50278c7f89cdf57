"""One line a thing, for lists, logs and small prompts."""

from __future__ import annotations

from upheld.render.escape import bounded, escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.answer import Answer, Refusal
    from upheld.model.finding import Finding
    from upheld.model.history import History
    from upheld.model.page import Page
    from upheld.model.route import Routed
    from upheld.model.verdict import Verdict

MAX_LINE = 500


def answer(answer: Answer) -> str:
    """Render outcome, key and instruction."""
    mark = _mark(hypothetical=answer.hypothetical, as_of=answer.as_of)
    return f"{mark}{answer.outcome}: {escape(answer.key)}: {bounded(answer.instruction, MAX_LINE)}\n"


def refusal(refusal: Refusal) -> str:
    """Render what is refused, the code, why, and the remedy."""
    mark = _mark(hypothetical=refusal.hypothetical, as_of=refusal.as_of)
    why = bounded(refusal.why, MAX_LINE)
    near = f"; nearest: {', '.join(map(escape, refusal.nearest))}" if refusal.nearest else ""
    return (
        f"{mark}refused: {escape(refusal.key) + ': ' if refusal.key else ''}{refusal.code} {refusal.name}: {why};"
        f" help: {bounded(refusal.help, MAX_LINE)}{near}\n"
    )


def routed(routed: Routed) -> str:
    """Render what was loaded, one line each, then outcome, keys and reason."""
    loaded = [answer(one) if one.outcome != "refused" else refusal(one) for one in routed.loaded]  # type: ignore[arg-type]
    keys = ", ".join(escape(choice.key) for choice in routed.choices)
    return "".join(loaded) + f"{routed.outcome}: {keys + ': ' if keys else ''}{bounded(routed.why, MAX_LINE)}\n"


def verdict(verdict: Verdict) -> str:
    """Render one line a finding, then the verdict."""
    from upheld.render.summary import outcome

    mark = _mark(hypothetical=verdict.hypothetical, as_of=verdict.as_of)
    return "".join(line_of(finding) for finding in verdict.findings) + f"{mark}{outcome(verdict)}\n"


def history(history: History) -> str:
    """Render one line a version, newest first, then one for the chain."""
    mark = _mark(hypothetical=history.hypothetical, as_of=history.as_of)
    lines = [
        f"{version.last_verified or version.recorded_on or 'undated'} {version.record_id or version.place}"
        f" {version.status or 'unreadable'}"
        for version in history.versions
    ]
    state = f"{history.outcome}, retired" if history.retired else history.outcome
    worst = f": {history.findings[0].code} {history.findings[0].entry.name}" if history.findings else ""
    shown = "".join(f"{bounded(line, MAX_LINE)}\n" for line in lines)
    return f"{shown}{mark}{state}: {escape(history.key)}{worst}\n"


def page(page: Page) -> str:
    """Render one line a key, and how many keys there are."""
    from upheld.render.text import entry

    lines = "".join(entry(line) for line in page.lines) + "".join(line_of(finding) for finding in page.findings)
    return f"{lines}{len(page.lines):,} of {page.total:,}\n"


def line_of(finding: Finding) -> str:
    """Render where it is and what it is."""
    from upheld.render.finding import where

    entry = finding.entry
    place = where(finding)
    return f"{place + ': ' if place else ''}{entry.severity}[{entry.code}] {entry.name}: {entry.what}\n"


def _mark(*, hypothetical: bool, as_of: str) -> str:
    return f"hypothetical as of {as_of}: " if hypothetical else ""
