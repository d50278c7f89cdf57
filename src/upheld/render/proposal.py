"""Proposals and decisions, for people and for programs. Everything in them is somebody's words, so all is escaped."""

from __future__ import annotations

from collections.abc import Callable
from difflib import unified_diff
from typing import Any

from upheld.errors import UsageError
from upheld.model.imported import Imported
from upheld.model.proposal import RETIREMENT
from upheld.model.proposal_view import Decided, Inbox, InboxLine, ProposalView, Proposed
from upheld.model.remembered import Rejection
from upheld.model.value import Value
from upheld.render import plain
from upheld.render.escape import bounded, escape
from upheld.render.finding import told
from upheld.render.frame import Provenance, frame
from upheld.render.jsontext import dumps
from upheld.wire.digest import sha256_hex

_LINE = 100


class Rejections(Value):
    """What was rejected here, for ``reject --list``."""

    rejections: tuple[Rejection, ...]


def rendered(value: object, form: str) -> str:
    """Render one of the values of this module.

    Raises:
        UsageError: the format shows faults only.
    """
    render = _FORMS.get((type(value), form))
    if render is None:
        raise UsageError(f"--format {form} shows faults only", help="try --format json")
    made = render(value)
    return made if isinstance(made, str) else dumps(made) + "\n"


def text_view(view: ProposalView) -> str:
    """Render everything that a decision rests on: what is asked, by whom, what changes, what speaks against."""
    proposal = view.proposal
    lines = [
        f"proposal {proposal.id}: {proposal.kind} of `{escape(proposal.key)}`",
        f"digest: {view.sha256}",
        f"asked: {escape(proposal.at)} by {_asker(view)}",
        f"because: {bounded(proposal.because, 2_000) or 'nothing is said'}",
    ]
    if proposal.asker.words:
        lines.append(f"words that led to it: {bounded(proposal.asker.words, 1_000)}")
    lines += [f"source: {bounded(proposal.source, 300)}"] if proposal.source else []
    lines += [
        f"endorsed through {bounded(e.client, 100)} ({bounded(e.protocol, 40)}): an agent's client can answer "
        "without a person"
        for e in proposal.endorsements
    ]
    return "\n".join([*lines, *_trigger(view), ""]) + _change(view) + _against(view)


def _asker(view: ProposalView) -> str:
    asker = view.proposal.asker
    said = [bounded(part, 100) for part in (asker.client, asker.agent) if part]
    through = [f"through {bounded(asker.channel, 40)}"] if asker.channel else []
    session = [f"session {bounded(asker.session, 80)}"] if asker.session else []
    return ", ".join([" ".join(said) or "somebody", *through, *session]) + " (by their own account)"


def _trigger(view: ProposalView) -> list[str]:
    proposal = view.proposal
    lines = [f"applies: {bounded(view.read_when, 500) or 'nothing is said'}"]
    if view.was_read_when and view.was_read_when != view.read_when:
        lines.append(f"applied: {bounded(view.was_read_when, 500)}")
    lines += [f"must fire: {bounded(text, 300)}" for text in proposal.fires]
    lines += [f"must not fire: {bounded(text, 300)}" for text in proposal.nots]
    if view.also_fires:
        lines.append(f"its examples fire these as well: {', '.join(escape(key) for key in view.also_fires)}")
    if view.review_on:
        lines.append(f"review on: {view.review_on}  expires on: {view.expires_on}")
    return lines


def _change(view: ProposalView) -> str:
    """Render the text as it will be served, and how it differs from the one that is."""
    proposal = view.proposal
    if proposal.kind == RETIREMENT:
        return f"it would no longer be served:\n{_quoted(view.before, '-')}"
    if not view.after:
        return ""
    provenance = Provenance(
        key=proposal.key,
        source="(this proposal)",
        sha256=sha256_hex(view.after.encode("utf-8", "surrogatepass")),
        standing="verified",
        review_on=view.review_on,
        expires_on=view.expires_on,
    )
    diff = ""
    if view.before:
        body = list(unified_diff(view.before.splitlines(), view.after.splitlines(), "served", "proposed", lineterm=""))
        diff = "".join(f"{line if at < 2 else line[:1] + escape(line[1:])}\n" for at, line in enumerate(body))
    return f"{diff}as an agent would be served it:\n{frame(view.after, provenance, limit=_SHOWN)}"


_SHOWN = 80_000
"""Characters of a framed text that are shown: more than a text may have."""


def _quoted(text: str, sign: str) -> str:
    return "".join(f"{sign} {escape(line)}\n" for line in text.splitlines())


def _against(view: ProposalView) -> str:
    refusing = {id(result.finding) for result in view.screening.results if result.action == "refuse"}
    lines = [told(result.finding) for result in view.screening.results]
    lines += [f"cannot be approved: {bounded(fault, 500)}\n" for fault in view.faults]
    if view.can_be_approved:
        lines.append(f"the screen refuses nothing and flags {len(view.screening.results)}\n")
    elif refusing or view.screening.not_checked:
        lines.append("the screen refuses it\n")
    return "".join(lines)


def json_view(view: ProposalView) -> dict[str, object]:
    """Return the view as plain values."""
    proposal = view.proposal
    asker = proposal.asker
    return {
        "id": proposal.id,
        "sha256": view.sha256,
        "kind": proposal.kind,
        "key": proposal.key,
        "at": proposal.at,
        "asker": {name: getattr(asker, name) for name in type(asker)._fields},
        "because": proposal.because,
        "before": view.before,
        "after": view.after,
        "read_when": view.read_when,
        "was_read_when": view.was_read_when,
        "fires": list(proposal.fires),
        "not": list(proposal.nots),
        "also_fires": list(view.also_fires),
        "review_on": view.review_on or None,
        "expires_on": view.expires_on or None,
        "endorsements": [{"client": e.client, "protocol": e.protocol, "at": e.at} for e in proposal.endorsements],
        "can_be_approved": view.can_be_approved,
        "faults": list(view.faults),
        "findings": [{"action": r.action, **plain.finding(r.finding)} for r in view.screening.results],
        "not_checked": list(view.screening.not_checked),
        "notes": list(view.notes),
    }


def text_inbox(inbox: Inbox) -> str:
    """Render one line a proposal, oldest first."""
    lines = [_inbox_line(line) for line in inbox.lines]
    shown = f"{len(inbox.lines)} of {inbox.total} waiting"
    return "".join([*lines, f"{shown}   decide with `upheld inbox --review`, or look with `upheld show ID`\n"])


def _inbox_line(line: InboxLine) -> str:
    if line.problem is not None:
        return f"{line.id}  cannot be read: {line.problem.code} {bounded(line.problem.entry.what, _LINE)}\n"
    marks = f"  flagged {','.join(line.flags)}" if line.flags else ""
    endorsed = f"  endorsed by {line.endorsed} client{'s' if line.endorsed > 1 else ''}" if line.endorsed else ""
    what = f"{line.kind:<10}  {escape(line.key)}  {bounded(line.because, _LINE)}"
    return f"{line.id}  {what}  ({bounded(line.asker, 60) or 'somebody'}){marks}{endorsed}\n"


def json_inbox(inbox: Inbox) -> dict[str, object]:
    """Return the list as plain values."""
    return {
        "proposals": [
            {
                **{name: getattr(line, name) for name in ("id", "kind", "key", "at", "asker", "because", "endorsed")},
                "flags": list(line.flags),
                "problem": plain.finding(line.problem) if line.problem is not None else None,
            }
            for line in inbox.lines
        ],
        "total": inbox.total,
    }


def text_proposed(made: Proposed) -> str:
    """Render what was proposed."""
    notes = "".join(f"note: {escape(note)}\n" for note in made.notes)
    return (
        f"proposed: {made.kind} of `{escape(made.key)}` as {made.id}\n{notes}"
        f"nothing of it is served until a person approves it: `upheld show {made.id}`\n"
    )


def text_decided(done: Decided) -> str:
    """Render what came of decisions."""
    lines = [f"approved: {one}\n" for one in done.approved]
    lines += [f"rejected: {one}\n" for one in done.rejected]
    lines += [f"left: {one}\n" for one in done.left]
    lines += [f"note: {escape(note)}\n" for note in done.notes]
    lines += [f"warning: {escape(done.warning)}\n"] if done.warning else []
    count = len(done.approved)
    sealed = f"{count} sealed in version {done.version} of the store" if count else "nothing was sealed"
    return "".join([*lines, f"{sealed}, {len(done.rejected)} rejected, {len(done.left)} left\n"])


def text_imported(made: Imported) -> str:
    """Render one line a file, N of N."""
    lines = []
    for one in made.files:
        outcome = f"proposed as {one.proposal}" if one.proposal else f"skipped: {bounded(one.skipped, 600)}"
        lines.append(f"{bounded(one.name, 200)}: {outcome}\n")
        lines += [f"  note: {escape(note)}\n" for note in one.notes]
    return "".join([*lines, f"{made.proposed} of {len(made.files)} files became proposals\n"])


def json_imported(made: Imported) -> dict[str, object]:
    """Return every file as plain values."""
    return {"files": [_fields(one) for one in made.files], "proposed": made.proposed, "total": len(made.files)}


def text_rejections(listed: Rejections) -> str:
    """Render one line a rejection; there is no text to show."""
    lines = [
        f"{escape(one.id)}  {one.at}  {escape(one.key)}  {bounded(one.because, _LINE)}\n" for one in listed.rejections
    ]
    return "".join([*lines, f"{len(listed.rejections)} rejected here   lift one with `upheld reject --lift ID`\n"])


def json_rejections(listed: Rejections) -> dict[str, object]:
    """Return them as plain values, without the sketches."""
    return {
        "rejections": [{name: getattr(o, name) for name in ("id", "key", "at", "because")} for o in listed.rejections]
    }


def _fields(value: Any) -> dict[str, object]:
    return {name: getattr(value, name) for name in type(value)._fields}


_FORMS: dict[tuple[type, str], Callable[[Any], object]] = {
    (ProposalView, "text"): text_view,
    (ProposalView, "json"): json_view,
    (Inbox, "text"): text_inbox,
    (Inbox, "json"): json_inbox,
    (Proposed, "text"): text_proposed,
    (Proposed, "json"): _fields,
    (Decided, "text"): text_decided,
    (Decided, "json"): _fields,
    (Imported, "text"): text_imported,
    (Imported, "json"): json_imported,
    (Rejections, "text"): text_rejections,
    (Rejections, "json"): json_rejections,
}
