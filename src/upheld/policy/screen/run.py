"""Run the screen over a draft. What fails, hangs or cannot be finished refuses: nothing unjudged is ever written."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from upheld.model.codes import CODES
from upheld.model.draft import ALLOW, FLAG, REFUSE, Draft, Hit, Screened, Screening
from upheld.model.finding import Finding
from upheld.policy.screen.registry import CHECKS, Check

DEFAULT_BUDGET = 5.0
_MOST_HITS = 200
_FAILED = "POL001"
_OUT_OF_TIME = "ran out of time"
_SECRET = "POL004"


class _OverrunError(Exception):
    """A check went past the budget."""


def run(
    draft: Draft,
    *,
    now: Callable[[], float],
    budget: float = DEFAULT_BUDGET,
    checks: Sequence[tuple[str, Check]] = CHECKS,
) -> Screening:
    """Judge a draft.

    Args:
        draft: what somebody wants remembered.
        now: a monotonic clock in seconds, from the caller; the screen reads no clock of its own.
        budget: how many seconds all checks may take together. Looked at between checks and between the findings of
            one; the checks themselves take time linear in the size of the draft, so none can hang between two looks.
        checks: the checks to run.

    Returns:
        Every finding of every check, those that refuse first. A draft whose text is too large is judged by its size
        alone, and its other checks are listed as not run.
    """
    deadline = now() + budget
    hits: list[Hit] = []
    checked: list[str] = []
    for name, check in checks:
        problem = _apply(check, draft, hits, now, deadline)
        if problem:
            hits.append(Hit(code=_FAILED, facts=(("check", name), ("problem", problem))))
            if problem == _OUT_OF_TIME:
                break
            continue
        checked.append(name)
        if name == "size" and any(hit.code == "POL002" for hit in hits):
            break
    not_checked = tuple(name for name, _ in checks if name not in checked)
    hidden = _hidden(draft, hits) if "secret" in checked else None
    results = [_judged(draft, hit, hidden) for hit in hits]
    kept = sorted((r for r in results if r.action != ALLOW), key=_rank)
    return Screening(results=tuple(kept), checked=tuple(checked), not_checked=not_checked)


def _apply(check: Check, draft: Draft, hits: list[Hit], now: Callable[[], float], deadline: float) -> str:
    """Collect the hits of one check; return what went wrong, empty if nothing did."""
    try:
        for count, hit in enumerate(check(draft)):
            if now() > deadline:
                raise _OverrunError
            hits.append(hit)
            if count >= _MOST_HITS and hit.code != _SECRET:  # every secret must be known, so that none is shown
                return "found more than can be shown"
        if now() > deadline:
            raise _OverrunError
    except _OverrunError:
        return _OUT_OF_TIME
    except Exception as error:  # noqa: BLE001 - the stated boundary: whatever a check does, the draft is refused and not the process
        return type(error).__name__
    return ""


def _action(draft: Draft, code: str) -> str:
    if code == _FAILED:
        return REFUSE
    named = dict(draft.policy.actions).get(code)
    if named in (REFUSE, FLAG, ALLOW):
        return named
    return REFUSE if CODES[code].severity == "error" else FLAG


def _judged(draft: Draft, hit: Hit, hidden: list[str] | None) -> Screened:
    action = _action(draft, hit.code)
    facts = hit.facts
    if hit.code not in (_FAILED, _SECRET):
        facts = () if hidden is None else tuple((label, _masked(text, hidden)) for label, text in facts)
    keys = (draft.key,) if action == REFUSE else ()
    finding = Finding(code=hit.code, path=hit.field, keys=keys, facts=facts)
    return Screened(action=action, finding=finding, spans=hit.spans)


def _hidden(draft: Draft, hits: list[Hit]) -> list[str]:
    """Return every value that must not be shown, longest first."""
    texts = {text.field: text.text for text in draft.every_text()}
    spans = [(hit.field, span) for hit in hits if hit.code == _SECRET for span in hit.spans]
    return sorted({texts[field][start:end] for field, (start, end) in spans}, key=len, reverse=True)


def _masked(text: str, hidden: list[str]) -> str:
    for value in hidden:
        text = text.replace(value, "[secret]")
        text = text.replace(value.casefold(), "[secret]")
    return text


def _rank(result: Screened) -> tuple[int, int, str]:
    return (result.action != REFUSE, CODES[result.finding.code].order, result.finding.path)
