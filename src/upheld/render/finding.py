"""One finding in words that every format shares. Loaded only when there is one."""

from __future__ import annotations

from upheld.render.escape import bounded, escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.finding import Finding

MAX_FACT = 300
_SHOWN_KEYS = 5


def told(finding: Finding) -> str:
    """Render one finding as text: what, where, what was compared, what it does, how to mend it."""
    entry = finding.entry
    lines = [f"{entry.severity}[{entry.code}]: {entry.what}"]
    if finding.place or finding.path:
        lines.append(f"  --> {where(finding)}")
    width = max([len(bounded(label, 80)) for label, _ in finding.facts], default=0)
    lines += [f"   = {bounded(label, 80):<{width}}  {bounded(shown, MAX_FACT)}" for label, shown in finding.facts]
    if finding.cause:
        lines.append(f"   = cause: {bounded(finding.cause, MAX_FACT)}")
    lines.append(f"   = effect: {effect(finding)}")
    lines.append(f"   = help: {bounded(finding.help, MAX_FACT)}")
    return "\n".join(lines) + "\n"


def details(finding: Finding) -> list[str]:
    """Return what a format needs that shows place and remedy elsewhere: the facts, the cause and the effect."""
    lines = [f"{bounded(label, 80)}: {bounded(shown, MAX_FACT)}" for label, shown in finding.facts]
    if finding.cause:
        lines.append(f"cause: {bounded(finding.cause, MAX_FACT)}")
    return [*lines, f"effect: {effect(finding)}"]


def where(finding: Finding) -> str:
    """Name the file and the dotted path inside it."""
    return ": ".join(bounded(part, MAX_FACT) for part in (finding.place, finding.path) if part)


def effect(finding: Finding) -> str:
    """Say what the fault refuses."""
    is_error = finding.severity == "error"
    if finding.code.startswith("POL"):
        return "nothing is written" if is_error else "a person decides"
    if finding.code.startswith("TRG") and is_error:
        return "it does not fire; no recall is refused"
    keys = [f"`{escape(key)}`" for key in finding.keys[:_SHOWN_KEYS]]
    if not keys:
        is_of_all = finding.place in ("", "index.json") or finding.code.startswith("RBK")  # place, state or order
        return "every recall is refused" if is_error and is_of_all else "no key is refused"
    more = len(finding.keys) - _SHOWN_KEYS
    shown = ", ".join(keys) + (f" and {more:,} more" if more > 0 else "")
    return f"recall of {shown} is refused" if is_error else f"concerns {shown}"
