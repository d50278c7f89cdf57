"""An answer for people (``text``), for a line (``concise``) and for machines (``json``)."""

from __future__ import annotations

from upheld.render.escape import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.answer import Answer

HYPOTHETICAL = "hypothetical: judged as of {day}, which is not today; not to be acted on\n"


def text(answer: Answer) -> str:
    """Render the whole text, then what was verified, the source and the three dates."""
    lines = [HYPOTHETICAL.format(day=answer.as_of)] if answer.hypothetical else []
    body = escape(answer.text, lines=True)
    lines.append(body if body.endswith("\n") else body + "\n")
    lines.append(f"---\n{answer.outcome}: {escape(answer.key)} ({', '.join(answer.checked)})\n")
    lines.append(f"not checked: {escape('; '.join(answer.not_checked)) or 'nothing'}\n")
    lines.append(f"source: {escape(answer.source)}  record: {escape(answer.record_id)}\n")
    dates = (
        ("last verified", answer.last_verified),
        ("review on", answer.review_on),
        ("expires on", answer.expires_on),
    )
    lines.append("  ".join(f"{label}: {day or 'not recorded'}" for label, day in dates) + "\n")
    lines += [
        f"{notice.severity}[{notice.code}]: {notice.entry.what}\n  = help: {notice.help}\n" for notice in answer.notices
    ]
    return "".join(lines)


def line(answer: Answer) -> str:
    """Render only the article's line."""
    shown = escape(answer.instruction) + "\n"
    return HYPOTHETICAL.format(day=answer.as_of) + shown if answer.hypothetical else shown


def concise(answer: Answer) -> str:
    """Render one line: outcome, key, instruction."""
    mark = f"hypothetical as of {answer.as_of}: " if answer.hypothetical else ""
    return f"{mark}{answer.outcome}: {escape(answer.key)}: {escape(answer.instruction)}\n"


def as_json(answer: Answer) -> dict[str, object]:
    """Return the answer as plain values."""
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
        "notices": [
            {"code": n.code, "name": n.entry.name, "what": n.entry.what, "help": n.help} for n in answer.notices
        ],
    }
