"""For people at a terminal: whole sentences, worst first, then what was and was not checked.

``answer`` stands on the cold path; what the other functions need is loaded by them.
"""

from __future__ import annotations

from upheld.render.escape import bounded, escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.answer import Answer, Refusal
    from upheld.model.done import Done
    from upheld.model.history import History, Version
    from upheld.model.log_view import LogView
    from upheld.model.page import Line, Page
    from upheld.model.receipt_check import ReceiptCheck
    from upheld.model.route import Routed
    from upheld.model.trust_view import TrustView
    from upheld.model.verdict import Verdict

HYPOTHETICAL = "hypothetical: judged as of {day}, which is not today; not to be acted on\n"
MAX_SHOWN = 20_000
"""How many characters of a source are shown; the rest is counted. ``--format json`` holds all of it."""
MAX_WORDS = 500
MAX_ENTRY = 160


def answer(answer: Answer) -> str:
    """Render the whole text, then what was verified, the source and the three dates."""
    lines = [HYPOTHETICAL.format(day=answer.as_of)] if answer.hypothetical else []
    body = escape(answer.text[:MAX_SHOWN], lines=True)
    lines.append(body if body.endswith("\n") else body + "\n")
    rule = _rule(body)
    if len(answer.text) > MAX_SHOWN:
        hidden = len(answer.text) - MAX_SHOWN
        lines.append(f"{rule}\ncut: {hidden:,} of {len(answer.text):,} characters; `--format json` holds all of them\n")
    lines.append(f"{rule}\n{answer.outcome}: {escape(answer.key)} ({', '.join(answer.checked)})\n")
    lines.append(f"not checked: {escape('; '.join(answer.not_checked)) or 'nothing'}\n")
    lines.append(f"source: {escape(answer.source)}  record: {escape(answer.record_id)}\n")
    dates = (
        ("last verified", answer.last_verified),
        ("review on", answer.review_on),
        ("expires on", answer.expires_on),
    )
    lines.append("  ".join(f"{label}: {escape(day) if day else 'not recorded'}" for label, day in dates) + "\n")
    if answer.notices:
        from upheld.render.finding import told

        lines += [told(notice) for notice in answer.notices]
    return "".join(lines)


def _rule(body: str) -> str:
    """A line of dashes longer than any in the text, so that no text can draw the line under itself."""
    dashes = [len(line) for line in body.split("\n") if line.startswith("---") and not line.strip("- ")]
    return "-" * (max(dashes, default=2) + 1)


def line(answer: Answer) -> str:
    """Render only the article's line."""
    shown = escape(answer.instruction) + "\n"
    return HYPOTHETICAL.format(day=answer.as_of) + shown if answer.hypothetical else shown


def refusal(refusal: Refusal) -> str:
    """Render every finding, worst first, then what is refused."""
    from upheld.render.finding import told

    parts = [HYPOTHETICAL.format(day=refusal.as_of)] if refusal.hypothetical else []
    parts += [told(finding) for finding in refusal.findings]
    if refusal.nearest:
        parts.append(f"   = nearest: {', '.join(escape(key) for key in refusal.nearest)}\n")
    if refusal.owner:
        parts.append(f"   = ask: {escape(refusal.owner)}\n")
    parts.append(f"refused: {escape(refusal.key) + ': ' if refusal.key else ''}{refusal.code} {refusal.name}\n")
    return "".join(parts)


def routed(routed: Routed) -> str:
    """Render what was loaded, then the outcome with its reason, and the keys that it is about."""
    parts = [answer(one) if one.outcome != "refused" else refusal(one) for one in routed.loaded]  # type: ignore[arg-type]
    about = f"{', '.join(escape(key) for key in routed.keys)}: " if routed.keys else ""
    parts.append(f"{routed.outcome}: {about}{bounded(routed.why, MAX_WORDS)}\n")
    for choice in routed.choices:
        store = f"   in {escape(choice.store)}" if choice.store else ""
        why = f"   ({bounded(choice.why, MAX_ENTRY)})" if routed.outcome == "ambiguous" and choice.why else ""
        parts.append(f"   {bounded(choice.key, MAX_ENTRY)}: {bounded(choice.read_when, MAX_ENTRY)}{store}{why}\n")
    if routed.outcome == "ambiguous":
        parts.append("   = help: nothing is loaded; choose one by name: `upheld recall KEY`\n")
    parts += [f"never fires: {bounded(pattern, MAX_WORDS)}\n" for pattern in routed.skipped]
    if routed.notices:
        from upheld.render.finding import told

        parts += [told(notice) for notice in routed.notices]
    if routed.not_checked:
        parts.append(f"not checked: {escape('; '.join(routed.not_checked))}\n")
    return "".join(parts)


def verdict(verdict: Verdict) -> str:
    """Render every finding, worst first, then what was and was not checked, then the verdict."""
    from upheld.render.finding import told
    from upheld.render.summary import coverage, outcome

    parts = [HYPOTHETICAL.format(day=verdict.as_of)] if verdict.hypothetical else []
    parts += [told(finding) for finding in verdict.findings]
    parts.append(f"{coverage(verdict)}\n{outcome(verdict)}\n")
    return "".join(parts)


def history(history: History) -> str:
    """Render one paragraph a version, newest first, then what is wrong with the chain."""
    from upheld.render.finding import told

    parts = [HYPOTHETICAL.format(day=history.as_of)] if history.hypothetical else []
    parts += [_version(version) for version in history.versions]
    parts += [told(finding) for finding in history.findings]
    if history.retired:
        renamed = f", renamed to {escape(history.renamed_to)}" if history.renamed_to else ""
        parts.append(f"retired: {escape(history.key)}{renamed}\n")
    count = len(history.versions)
    parts.append(f"{history.outcome}: {escape(history.key)}: {count:,} version{'' if count == 1 else 's'}")
    parts.append(f"   not checked: {escape('; '.join(history.not_checked)) or 'nothing'}\n")
    return "".join(parts)


def _version(version: Version) -> str:
    name = version.record_id or version.place
    state = "unreadable" if version.record_id is None else version.status or "without a status"
    first = f"{escape(name)}   {escape(state)}{'   <- served' if version.is_served and not version.findings else ''}"
    dates = (
        ("recorded", version.recorded_on),
        ("last verified", version.last_verified),
        ("review", version.review_on),
        ("expires", version.expires_on),
    )
    people = (
        ("source", version.source),
        ("why", version.change_reason),
        ("owner", version.owner),
        ("reviewed by", version.reviewed_by),
        ("evidence", version.evidence),
    )
    lines = [first, "   " + "   ".join(f"{label} {escape(day)}" for label, day in dates if day)]
    lines += [f"   {label}: {bounded(words, MAX_WORDS)}" for label, words in people if words]
    if version.findings:
        lines.append("   wrong: " + ", ".join(f"{found.code} {found.entry.name}" for found in version.findings))
    return "".join(f"{line.rstrip()}\n" for line in lines if line.strip())


def page(page: Page) -> str:
    """Render one line a key, what could not be read, and how many keys there are."""
    from upheld.render.finding import told

    parts = [entry(line) for line in page.lines]
    parts += [told(finding) for finding in page.findings]
    cut = f"; {page.cut:,} did not fit into {page.budget:,} characters (see --budget)" if page.cut else ""
    parts.append(f"{len(page.lines):,} of {page.total:,}{cut}")
    parts.append(f"   not checked: {escape('; '.join(page.not_checked)) or 'nothing'}\n")
    return "".join(parts)


def entry(line: Line) -> str:
    """Render one key of the index, bounded; this is what the budget of a page counts."""
    if line.is_broken:
        return f"{bounded(line.key or '?', MAX_ENTRY)}: (this entry is broken; see `upheld verify`)\n"
    return f"{bounded(line.key, MAX_ENTRY)}: {bounded(line.read_when or '(no trigger)', MAX_ENTRY)}\n"


def trustview(view: TrustView) -> str:
    """Render the trust in a store."""
    from upheld.render.trust import trust

    return trust(view)


def done(done: Done) -> str:
    """Render what a command did."""
    from upheld.render.trust import done as render

    return render(done)


def logview(view: LogView) -> str:
    """Render the log."""
    from upheld.render.log import log

    return log(view)


def receiptcheck(check: ReceiptCheck) -> str:
    """Render a checked receipt."""
    from upheld.render.receipt import receipt

    return receipt(check)
