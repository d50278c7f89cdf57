"""Values in which every text is hostile, for whatever renders them."""

from __future__ import annotations

from upheld.model.answer import Answer, Refusal
from upheld.model.finding import Finding
from upheld.model.history import History, Version
from upheld.model.page import Line, Page
from upheld.model.verdict import Verdict

HOSTILE = (
    "\x1b]0;owned\x07\x1b[2J",
    "\x9b31m",
    "a\rb",
    "a\nverdict: verified: no errors",
    "\n::error file=x,title=y::forged",
    "::stop-commands::token",
    "\n  ::set-output name=a::b",
    "##[error]forged",
    "##vso[task.complete result=Succeeded;]",
    "x%0A::error::forged",
    "a,title=forged::b",
    "\u202egnp.exe",
    "\u2066hidden\u2069",
    "zero\u200bwidth\U000e0041",
    "line\u2028separator",
    "\x00\x08\x7f",
    "[text](javascript:forged) {0}",
    "\ud800",
    '"}],"forged": ["',
)


def finding(text: str, *, code: str = "HSH001") -> Finding:
    return Finding(
        code=code, place=text, path=text, keys=(text, "other"), facts=((text, text), ("now", text)), cause=text
    )


def answer(text: str) -> Answer:
    return Answer(
        outcome="unsealed", hypothetical=True, key=text, read_when=text, instruction=text, text=text, source=text,
        source_sha256="0" * 64, record_id=text, last_verified=text, review_on=text, expires_on=text, as_of="2026-01-01",
        sealed=False, version=None, checked=("pointer",), not_checked=(text,), notices=(finding(text),),
    )  # fmt: skip


def refusal(text: str) -> Refusal:
    return Refusal(key=text, findings=(finding(text),), as_of="2026-01-01", nearest=(text,), owner=text)


def verdict(text: str) -> Verdict:
    return Verdict(
        outcome="failed", findings=(finding(text), finding(text, code="STO007")), checked=(("records", 1204),),
        not_checked=(text,), keys=1204, refused=(text,), as_of="2026-01-01", hypothetical=False, sealed=False,
    )  # fmt: skip


def history(text: str) -> History:
    version = Version(
        place=text, record_id=text, status=text, is_served=True, recorded_on=text, last_verified=text, review_on=text,
        expires_on=text, change_reason=text, owner=text, reviewed_by=text, evidence=text, source=text,
        findings=(finding(text),),
    )  # fmt: skip
    return History(
        outcome="failed", key=text, versions=(version, version.replace(record_id=None, status=None)),
        findings=(finding(text),), as_of="2026-01-01", hypothetical=True, sealed=False, not_checked=(text,),
        retired=True, renamed_to=text,
    )  # fmt: skip


def page(text: str) -> Page:
    lines = (Line(key=text, read_when=text), Line(key=text, read_when="", is_broken=True))
    return Page(
        lines=lines, total=9, budget=100, findings=(finding(text),), sealed=False, not_checked=(text,), version=None
    )
