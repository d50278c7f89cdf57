"""The log of a store, for people at a terminal: one event a line."""

from __future__ import annotations

from upheld.model.names import short
from upheld.render.escape import bounded, escape
from upheld.render.finding import told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.log_view import LogLine, LogView


def log(view: LogView) -> str:
    """Render the events, what is wrong with the chain, and what was and was not checked."""
    parts = [_line(line) for line in view.lines]
    parts += [told(finding) for finding in view.findings]
    counted = f"{view.total:,} event{'' if view.total == 1 else 's'}"
    parts.append(f"{view.outcome}: {counted} of version {view.version if view.version is not None else 'none'}")
    parts.append(f"   not checked: {escape('; '.join(view.not_checked)) or 'nothing'}\n")
    return "".join(parts)


def _line(line: LogLine) -> str:
    change = f"{short(line.before) if line.before else '-'} -> {short(line.after) if line.after else '-'}"
    what = " ".join(part for part in (bounded(line.verb, 20), bounded(line.key, 80)) if part)
    return f"{line.number:>6}  {bounded(line.at, 20)}  {bounded(line.by or '?', 40)}  {what}  {change}\n"
