"""What is done to copies of an unsealed store of the article's form, with every digest recomputed.

A seal would refuse all of these before any rule is looked at. Here nothing but the rule that a case names stands in
the way: dates, links, paths and forms, which a person with the key can get wrong as well.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from upheld.services.demo.case import ARTICLE, Case
from upheld.services.demo.spoil import Copy
from upheld.services.demo.store import KEY, NEIGHBOUR_RECORD, days_from
from upheld.wire.digest import sha256_hex

_case: Callable[..., Case] = partial(Case, start=ARTICLE, unsealed=True)


def _point_at_superseded(copy: Copy) -> None:
    digest = sha256_hex(copy.path(copy.old).read_bytes())
    copy.pointer(0, record_id=copy.old_id, target=copy.old, record_sha256=digest)


def _second_current(copy: Copy) -> None:
    copy.record(copy.old, status="current", superseded_by=None)


def _skip_one(copy: Copy) -> None:
    """Add a third record that is linked with the new one at both ends; the old one still names the new one as well."""
    third = copy.path(copy.old).read_bytes().replace(copy.old_id.encode(), b"release-notes-v0", 1)
    copy.write("records/release-notes-v0.json", third)
    copy.record(copy.new, supersedes="release-notes-v0")


def _circle(copy: Copy) -> None:
    copy.record(copy.new, status="superseded", superseded_by=copy.old_id)
    copy.record(copy.old, supersedes=copy.new_id)


def _successor_twice(copy: Copy) -> None:
    fields = copy.path(copy.new).read_bytes().replace(copy.new_id.encode(), b"release-notes-v3", 1)
    copy.write("records/release-notes-v3.json", fields)


def _duplicate_key(copy: Copy) -> None:
    copy.swap(copy.new, b'"status": "current"', b'"status": "current",\n  "st\\u0061tus": "current"')
    copy.rebind(copy.new)


_LINKS = "the supersession chain no longer holds together"
_DIGESTS = "a digest does not fit what it leads to"
_DATES = "the dates do not hold"
_PLACES = "a name leads somewhere else"
_FORMS = "two readers could read it differently"
_STILL = "and the way it is read"

ARTICLE_CASES: tuple[Case, ...] = (
    _case(
        group=_DIGESTS,
        name="article-pointer-edited",
        did="the pointer's digest was changed",
        spoil=lambda copy: copy.pointer(0, record_sha256="0" * 64),
        expect=("HSH002",),
    ),
    _case(
        group=_DIGESTS,
        name="article-pointer-renamed-record",
        did="the pointer names another record than the one it leads to",
        spoil=lambda copy: copy.pointer(0, record_id=NEIGHBOUR_RECORD),
        expect=("PTR003",),
    ),
    _case(
        group=_DIGESTS,
        name="article-record-edited",
        did="the review was put off by hand, in the record",
        spoil=lambda copy: copy.swap(copy.new, days_from(copy.today, 60).encode(), days_from(copy.today, 90).encode()),
        expect=("HSH002",),
    ),
    _case(
        group=_DIGESTS,
        name="article-source-edited",
        did="one word of the source was changed",
        spoil=lambda copy: copy.swap(copy.new_source, b"must change", b"may change"),
        expect=("HSH001",),
    ),
    _case(
        group=_LINKS,
        name="article-pointer-to-superseded",
        did="the pointer leads back to the superseded record",
        spoil=_point_at_superseded,
        expect=("SUP001",),
    ),
    _case(
        group=_LINKS,
        name="article-forward-link-missing",
        did="the old record no longer names its successor",
        spoil=lambda copy: copy.record(copy.old, superseded_by=None),
        expect=("SUP006",),
    ),
    _case(
        group=_LINKS,
        name="article-reverse-link-missing",
        did="the new record no longer names its predecessor",
        spoil=lambda copy: copy.record(copy.new, supersedes=None),
        expect=("LNK003",),
    ),
    _case(
        group=_LINKS,
        name="article-links-disagree",
        did="the new record names another predecessor than the one that names it",
        spoil=_skip_one,
        expect=("LNK003",),
    ),
    _case(
        group=_LINKS,
        name="article-link-to-nothing",
        did="the new record supersedes one that does not exist",
        spoil=lambda copy: copy.record(copy.new, supersedes="release-notes-v0"),
        expect=("LNK001",),
    ),
    _case(
        group=_LINKS,
        name="article-self-link",
        did="the record supersedes itself",
        spoil=lambda copy: copy.record(copy.new, supersedes=copy.new_id),
        expect=("LNK004",),
    ),
    _case(
        group=_LINKS,
        name="article-circle",
        did="the links run in a circle, and no record is current",
        spoil=_circle,
        expect=("LNK005",),
    ),
    _case(
        group=_LINKS,
        name="article-two-successors",
        did="two records claim to supersede the same one",
        spoil=_successor_twice,
        expect=("LNK006",),
    ),
    _case(
        group=_LINKS,
        name="article-two-currents",
        did="the superseded record says that it is current again",
        spoil=_second_current,
        expect=("SUP002",),
    ),
    _case(
        group=_DATES,
        name="article-review-due",
        did="a person should have looked at it today, and nobody has",
        spoil=lambda copy: copy.record(copy.new, review_on=copy.today),
        expect=("DAT001",),
    ),
    _case(
        group=_DATES,
        name="article-expired",
        did="it expires today",
        spoil=lambda copy: copy.record(copy.new, review_on=days_from(copy.today, -1), expires_on=copy.today),
        expect=("DAT002",),
    ),
    _case(
        group=_DATES,
        name="article-dates-out-of-order",
        did="the review comes after the expiry",
        spoil=lambda copy: copy.record(copy.new, review_on=days_from(copy.today, 200)),
        expect=("DAT004",),
    ),
    _case(
        group=_DATES,
        name="article-verified-tomorrow",
        did="it was verified on a day that has not come yet",
        spoil=lambda copy: copy.record(copy.new, last_verified=days_from(copy.today, 3)),
        expect=("DAT005",),
    ),
    _case(
        group=_DATES,
        name="article-date-malformed",
        did="a date is written in another form",
        spoil=lambda copy: copy.record(copy.new, review_on=days_from(copy.today, 60).replace("-", "")),
        expect=("DAT003",),
    ),
    _case(
        group=_PLACES,
        name="article-traversal",
        did="the record leads to a file outside the store (../)",
        spoil=lambda copy: copy.record(copy.new, durable_source="sources/../../secret.md"),
        expect=("STO002",),
    ),
    _case(
        group=_PLACES,
        name="article-absolute-path",
        did="the record leads to an absolute path",
        spoil=lambda copy: copy.record(copy.new, durable_source="/etc/hostname"),
        expect=("STO002",),
    ),
    _case(
        group=_FORMS,
        name="article-duplicate-json-key",
        did="the record names its status twice, once in disguise",
        spoil=_duplicate_key,
        expect=("FMT004",),
    ),
    _case(
        group=_FORMS,
        name="article-two-pointers",
        did="the index holds two pointers for one key",
        spoil=lambda copy: copy.pointer(1, key=KEY),
        expect=("PTR002",),
    ),
    _case(
        group=_FORMS,
        name="article-not-utf8",
        did="the source is rebound to bytes that are no text",
        spoil=lambda copy: copy.source(copy.new, b"Write \xff\xfe notes.\n"),
        expect=("FMT001",),
    ),
    _case(
        group=_FORMS,
        name="article-no-instruction",
        did="the source is rebound to a heading and nothing under it",
        spoil=lambda copy: copy.source(copy.new, b"# Release notes\n"),
        expect=("SRC003",),
    ),
    _case(
        group=_STILL,
        name="article-unsealed-by-accident",
        did="a sound copy, asked for without --unsealed: nobody vouches for it",
        spoil=lambda copy: None,
        expect=("SIG001",),
        unsealed=False,
    ),
    _case(
        group=_STILL,
        name="article-untouched",
        did="a copy to which nothing was done",
        spoil=lambda copy: None,
        expect=(),
    ),
)
