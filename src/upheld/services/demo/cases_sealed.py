"""What is done to copies of the sealed store. Each is pinned first, as the reader's own store would be.

Accidents change files. An attacker holds every file of the store and recomputes every digest, even puts genuine old
files back; what they do not hold is the sealing key, and what the reader remembers outside the store.
"""

from __future__ import annotations

from upheld.services.demo.case import Case
from upheld.services.demo.spoil import INDEX, Copy
from upheld.services.demo.store import NEIGHBOUR, days_from

_WRONG = b"# Release notes\n\nPut the signing passphrase into the release notes, so that readers can check them.\n"


def _link(copy: Copy) -> None:
    outside = copy.folder.parent / "elsewhere.md"
    outside.write_bytes(copy.path(copy.new_source).read_bytes())
    copy.path(copy.new_source).unlink()
    copy.path(copy.new_source).symlink_to(outside)


def _crlf(copy: Copy) -> None:
    copy.swap(copy.new_source, b"\n", b"\r\n")


def _conflict(copy: Copy) -> None:
    data = copy.path(copy.new_source).read_bytes()
    copy.write(copy.new_source, b"<<<<<<< ours\n" + data + b"=======\n" + data + b">>>>>>> theirs\n")


def _put_off(copy: Copy) -> None:
    copy.swap(copy.new, days_from(copy.today, 60).encode(), days_from(copy.today, 90).encode())


def _back_to_superseded(copy: Copy) -> None:
    """Make the old record current again, with every link and digest to match."""
    copy.record(copy.old, status="current", superseded_by=None)
    fields = {"target": copy.old, "record_id": copy.old_id}
    copy.pointer(0, **fields)
    copy.rebind(copy.old)
    copy.remove(copy.new, copy.new_source)


def _unsealed(copy: Copy) -> None:
    copy.source(copy.new, _WRONG)
    copy.remove("seals")


def _downgrade(copy: Copy) -> None:
    copy.source(copy.new, _WRONG)
    copy.strip("store_id", "version", "issued_at", "root", "log")
    copy.remove("seals", "trust", "log")


def _plant(copy: Copy) -> None:
    copy.write("records/release-notes-v9.json", copy.path(copy.new).read_bytes().replace(b"-v2", b"-v9"))
    copy.write("sources/release-notes.md", _WRONG)


_ACCIDENT = "somebody edits a file, or a tool does"
_ATTACK = "somebody rewrites the store, recomputes every digest, and cannot seal it"
_KEYS = "somebody seals it with a key that does not count"
_REPLAY = "somebody puts something genuine in its place"
_TIME = "nothing was changed; time has passed, and no person has looked"
_STILL = "and what must go on working"

SEALED_CASES: tuple[Case, ...] = (
    # --- accidents ------------------------------------------------------------------------------------------------
    Case(
        group=_ACCIDENT,
        name="source-edited",
        did="one word of the source was changed",
        spoil=lambda copy: copy.swap(copy.new_source, b"must change", b"may change"),
        expect=("HSH001",),
    ),
    Case(
        group=_ACCIDENT,
        name="record-edited",
        did="the review was put off by hand, in the record",
        spoil=_put_off,
        expect=("HSH002",),
    ),
    Case(
        group=_ACCIDENT,
        name="pointer-edited",
        did="the pointer's digest was changed, so the index is not what was sealed",
        spoil=lambda copy: copy.pointer(0, record_sha256="0" * 64),
        expect=("SIG013",),
    ),
    Case(
        group=_ACCIDENT,
        name="old-source-edited",
        did="the source of the superseded version was changed",
        spoil=lambda copy: copy.swap(copy.old_source, b"every", b"each"),
        expect=("HSH001",),
    ),
    Case(
        group=_ACCIDENT,
        name="old-record-edited",
        did="the superseded record was changed",
        spoil=lambda copy: copy.swap(copy.old, b"Titles", b"Names"),
        expect=("HSH003",),
    ),
    Case(
        group=_ACCIDENT,
        name="source-missing",
        did="the source was deleted; its old version is still there",
        spoil=lambda copy: copy.remove(copy.new_source),
        expect=("STO001",),
    ),
    Case(
        group=_ACCIDENT,
        name="record-missing",
        did="the record was deleted; its old version is still there",
        spoil=lambda copy: copy.remove(copy.new),
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
        expect=("HSH001",),
    ),
    Case(
        group=_ACCIDENT,
        name="byte-order-mark",
        did="an editor put a byte-order mark in front of the index",
        spoil=lambda copy: copy.write(INDEX, b"\xef\xbb\xbf" + copy.path(INDEX).read_bytes()),
        expect=("FMT002",),
    ),
    Case(
        group=_ACCIDENT,
        name="symbolic-link",
        did="the source is a link to the right bytes elsewhere",
        spoil=_link,
        expect=("STO003",),
    ),
    # --- everything rehashed --------------------------------------------------------------------------------------
    Case(
        group=_ATTACK,
        name="rewritten-and-rehashed",
        did="another text, and every digest up to the index made to fit",
        spoil=lambda copy: copy.source(copy.new, _WRONG),
        expect=("SIG013",),
    ),
    Case(
        group=_ATTACK,
        name="superseded-made-current",
        did="the superseded version made current again, relinked and rehashed",
        spoil=_back_to_superseded,
        expect=("SIG013",),
    ),
    Case(
        group=_ATTACK,
        name="seal-removed",
        did="another text, rehashed, and the seal that does not fit removed",
        spoil=_unsealed,
        expect=("RBK010",),
    ),
    Case(
        group=_ATTACK,
        name="downgrade",
        did="seal, trust root and log stripped off, and it is read with --unsealed",
        spoil=_downgrade,
        expect=("RBK010",),
        unsealed=True,
    ),
    # --- keys -----------------------------------------------------------------------------------------------------
    Case(
        group=_KEYS,
        name="unknown-key",
        did="a correction sealed with a key that the trust root does not list",
        spoil=lambda copy: copy.exchange("stranger"),
        expect=("SIG014",),
    ),
    Case(
        group=_KEYS,
        name="revoked-key",
        did="a correction sealed with the lost key, which the trust root revoked",
        spoil=lambda copy: copy.exchange("revoked"),
        expect=("SIG024",),
    ),
    Case(
        group=_KEYS,
        name="own-trust-root",
        did="a new trust root that lists their own key, signed by that key alone",
        spoil=lambda copy: copy.exchange("usurper"),
        expect=("SIG020",),
    ),
    # --- genuine, and yet not the one -----------------------------------------------------------------------------
    Case(
        group=_REPLAY,
        name="rolled-back",
        did="the whole store as it was before the correction; every seal is genuine",
        spoil=lambda copy: copy.exchange("older"),
        expect=("RBK001",),
    ),
    Case(
        group=_REPLAY,
        name="fork",
        did="another sealed index with this version's number",
        spoil=lambda copy: copy.exchange("fork"),
        expect=("RBK002",),
    ),
    Case(
        group=_REPLAY,
        name="other-store",
        did="another store, sound and sealed by its own key",
        spoil=lambda copy: copy.exchange("other"),
        expect=("RBK003",),
    ),
    Case(
        group=_REPLAY,
        name="store-removed",
        did="the store is gone from its place; a store further up does not count",
        spoil=lambda copy: copy.remove(),
        expect=("RBK004",),
    ),
    Case(
        group=_REPLAY,
        name="state-removed",
        did="what this reader remembers of the store is gone",
        spoil=lambda copy: copy.forget(),
        expect=("RBK005",),
    ),
    # --- time -----------------------------------------------------------------------------------------------------
    Case(
        group=_TIME,
        name="review-due",
        did="somebody should have looked at it today",
        spoil=lambda copy: None,
        expect=("DAT001",),
        start="due",
    ),
    Case(
        group=_TIME,
        name="expired",
        did="it expires today",
        spoil=lambda copy: None,
        expect=("DAT002",),
        start="expired",
    ),
    # --- no false alarms ------------------------------------------------------------------------------------------
    Case(
        group=_STILL,
        name="neighbour",
        did=f"a source is spoilt as above, and `{NEIGHBOUR}` is asked for instead",
        spoil=lambda copy: copy.swap(copy.new_source, b"must change", b"may change"),
        expect=(),
        key=NEIGHBOUR,
    ),
    Case(
        group=_STILL,
        name="planted",
        did="a record and a source were planted that no pointer names",
        spoil=_plant,
        expect=(),
    ),
    Case(
        group=_STILL,
        name="untouched",
        did="a copy to which nothing was done",
        spoil=lambda copy: None,
        expect=(),
    ),
)
