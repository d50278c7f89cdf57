"""The last lines under a verdict, in words that every format shares."""

from __future__ import annotations

from upheld.render.escape import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.verdict import Verdict


def coverage(verdict: Verdict) -> str:
    """Say what was checked and what was not."""
    checked = ", ".join(counted(number, label) for label, number in verdict.checked) or "nothing"
    return f"checked: {escape(checked)}   not checked: {escape('; '.join(verdict.not_checked)) or 'nothing'}"


def outcome(verdict: Verdict) -> str:
    """Say what the verdict is, how many faults there are, and how many keys they refuse."""
    return f"verdict: {escape(verdict.outcome)}: {faults(verdict)}, {refused(verdict)}"


def faults(verdict: Verdict) -> str:
    """Count the findings by severity; notes are not counted."""
    severities = [finding.severity for finding in verdict.findings]
    counts = [(severities.count(severity), severity) for severity in ("error", "warning")]
    return ", ".join(counted(number, f"{severity}s") for number, severity in counts if number) or "no errors"


def refused(verdict: Verdict) -> str:
    """Count the keys that a recall would refuse."""
    if not verdict.keys and verdict.outcome == "failed":
        return "every key refused"  # where the index cannot be read, nobody knows how many there are
    return f"{len(verdict.refused):,} of {counted(verdict.keys, 'keys')} refused"


def counted(number: int, label: str) -> str:
    """Write a number with what it counts; ``label`` is the plural."""
    return f"{number:,} {label.removesuffix('s') if number == 1 else label}"
