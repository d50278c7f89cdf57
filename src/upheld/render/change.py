"""What writing verbs did or would do, and what the verbs around them report, for people and for programs.

One function a kind of value and format: ``text_written``, ``json_due``. Sources may hold anything, so each line of them
is escaped and stands behind a sign of ours.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import unified_diff
from typing import Any

from upheld.errors import UsageError
from upheld.model.reports import Collected, Comparison, Diagnosis, Due, Review
from upheld.model.written import FileChange, Served, Written
from upheld.render import plain
from upheld.render.escape import escape
from upheld.render.finding import told
from upheld.render.jsontext import dumps

_DONE = {
    "init": "made",
    "remember": "remembered",
    "correct": "corrected",
    "review": "confirmed",
    "retire": "retired",
    "restore": "restored",
    "rename": "renamed",
    "redact": "redacted",
    "triggers": "changed when it applies",
}


def rendered(value: object, form: str) -> str:
    """Render one of the values of this module.

    Raises:
        UsageError: the format shows faults only.
    """
    render = _FORMS.get((type(value), form)) or _triggers(value, form)
    if render is None:
        raise UsageError(f"--format {form} shows faults only", help="try --format json")
    made = render(value)
    return made if isinstance(made, str) else dumps(made) + "\n"


def _triggers(value: object, form: str) -> Callable[[Any], object] | None:
    from upheld.render.triggers import FORMS

    return FORMS.get((type(value), form))


# --- a change ---------------------------------------------------------------------------------------------------------


def diff(change: FileChange) -> str:
    """Render one file of a change as a unified diff."""
    was = f"a/{escape(change.was)}" if change.was else "/dev/null"
    name = f"b/{escape(change.name)}" if change.name else "/dev/null"
    if change.is_hidden:
        return f"--- {was}\n+++ {name}\n(its bytes are not shown)\n"
    return _unified(_lines(change.before), _lines(change.after), was, name)


def _lines(data: bytes) -> list[str]:
    text = data.decode("utf-8", "backslashreplace")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    elif data:
        lines[-1] += " (no line end)"
    return lines


def _unified(before: list[str], after: list[str], was: str, name: str) -> str:
    body = list(unified_diff(before, after, was, name, lineterm="", n=3))
    return "".join(f"{line if number < 2 else line[:1] + escape(line[1:])}\n" for number, line in enumerate(body))


def plan(written: Written) -> str:
    """Render everything that a change does to files, and what a person should know."""
    return "".join([*map(diff, written.changes), *(f"note: {escape(note)}\n" for note in written.notes)])


def announced(written: Written, *, whole: bool = False) -> str:
    """Render what a person is asked to agree to.

    Args:
        written: the change.
        whole: show every file of it as a diff as well.
    """
    head = f"{written.verb}{f' `{escape(written.key)}`' if written.key else ''}"
    parts = [*map(_meaning, written.served), "".join(f"note: {escape(note)}\n" for note in written.notes)]
    files = "".join(map(diff, written.changes)) if whole else ""
    if not written.served and not whole:
        files = "".join(f"  {_named(change)}\n" for change in written.changes[:_NAMED])
    count = len(written.changes)
    more = "" if whole or not count else f"{count} file{'s' if count > 1 else ''}, shown by `--diff`\n"
    return "".join([f"{head}\n", *parts, files, more])


_NAMED = 20
_LABEL = 11


def _named(change: FileChange) -> str:
    sign = "new" if change.was is None else "gone" if change.name is None else "changed"
    return f"{sign:<8} {escape(change.name or change.was or '')}"


def _meaning(served: Served) -> str:
    """Render what a change means for one key; a text that stays is not repeated."""
    key = escape(served.key)
    lines = []
    if served.after and served.before and served.after != served.before:
        body = list(unified_diff(served.before.splitlines(), served.after.splitlines(), lineterm="", n=2))[2:]
        lines.append(f"  `{key}` would change:\n")
        lines += [f"    {line[:1]} {escape(line[1:])}\n" for line in body if not line.startswith("@@")]
    elif served.after and not served.before:
        lines.append(f"  `{key}` would be served as:\n")
        lines += [f"    | {escape(line)}\n" for line in served.after.splitlines()]
    elif not served.after:
        lines.append(f"  `{key}` would no longer be served\n")
        lines += [f"    - {escape(line)}\n" for line in served.before.splitlines()]
    else:
        lines.append(f"  `{key}` keeps its text\n")
    return "".join([*lines, *(f"  {label:<{_LABEL}}{escape(text)}\n" for label, text in _facts(served) if text)])


def _facts(served: Served) -> list[tuple[str, str]]:
    applies = served.read_when if served.read_when != served.was_read_when or not served.before else ""
    dates = f"review on {served.review_on}, expires on {served.expires_on}" if served.review_on else ""
    return [
        ("applies", applies),
        ("was", served.was_read_when if applies and served.was_read_when else ""),
        *(("matches", text) for text in served.matchers),
        *(("fires", text) for text in served.fires),
        *(("not", text) for text in served.nots),
        ("because", served.because),
        ("evidence", served.evidence),
        ("dates", dates),
    ]


def text_written(written: Written) -> str:
    """Render what was done; what would be done is shown as a diff."""
    if written.outcome == "planned":
        return f"{plan(written)}nothing was written: this was a dry run of `{written.verb}`\n"
    what = f"`{escape(written.key)}`" if written.key else "a store"
    lines = [f"{_DONE.get(written.verb, written.verb)}: {what}, version {written.version} of the store\n"]
    if written.record_id:
        dates = f"  review on: {written.review_on}  expires on: {written.expires_on}" if written.review_on else ""
        lines.append(f"record: {escape(written.record_id)}{dates}\n")
    lines += [f"note: {escape(note)}\n" for note in written.notes]
    return "".join([*lines, f"warning: {escape(written.warning)}\n" if written.warning else ""])


def concise_written(written: Written) -> str:
    """Render one line."""
    return f"{written.outcome}: {written.verb}: {escape(written.key)}: version {written.version}\n"


def json_written(written: Written) -> dict[str, object]:
    """Return the change as plain values; the diff of each file where nothing was written."""
    made: dict[str, object] = {
        "outcome": written.outcome,
        "verb": written.verb,
        "key": written.key,
        "version": written.version,
        "index_sha256": written.index_sha256 or None,
        "record_id": written.record_id or None,
        "record_sha256": written.record_sha256 or None,
        "review_on": written.review_on or None,
        "expires_on": written.expires_on or None,
        "notes": list(written.notes),
        "warning": written.warning or None,
        "files": [{"was": change.was, "name": change.name} for change in written.changes],
    }
    if written.outcome == "planned":
        made["diff"] = "".join(map(diff, written.changes))
    return made


# --- reports ----------------------------------------------------------------------------------------------------------


def text_review(review: Review) -> str:
    """Render the text, its age, and what it was last checked against; a changed source as a diff."""
    lines = [f"| {escape(line)}\n" for line in (review.text or "(the text as it was verified is lost)").splitlines()]
    age = f"{review.age} days ago" if review.age is not None else "it is not recorded when"
    lines.append(f"{review.state}: `{escape(review.key)}`, version {review.number} ({escape(review.record_id)})\n")
    lines.append(f"source: {escape(review.source)}\n")
    lines.append(f"last verified: {escape(review.last_verified or 'not recorded')} ({age})")
    lines.append(f"  review on: {escape(review.review_on)}  expires on: {escape(review.expires_on)}\n")
    for label in ("owner", "evidence", "reviewed_by", "change_reason"):
        lines.append(f"{label.replace('_', ' ')}: {escape(getattr(review, label) or 'none')}\n")
    if review.state == "changed":
        lines.append("the source is not what was verified:\n")
        before, after = (review.text or "").splitlines(), (review.now or "").splitlines()
        lines.append(_unified(before, after, "verified", "now") if review.now is not None else "it is gone\n")
        lines.append(f"   = help: if the change is meant, `upheld correct {escape(review.key)}`; if not, restore it\n")
    else:
        lines.append(f"   = help: if it still holds, `upheld review {escape(review.key)} --confirm --evidence '...'`\n")
    return "".join(lines)


def concise_review(review: Review) -> str:
    """Render one line."""
    return f"{review.state}: {escape(review.key)}: review on {escape(review.review_on)}\n"


def _fields(value: Any) -> dict[str, object]:
    return {name: getattr(value, name) for name in type(value)._fields}


def text_comparison(comparison: Comparison) -> str:
    """Render two unified diffs: of what is recorded, then of the text."""
    old, new = comparison.old, comparison.new
    names = [f"{escape(comparison.key)} version {side.number} ({escape(side.record_id)})" for side in (old, new)]
    details = [[f"{label}: {value}" for label, value in side.details] for side in (old, new)]
    texts = [(side.text if side.text is not None else "(the text is lost)").splitlines() for side in (old, new)]
    return _unified(details[0], details[1], *names) + _unified(texts[0], texts[1], *names)


def json_comparison(comparison: Comparison) -> dict[str, object]:
    """Return both versions as plain values."""
    sides = {
        name: {**_fields(side), "details": dict(side.details)}
        for name, side in (("old", comparison.old), ("new", comparison.new))
    }
    return {"key": comparison.key, **sides}


def text_due(due: Due) -> str:
    """Render one line a key, soonest first."""
    lines = [
        f"{one.state:<8}  review {escape(one.review_on)}  expires {escape(one.expires_on)}  {escape(one.key)}"
        f"{f'  ({escape(one.owner)})' if one.owner else ''}\n"
        for one in due.keys
    ]
    lines += [told(finding) for finding in due.unread]
    window = f"within {due.within} days" if due.within else "now"
    return "".join([*lines, f"{len(due.keys)} of {due.total} keys need review {window}, as of {due.as_of}\n"])


def json_due(due: Due) -> dict[str, object]:
    """Return the list as plain values."""
    found = {"keys": [_fields(one) for one in due.keys], "unread": [plain.finding(one) for one in due.unread]}
    return {**found, "total": due.total, "within": due.within, "as_of": due.as_of}


def text_collected(collected: Collected) -> str:
    """Render one line a file."""
    verb = "would remove" if collected.is_dry else "removed"
    lines = [f"{verb}: {escape(name)}\n" for name in collected.removed]
    lines += [
        f"left: {escape(name)} (younger than {collected.grace} s: a writer may be at it)\n" for name in collected.young
    ]
    total = len(collected.removed) + len(collected.young)
    return "".join([*lines, f"{verb} {len(collected.removed)} of {total} files that nothing names\n"])


def text_diagnosis(diagnosis: Diagnosis) -> str:
    """Render every finding, then what is or would be mended."""
    lines = [told(finding) for finding in diagnosis.findings]
    for mend in diagnosis.mends:
        lines.append(f"{'mended' if mend.done else 'would mend with --fix'}: {escape(mend.place)}: {mend.what}\n")
    lines += [f"not checked: {note}\n" for note in diagnosis.not_checked]
    left = len(diagnosis.findings)
    return "".join([*lines, f"doctor: {left or 'no'} finding{'' if left == 1 else 's'}\n"])


def json_diagnosis(diagnosis: Diagnosis) -> dict[str, object]:
    """Return the diagnosis as plain values."""
    return {
        "findings": [plain.finding(finding) for finding in diagnosis.findings],
        "mends": [_fields(mend) for mend in diagnosis.mends],
        "not_checked": list(diagnosis.not_checked),
        "is_fixed": diagnosis.is_fixed,
    }


_FORMS: dict[tuple[type, str], Callable[[Any], object]] = {
    (Written, "text"): text_written,
    (Written, "concise"): concise_written,
    (Written, "json"): json_written,
    (Review, "text"): text_review,
    (Review, "concise"): concise_review,
    (Review, "json"): _fields,
    (Comparison, "text"): text_comparison,
    (Comparison, "json"): json_comparison,
    (Due, "text"): text_due,
    (Due, "json"): json_due,
    (Collected, "text"): text_collected,
    (Collected, "json"): _fields,
    (Diagnosis, "text"): text_diagnosis,
    (Diagnosis, "json"): json_diagnosis,
}
