"""The one list of what is done to copies of the store, and which codes may refuse each.

A case whose ``expect`` is empty must be served: a reader that refuses everything would pass all the others.
"""

from __future__ import annotations

from collections.abc import Callable

from upheld.model.value import Value
from upheld.services.demo.spoil import Copy
from upheld.services.demo.store import KEY, NEIGHBOUR, days_from
from upheld.wire.digest import sha256_hex

_OLD, _NEW = "release-notes-v1", "release-notes-v2"
_INDEX = "index.json"
_OLD_RECORD, _NEW_RECORD = f"records/{_OLD}.json", f"records/{_NEW}.json"
_OLD_SOURCE, _NEW_SOURCE = f"sources/{_OLD}.md", f"sources/{_NEW}.md"


class Case(Value):
    """One copy of the store and what becomes of it.

    Attributes:
        group: the heading that the case stands under.
        name: a short name, unique, fit for a folder.
        did: what was done, for a reader.
        spoil: does it.
        expect: the codes that may refuse it; empty where it must be served.
        key: the key that the new process asks for.
        unsealed: whether the new process is given ``--unsealed``.
    """

    group: str
    name: str
    did: str
    spoil: Callable[[Copy], object]
    expect: tuple[str, ...]
    key: str = KEY
    unsealed: bool = True


def _link(copy: Copy, name: str) -> None:
    outside = copy.folder.parent / f"{copy.folder.name}-elsewhere"
    outside.write_bytes(copy.path(name).read_bytes())
    copy.path(name).unlink()
    copy.path(name).symlink_to(outside)


def _point_at_superseded(copy: Copy) -> None:
    digest = sha256_hex(copy.path(_OLD_RECORD).read_bytes())
    copy.pointer(0, record_id=_OLD, target=_OLD_RECORD, record_sha256=digest)


def _second_current(copy: Copy) -> None:
    copy.record(_OLD, status="current", superseded_by=None)


def _circle(copy: Copy) -> None:
    copy.record(_NEW, status="superseded", superseded_by=_OLD)
    copy.record(_OLD, supersedes=_NEW)


def _successor_twice(copy: Copy) -> None:
    fields = copy.path(_NEW_RECORD).read_bytes().replace(_NEW.encode(), b"release-notes-v3", 1)
    copy.path("records/release-notes-v3.json").write_bytes(fields)


def _crlf(copy: Copy) -> None:
    copy.swap(_NEW_SOURCE, b"\n", b"\r\n")


def _conflict(copy: Copy) -> None:
    data = copy.path(_NEW_SOURCE).read_bytes()
    copy.path(_NEW_SOURCE).write_bytes(b"<<<<<<< ours\n" + data + b"=======\n" + data + b">>>>>>> theirs\n")


def _duplicate_key(copy: Copy) -> None:
    copy.swap(_NEW_RECORD, b'"status": "current"', b'"status": "current",\n  "st\\u0061tus": "current"')
    copy.rebind(_NEW_RECORD)


_ACCIDENT = "somebody edits a file, or a tool does"
_LINKS = "the supersession chain no longer holds together"
_DATES = "time has passed"
_PLACES = "a name leads somewhere else"
_FORMS = "two readers could read it differently"
_STILL = "and what must go on working"

CASES: tuple[Case, ...] = (
    Case(
        group=_ACCIDENT,
        name="source-edited",
        did="one word of the source was changed",
        spoil=lambda copy: copy.swap(_NEW_SOURCE, b"must change", b"may change"),
        expect=("HSH001",),
    ),
    Case(
        group=_ACCIDENT,
        name="record-edited",
        did="the review was put off by hand, in the record",
        spoil=lambda copy: copy.swap(
            _NEW_RECORD, days_from(copy.today, 60).encode(), days_from(copy.today, 90).encode()
        ),
        expect=("HSH002",),
    ),
    Case(
        group=_ACCIDENT,
        name="pointer-edited",
        did="the pointer's digest was changed",
        spoil=lambda copy: copy.pointer(0, record_sha256="0" * 64),
        expect=("HSH002",),
    ),
    Case(
        group=_ACCIDENT,
        name="pointer-renamed-record",
        did="the pointer names another record than the one it leads to",
        spoil=lambda copy: copy.pointer(0, record_id="support-hours-v1"),
        expect=("PTR003", "SUP002"),
    ),
    Case(
        group=_ACCIDENT,
        name="old-source-edited",
        did="the source of the superseded version was changed",
        spoil=lambda copy: copy.swap(_OLD_SOURCE, b"every", b"each"),
        expect=("HSH001",),
    ),
    Case(
        group=_ACCIDENT,
        name="source-missing",
        did="the source was deleted; its old version is still there",
        spoil=lambda copy: copy.path(_NEW_SOURCE).unlink(),
        expect=("STO001",),
    ),
    Case(
        group=_ACCIDENT,
        name="record-missing",
        did="the record was deleted; its old version is still there",
        spoil=lambda copy: copy.path(_NEW_RECORD).unlink(),
        expect=("STO001",),
    ),
    Case(
        group=_ACCIDENT,
        name="line-endings",
        did="a checkout converted the line endings to CRLF",
        spoil=_crlf,
        expect=("HSH001",),
    ),
    Case(
        group=_ACCIDENT,
        name="merge-marker",
        did="a merge was left unfinished in the source",
        spoil=_conflict,
        expect=("HSH001", "FMT011"),
    ),
    Case(
        group=_ACCIDENT,
        name="byte-order-mark",
        did="an editor put a byte-order mark in front of the index",
        spoil=lambda copy: copy.path(_INDEX).write_bytes(b"\xef\xbb\xbf" + copy.path(_INDEX).read_bytes()),
        expect=("FMT002",),
    ),
    Case(
        group=_LINKS,
        name="pointer-to-superseded",
        did="the pointer leads back to the superseded record",
        spoil=_point_at_superseded,
        expect=("SUP001",),
    ),
    Case(
        group=_LINKS,
        name="forward-link-missing",
        did="the old record no longer names its successor",
        spoil=lambda copy: copy.record(_OLD, superseded_by=None),
        expect=("SUP006", "LNK003"),
    ),
    Case(
        group=_LINKS,
        name="reverse-link-missing",
        did="the new record no longer names its predecessor",
        spoil=lambda copy: copy.record(_NEW, supersedes=None),
        expect=("LNK003",),
    ),
    Case(
        group=_LINKS,
        name="links-disagree",
        did="the two ends of the chain name different records",
        spoil=lambda copy: copy.record(_OLD, superseded_by="support-hours-v1"),
        expect=("LNK003", "SUP002"),
    ),
    Case(
        group=_LINKS,
        name="link-to-nothing",
        did="the new record supersedes one that does not exist",
        spoil=lambda copy: copy.record(_NEW, supersedes="release-notes-v0"),
        expect=("LNK001", "LNK003"),
    ),
    Case(
        group=_LINKS,
        name="self-link",
        did="the record supersedes itself",
        spoil=lambda copy: copy.record(_NEW, supersedes=_NEW),
        expect=("LNK004",),
    ),
    Case(
        group=_LINKS,
        name="circle",
        did="the links run in a circle, and no record is current",
        spoil=_circle,
        expect=("LNK005", "SUP001"),
    ),
    Case(
        group=_LINKS,
        name="two-successors",
        did="two records claim to supersede the same one",
        spoil=_successor_twice,
        expect=("LNK006", "SUP002"),
    ),
    Case(
        group=_LINKS,
        name="two-currents",
        did="the superseded record says that it is current again",
        spoil=_second_current,
        expect=("SUP002", "LNK003"),
    ),
    Case(
        group=_DATES,
        name="review-due",
        did="a person should have looked at it today, and nobody has",
        spoil=lambda copy: copy.record(_NEW, review_on=copy.today),
        expect=("DAT001",),
    ),
    Case(
        group=_DATES,
        name="expired",
        did="it expires today",
        spoil=lambda copy: copy.record(_NEW, review_on=days_from(copy.today, -1), expires_on=copy.today),
        expect=("DAT002",),
    ),
    Case(
        group=_DATES,
        name="dates-out-of-order",
        did="the review comes after the expiry",
        spoil=lambda copy: copy.record(_NEW, review_on=days_from(copy.today, 200)),
        expect=("DAT004",),
    ),
    Case(
        group=_DATES,
        name="verified-tomorrow",
        did="it was verified on a day that has not come yet",
        spoil=lambda copy: copy.record(_NEW, last_verified=days_from(copy.today, 3)),
        expect=("DAT005",),
    ),
    Case(
        group=_DATES,
        name="date-malformed",
        did="a date is written in another form",
        spoil=lambda copy: copy.record(_NEW, review_on=days_from(copy.today, 60).replace("-", "")),
        expect=("DAT003",),
    ),
    Case(
        group=_PLACES,
        name="traversal",
        did="the record leads to a file outside the store (../)",
        spoil=lambda copy: copy.record(_NEW, durable_source="sources/../../secret.md"),
        expect=("STO002",),
    ),
    Case(
        group=_PLACES,
        name="absolute-path",
        did="the record leads to an absolute path",
        spoil=lambda copy: copy.record(_NEW, durable_source="/etc/hostname"),
        expect=("STO002",),
    ),
    Case(
        group=_PLACES,
        name="symbolic-link",
        did="the source is a link to the right bytes elsewhere",
        spoil=lambda copy: _link(copy, _NEW_SOURCE),
        expect=("STO003",),
    ),
    Case(
        group=_FORMS,
        name="duplicate-json-key",
        did="the record names its status twice, once in disguise",
        spoil=_duplicate_key,
        expect=("FMT004",),
    ),
    Case(
        group=_FORMS,
        name="two-pointers",
        did="the index holds two pointers for one key",
        spoil=lambda copy: copy.pointer(1, key=KEY),
        expect=("PTR002",),
    ),
    Case(
        group=_FORMS,
        name="not-utf8",
        did="the source is rebound to bytes that are no text",
        spoil=lambda copy: copy.source(_NEW, b"Write \xff\xfe notes.\n"),
        expect=("FMT001",),
    ),
    Case(
        group=_FORMS,
        name="no-instruction",
        did="the source is rebound to a heading and nothing under it",
        spoil=lambda copy: copy.source(_NEW, b"# Release notes\n"),
        expect=("SRC003",),
    ),
    Case(
        group=_STILL,
        name="unsealed-by-accident",
        did="a sound copy, asked for without --unsealed: nobody vouches for it",
        spoil=lambda copy: None,
        expect=("SIG001",),
        unsealed=False,
    ),
    Case(
        group=_STILL,
        name="neighbour",
        did=f"the source is spoilt as above, and `{NEIGHBOUR}` is asked for instead",
        spoil=lambda copy: copy.swap(_NEW_SOURCE, b"must change", b"may change"),
        expect=(),
        key=NEIGHBOUR,
    ),
    Case(
        group=_STILL,
        name="untouched",
        did="a copy to which nothing was done",
        spoil=lambda copy: None,
        expect=(),
    ),
)
