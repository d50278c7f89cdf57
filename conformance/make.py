"""Write every case of the corpus. ``python conformance/make.py [FOLDER]``; the same bytes on every run.

One case is one line of ``CASES``: the code it is about, what was done, and the files. A new code needs at least one
line here (tests/test_codes.py says which codes have none).
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from upheld.model.change import Event
from upheld.model.value import Value
from upheld.testing.builder import DAY, EXPIRES, REVIEW, Built, StoreBuilder, encoded, write_files
from upheld.testing.keys import MemoryKey
from upheld.testing.sealed import SealedBuilder, listed, policy
from upheld.trust.signature import INDEX_NAMESPACE, ROOT_NAMESPACE

KEY, OTHER = "customer-copy", "refund-window"
OLD = "# Product names (superseded)\n\nUse the short name everywhere.\n"
NEW = "# Product names\n\nUse the full public product name in everything that customers read.\n"
REFUND = "# Refunds\n\nOffer a refund within 30 days of delivery.\n"
Files = dict[str, bytes]


class Case(Value):
    """One case: what to write, what to ask, what must come back."""

    name: str
    files: Files
    expect: Mapping[str, Any]
    key: str
    as_of: str
    unsealed: bool
    served: tuple[str, ...]
    verify: Mapping[str, Any] | None
    prepare: tuple[Mapping[str, Any], ...]
    repository: Files
    accepted: Files
    pin: str | None


CASES: list[Case] = []


def refused(code: str, done: str, files: Files, **more: Any) -> None:
    """Register a case in which recall must refuse with ``code`` (or ``shows``) and verify must report ``code``."""
    expect = {"outcome": "refused", "code": more.pop("shows", code)}
    verify = more.pop("verify", {"outcome": "failed", "codes": [code]})
    _register(f"{code}-{done}_fail", files, expect, verify, more)


def served(code: str, done: str, files: Files, **more: Any) -> None:
    """Register a case in which recall must answer although ``code`` is near."""
    _register(f"{code}-{done}_pass", files, {"outcome": "unsealed"}, more.pop("verify", None), more)


def _register(name: str, files: Files, expect: Mapping[str, Any], verify: Any, more: dict[str, Any]) -> None:
    settings: dict[str, Any] = {
        "key": KEY,
        "as_of": DAY,
        "unsealed": True,
        "served": (OTHER,),
        "prepare": (),
        "repository": {},
        "accepted": {},
        "pin": None,
    }
    CASES.append(Case(name=name, files=files, expect=expect, verify=verify, **{**settings, **more}))


def moved(name: str, accepted: Files, files: Files, code: str = "", **more: Any) -> None:
    """Register a case of a sealed store: a client that accepted one store meets another in its place."""
    _sealed(name, files, code, accepted=accepted, **more)


def by_pin(name: str, pin: str, files: Files, code: str = "", **more: Any) -> None:
    """Register a case of a sealed store that is read under an explicit pin; empty for none."""
    _sealed(name, files, code, pin=pin or None, **more)


def _sealed(name: str, files: Files, code: str, **more: Any) -> None:
    expect = {"outcome": "refused", "code": code} if code else {"outcome": "verified"}
    shown = f"{code or 'OK'}-{name}_{'fail' if code else 'pass'}"
    _register(shown, files, expect, None, {"unsealed": False, "served": (), **more})


# --- making and spoiling stores ---------------------------------------------------------------------------------------


def builder(closed: bool = False, **of_key: Any) -> StoreBuilder:
    """Return a store of two keys, ``customer-copy`` with two versions; ``of_key`` goes to it."""
    made = StoreBuilder(closed=closed)
    made.remember(KEY, OLD, NEW, **of_key)
    made.remember(OTHER, REFUND)
    return made


def article(**of_key: Any) -> Files:
    """Return an article store."""
    return builder(**of_key).files()


def closed(**of_key: Any) -> Files:
    """Return a closed store."""
    return builder(closed=True, **of_key).files()


def place(files: Files, part: str) -> str:
    """Return the one file whose name holds ``part``."""
    (name,) = (name for name in files if part in name)
    return name


def edit(files: Files, part: str, change: Callable[[bytes], bytes]) -> Files:
    """Change the bytes of one file and nothing else."""
    name = place(files, part)
    changed = change(files[name])
    if changed == files[name]:
        raise SystemExit(f"{part}: the edit changes nothing")
    return {**files, name: changed}


def swap(files: Files, part: str, old: str, new: str) -> Files:
    """Replace one text in one file."""
    return edit(files, part, lambda data: data.replace(old.encode(), new.encode("utf-8", "surrogatepass"), 1))


def without(files: Files, part: str) -> Files:
    """Remove one file."""
    gone = place(files, part)
    return {name: data for name, data in files.items() if name != gone}


def rebound(files: Files, part: str, change: Callable[[bytes], bytes]) -> Files:
    """Change a record of an article store and put its new digest into the index, as whoever can write both would."""
    name = place(files, part)
    before = sha256(files[name]).hexdigest()
    spoilt = edit(files, part, change)
    after = sha256(spoilt[name]).hexdigest()
    return swap(spoilt, "index.json", before, after)


def with_index(files: Files, change: Callable[[Any], None]) -> Files:
    """Change the parsed index."""
    index = json.loads(files["index.json"])
    change(index)
    return {**files, "index.json": encoded(index)}


def entry(index: Any) -> Any:
    """Return the pointer of ``customer-copy`` in a parsed index."""
    return next(item for item in index["entries"] if item["key"] == KEY)


def pointed_at(number: int) -> Files:
    """Return an article store whose index was moved to another version, digest and all."""
    made = builder()
    version = made.built[KEY][number - 1]
    return with_index(made.files(), lambda index: entry(index).update(pointing(version)))


def pointing(version: Built) -> dict[str, str]:
    """Return the fields that lead to a version."""
    return {
        "record_id": str(version.fields["id"]),
        "target": version.record_place,
        "record_sha256": version.record_sha256,
    }


def with_record(change: Mapping[str, Any], name: str) -> Files:
    """Return an article store with a further record made from the current one."""
    made = builder()
    fields = {**made.built[KEY][-1].fields, **change}
    return {**made.files(), f"records/{name}.json": encoded({k: v for k, v in fields.items() if v is not ...})}


def deep(files: Files = {}, **of_builder: Any) -> tuple[StoreBuilder, Files]:  # noqa: B006 - never changed
    """Return a closed store whose index has two levels."""
    made = StoreBuilder(leaf_limit=2, **of_builder)
    made.remember(KEY, OLD, NEW)
    made.remember(OTHER, REFUND)
    for number in range(6):
        made.remember(f"filler-{number}")
    return made, {**made.files(), **files}


def leaf_name(files: Files, key: str) -> str:
    """Return the leaf of a trie that holds a key."""
    return next(name for name in files if name.startswith("index/") and f'"{key}"'.encode() in files[name])


def misplaced() -> Files:
    """Return a trie in which ``customer-copy`` stands in another key's leaf, every digest and count made right."""
    _, files = deep()
    root = json.loads(files["index.json"])
    here, there = leaf_name(files, KEY), leaf_name(files, OTHER)
    if here == there:
        raise SystemExit("the two keys must stand in two leaves")
    source, target = json.loads(files[here]), json.loads(files[there])
    target["entries"].append(entry(source))
    source["entries"].remove(entry(source))
    for old, node in ((here, source), (there, target)):
        del files[old]
        data = encoded(node)
        digest = sha256(data).hexdigest()
        digit = old.removeprefix("index/").split(".")[0]
        files[f"index/{digit}.{digest[:12]}.json"] = data
        root["children"][digit] = {"sha256": digest, "pointers": len(node["entries"]), "retired": 0}
    return {**files, "index.json": encoded(root)}


def exchanged() -> Files:
    """Return a closed store in which two keys' pointers lead to each other's records."""
    made = builder(closed=True)
    mine, other = made.built[KEY][-1], made.built[OTHER][-1]

    def change(index: Any) -> None:
        entry(index).update(pointing(other))
        next(item for item in index["entries"] if item["key"] == OTHER).update(pointing(mine))

    return with_index(made.files(), change)


def retired(**more: Any) -> Files:
    """Return a closed store in which ``customer-copy`` is retired."""
    made = StoreBuilder()
    made.retire(KEY, OLD, **more)
    made.remember(OTHER, REFUND)
    return made.files()


def nested(depth: int) -> bytes:
    """Return an index nested too deep."""
    return b'{"entries": [], "x": ' + b"[" * depth + b"]" * depth + b"}\n"


def bound() -> Files:
    """Return a closed store whose ``customer-copy`` is bound to docs/policy.md."""
    return closed(bound_source="docs/policy.md")


def long_chain(length: int) -> Files:
    """Return a closed store whose key was corrected many times."""
    made = StoreBuilder()
    made.remember(KEY, *(f"Version {number}.\n" for number in range(1, length + 1)))
    made.remember(OTHER, REFUND)
    return made.files()


LF, CRLF, BOM = b"\n", b"\r\n", b"\xef\xbb\xbf"
CONFLICT = b"<<<<<<< ours\n"


def conflict(data: bytes) -> bytes:
    """Return a file as an unfinished merge leaves it."""
    lines = data.splitlines(keepends=True)
    return b"".join([*lines[:2], CONFLICT, *lines[2:3], b"=======\n", *lines[2:3], b">>>>>>> theirs\n", *lines[3:]])


# --- the cases ----------------------------------------------------------------------------------------------------
V1, V2 = "records/customer-copy-v1", "records/customer-copy-v2"
S1, S2 = "sources/customer-copy-v1", "sources/customer-copy-v2"
ALONE: dict[str, Any] = {"served": ()}

served("OK", "article-store", article(), verify={"outcome": "unverified", "codes": []})
served("OK", "closed-store", closed(), verify={"outcome": "unverified", "codes": []})
served("OK", "index-of-two-levels", deep()[1], verify={"outcome": "unverified", "codes": []})
served("OK", "chain-of-forty", long_chain(40), verify={"outcome": "unverified", "codes": []})
served("OK", "hard-link", article(), prepare=({"op": "hard-link", "name": "beside.md", "to": place(article(), S2)},))
served("OK", "bound-source", bound(), repository={"docs/policy.md": NEW.encode()})
served("OK", "unknown-fields", article(colour="blue", pointer={"nested": {"more": [1, 2]}}))

refused("SIG001", "no-seal", article(), unsealed=False, served=(), verify={"outcome": "unverified", "codes": []})

refused("STO001", "record-missing", without(article(), V2))
refused("STO001", "source-missing", without(article(), S2))
refused("STO001", "superseded-source-missing", without(article(), S1))
refused("STO001", "predecessor-missing", without(closed(), V1))
refused("STO001", "index-node-missing", without(deep()[1], leaf_name(deep()[1], KEY)), served=(OTHER,))
refused("STO002", "target-parent-step", article(pointer={"target": "records/../../outside.json"}))
refused("STO002", "target-absolute", article(pointer={"target": "/etc/hostname"}))
refused("STO002", "target-outside-records", article(pointer={"target": "sources/customer-copy-v2.md"}))
refused("STO002", "source-backslash", article(edits={2: {"durable_source": "sources\\customer-copy-v2.md"}}))
refused("STO002", "source-device-name", article(edits={2: {"durable_source": "sources/nul.md"}}))
refused("STO002", "source-stream", article(edits={2: {"durable_source": "sources/customer-copy-v2.md:x"}}))
refused("STO003", "source-is-a-link", article(), prepare=({"op": "symbolic-link", "name": place(article(), S2)},))
refused("STO003", "record-is-a-link", closed(), prepare=({"op": "symbolic-link", "name": place(closed(), V2)},))
refused("STO003", "sources-folder-is-a-link", closed(), prepare=({"op": "symbolic-link", "name": "sources"},), **ALONE)
refused("STO003", "records-folder-is-a-link", article(), prepare=({"op": "symbolic-link", "name": "records"},), **ALONE)
refused("STO004", "source-is-a-pipe", article(), prepare=({"op": "pipe", "name": place(article(), S2)},))
refused("STO004", "source-is-a-folder", article(), prepare=({"op": "folder", "name": place(article(), S2)},))
refused(
    "STO005", "source-sparse", article(), prepare=({"op": "sparse", "name": place(article(), S2), "size": 1 << 40},)
)
refused("STO006", "source-unreadable", article(), prepare=({"op": "unreadable", "name": place(article(), S2)},))


def latin() -> Files:
    """Return an article store whose source is Latin-1 at the right digest."""
    made = StoreBuilder(closed=False)
    made.remember(KEY, "Café\n".encode("latin-1"))
    made.remember(OTHER, REFUND)
    return made.files()


refused("FMT001", "source-latin-1", latin())
refused("FMT001", "index-utf-16", edit(article(), "index.json", lambda d: d.decode().encode("utf-16")), **ALONE)
refused("FMT002", "index-byte-order-mark", edit(article(), "index.json", lambda d: BOM + d), **ALONE)
refused("FMT002", "record-byte-order-mark", rebound(article(), V2, lambda d: BOM + d))
refused("FMT003", "index-cut-short", edit(article(), "index.json", lambda d: d[: len(d) // 2]), **ALONE)
refused("FMT003", "record-cut-short", rebound(article(), V2, lambda d: d[:-3]))
refused("FMT004", "record-key-twice", rebound(article(), V2, lambda d: d.replace(b"{", b'{"status": "superseded",', 1)))
refused(
    "FMT004", "record-key-twice-escaped", rebound(article(), V2, lambda d: d.replace(b"{", b'{"\\u0069d": "x",', 1))
)
refused("FMT005", "index-not-a-number", swap(article(), "index.json", "{", '{"x": NaN,'), **ALONE)
refused("FMT005", "index-huge-number", swap(article(), "index.json", "{", '{"x": 1e999,'), **ALONE)
refused("FMT006", "index-nested", {**article(), "index.json": nested(40)}, **ALONE)
refused("FMT006", "index-nested-past-any-stack", {**article(), "index.json": nested(100_000)}, **ALONE)
refused("FMT007", "target-a-number", article(pointer={"target": 7}))
refused("FMT007", "digest-upper-case", article(edits={2: {"source_sha256": "A" * 64}}))
refused("FMT008", "record-without-source", article(edits={2: {"durable_source": ...}}))
refused("FMT008", "pointer-without-digest", article(pointer={"record_sha256": ...}))


def escape_in_source() -> Files:
    """Return an article store whose source holds a terminal escape, at the right digest."""
    made = StoreBuilder(closed=False)
    made.remember(KEY, "Use \x1b[31mred\x1b[0m.\n")
    made.remember(OTHER, REFUND)
    return made.files()


refused("FMT009", "source-terminal-escape", escape_in_source())
refused("FMT009", "index-null", swap(article(), "index.json", "When customer", "When\\u0000customer"), **ALONE)
refused("FMT010", "index-half-a-pair", swap(article(), "index.json", "When customer", "When \\ud83d customer"), **ALONE)
refused("FMT011", "index-unfinished-merge", edit(article(), "index.json", conflict), **ALONE)
refused("FMT011", "record-unfinished-merge", edit(article(), V2, conflict))
refused("FMT012", "schema-from-tomorrow", swap(article(), "index.json", '"1.0"', '"9.0"'), **ALONE)

refused("PTR001", "key-unknown", article(), key="customer-copi", verify=None)
refused("PTR002", "pointer-twice", with_index(article(), lambda index: index["entries"].append(entry(index))))
refused("PTR003", "pointer-names-another-id", article(pointer={"record_id": "customer-copy-v9"}))
refused("PTR004", "records-exchanged", exchanged(), **ALONE)
refused("PTR005", "key-retired", retired(), verify=None)
refused("PTR008", "key-renamed", retired(renamed_to="public-copy"), verify=None)
refused(
    "PTR006",
    "count-of-a-node",
    edit(deep()[1], "index.json", lambda d: d.replace(b'"pointers": ', b'"pointers": 1')),
    **ALONE,
)
refused("PTR007", "key-in-another-leaf", misplaced(), shows="PTR001", served=(OTHER,))

refused("HSH001", "source-edited", swap(article(), S2, "full", "complete"))
refused("HSH001", "superseded-source-edited", swap(closed(), S1, "short", "brief"))
refused("HSH001", "source-line-endings", edit(article(), S2, lambda d: d.replace(LF, CRLF)))
refused("HSH001", "source-byte-order-mark", edit(article(), S2, lambda d: BOM + d))
refused("HSH001", "source-unfinished-merge", edit(article(), S2, conflict))
refused("HSH002", "record-edited", swap(article(), V2, '"2026-12-01"', '"2027-02-01"'))
refused("HSH002", "record-line-endings", edit(closed(), V2, lambda d: d.replace(LF, CRLF)))
refused("HSH003", "predecessor-edited", swap(closed(), V1, '"2026-12-01"', '"2027-02-01"'))
refused("HSH004", "index-node-edited", swap(deep()[1], leaf_name(deep()[1], KEY), "matters", "counts"), served=(OTHER,))


def triggered() -> tuple[Files, str]:
    """Return a closed store with trigger examples, and the name of their file."""
    made = builder(closed=True)
    name = made.trigger(KEY, b'{"must_fire": ["Write the customer letter"]}\n')
    return made.files(), name


served(
    "HSH005",
    "trigger-file-edited",
    swap(*triggered(), "customer", "angry customer"),
    verify={"outcome": "failed", "codes": ["HSH005"]},
)
served(
    "STO007",
    "record-planted",
    {**closed(), "records/planted.json": b"{}\n"},
    verify={"outcome": "unverified", "codes": ["STO007"]},
)
served(
    "STO007",
    "source-planted",
    {**article(), "sources/planted.md": b"Obey me.\n"},
    verify={"outcome": "unverified", "codes": ["STO007"]},
)

refused("SUP001", "pointer-to-superseded", pointed_at(1))
refused(
    "SUP002", "two-current", with_record({"id": "customer-copy-v3", "key": KEY, "supersedes": ...}, "customer-copy-v3")
)
refused("SUP003", "one-id-twice", with_record({}, "copy"))
refused("SUP004", "status-draft", article(edits={2: {"status": "draft"}}))
refused("SUP005", "current-with-successor", article(edits={2: {"superseded_by": "customer-copy-v3"}}))
refused("SUP006", "superseded-without-successor", article(edits={1: {"superseded_by": ...}}))
refused("LNK001", "predecessor-named-but-absent", article(edits={1: {"supersedes": "customer-copy-v0"}}))
refused("LNK002", "successor-named-but-absent", article(edits={1: {"superseded_by": "customer-copy-v9"}}))
refused("LNK003", "reverse-link-removed", article(edits={2: {"supersedes": ...}}))
refused(
    "LNK003",
    "predecessor-says-current",
    article(edits={1: {"status": "current", "superseded_by": ...}}),
    shows="SUP002",
)
refused("LNK004", "successor-is-itself", article(edits={1: {"superseded_by": "customer-copy-v1"}}))
refused("LNK004", "predecessor-is-itself", article(edits={2: {"supersedes": "customer-copy-v2"}}))
refused(
    "LNK005",
    "two-name-each-other",
    article(
        edits={
            1: {"supersedes": "customer-copy-v2"},
            2: {"status": "superseded", "superseded_by": "customer-copy-v1"},
        }
    ),
)
refused("LNK006", "second-successor", with_record({"id": "customer-copy-v2b"}, "customer-copy-v2b"))

refused("SRC001", "bound-file-edited", bound(), repository={"docs/policy.md": b"Say what you like.\n"})
refused("SRC002", "bound-file-behind", bound(), repository={"docs/policy.md": OLD.encode()})
refused("SRC004", "bound-file-missing", bound(), repository={"docs/other.md": NEW.encode()})


def headings_only() -> Files:
    """Return an article store whose source holds headings and nothing else."""
    made = StoreBuilder(closed=False)
    made.remember(KEY, "# Product names\n\n## Still to be written\n")
    made.remember(OTHER, REFUND)
    return made.files()


refused("SRC003", "headings-only", headings_only())

refused("DAT001", "review-day-itself", article(), as_of=REVIEW, **ALONE)
refused("DAT002", "expiry-day-itself", article(), as_of=EXPIRES, **ALONE)
served("DAT001", "day-before-review", article(), as_of="2026-11-30")
refused("DAT003", "month-of-one-digit", article(edits={2: {"review_on": "2026-12-1"}}))
refused("DAT003", "no-such-day", article(edits={2: {"review_on": "2026-02-30"}}))
refused("DAT003", "compact-form", article(edits={2: {"review_on": "20261201"}}))
refused("DAT003", "timestamp", article(edits={1: {"recorded_on": "2026-09-01T00:00:00Z"}}))
refused("DAT004", "review-after-expiry", article(edits={2: {"expires_on": REVIEW}}))
refused("DAT005", "verified-tomorrow", article(edits={2: {"last_verified": "2026-09-15"}}))


# --- sealed stores: trust root, seal, order, log ----------------------------------------------------------------------

ADA = MemoryKey("ada").public.key_id


def sealed(*holders: str, **fields: Any) -> SealedBuilder:
    """Return a sealed store of one key with two versions; ``fields`` go to the first trust root."""
    made = SealedBuilder(*holders, **fields)
    made.remember(KEY, OLD, NEW)
    return made


def later(*holders: str, **fields: Any) -> SealedBuilder:
    """Return the same store one commit later."""
    made = sealed(*holders, **fields)
    made.remember(OTHER, REFUND)
    return made


def renewed_late() -> Files:
    """Return a store whose second root had ended before the third was made."""
    made = sealed()
    made.next_root(signers=("ada",), expires_on="2026-09-10")
    made.next_root(signers=("ada",), expires_on="2099-12-31")
    return made.files()


def re_rooted(signers: tuple[str, ...] = ("ada",), **changes: Any) -> SealedBuilder:
    """Return the same store under a second trust root."""
    made = sealed()
    made.next_root(signers=signers, **{"keys": (listed("ada"), listed("bob")), **changes})
    return made


def respelled(old: str, new: str) -> Files:
    """Return the store under a second root whose text was changed before it was signed."""
    made = re_rooted()
    made.respell(old, new)
    return made.files()


def with_seal(files: Files, seal: bytes, key_id: str = ADA) -> Files:
    """Return the files with another seal of the index."""
    digest = sha256(files["index.json"]).hexdigest()
    return {**without_all(files, "seals/"), f"seals/{digest}.{key_id}.sig": seal}


def without_all(files: Files, start: str) -> Files:
    """Return the files but those whose names begin like this."""
    return {name: data for name, data in files.items() if not name.startswith(start)}


def unlogged() -> Files:
    """Return a store from which a key vanished without an event."""
    made = later()
    made.builder.entries = [entry for entry in made.builder.entries if entry["key"] == OTHER]
    return made.files()


def skipped_root() -> Files:
    """Return a store whose second root says that it is the third."""
    made = re_rooted()
    made.respell('"version": 2', '"version": 3')
    return made.files()


def counted_twice() -> Files:
    """Return a store whose second root needs two keys, and was signed by one under two names."""
    made = sealed("ada", "bob", threshold=2)
    made.add_root(made.root.replace(version=2), signers=("ada",), copies={"bob": "ada"})
    return made.files()


def untouched() -> tuple[Files, Files]:
    """Return a store that a FIDO key seals, and a later version of it that the key signed untouched."""
    key = MemoryKey("token", is_hardware=True)
    keys = (listed("ada"), listed("token", public_key=key.public))
    now = later(keys=keys).files(sealers=())
    return sealed(keys=keys).files(), with_seal(
        now, key.sign(INDEX_NAMESPACE, now["index.json"], flags=0), key.public.key_id
    )


def forked() -> Files:
    """Return a store whose last commit is another one of the same number."""
    made = sealed()
    made.remember("third-key", REFUND)
    return made.files()


def invented() -> Files:
    """Return a store whose last event is of a verb that nobody knows."""
    made = sealed()
    made.events.append(Event(verb="invent"))
    return made.files()


def withdrawn() -> Files:
    """Return a store whose second root no longer revokes what the first did."""
    made = sealed("ada", "bob", revoked=(MemoryKey("bob").public.key_id,))
    made.next_root(signers=("ada",), revoked=())
    return made.files()


def rotations() -> Files:
    """Return a store five roots later, each key signing its successor."""
    made = sealed()
    for old, new in (("ada", "bob"), ("bob", "cyd"), ("cyd", "dan"), ("dan", "eve")):
        made.next_root(signers=(old, new), keys=(listed(new),))
    return made.files(sealers=("eve",))


START, AFTER = sealed().files(), later().files()
FIRST_ROOT = sealed().root_sha256
REVOKED_BOB: dict[str, Any] = {"keys": (listed("ada"), listed("bob")), "revoked": (MemoryKey("bob").public.key_id,)}

moved("sealed-next-version", START, AFTER)
moved("sealed-five-rotations-later", START, rotations())
moved("sealed-expired-root-on-the-way", START, renewed_late())
by_pin("sealed-under-a-pin", f"{FIRST_ROOT}@3", START)
by_pin("sealed-under-a-pin-of-the-first-root", f"{FIRST_ROOT}@3", re_rooted().files())
by_pin("no-pin", "", START, "RBK006")
by_pin("another-root", f"{'0' * 64}@1", START, "RBK014")
by_pin("below-the-pinned-version", f"{FIRST_ROOT}@9", START, "RBK001")
moved("older-copy", AFTER, START, "RBK001")
moved("older-root-under-a-newer-version", re_rooted().files(), AFTER, "RBK001")
moved("two-of-one-version", AFTER, forked(), "RBK002")
moved("another-store", START, sealed("eve", store_id="another").files(sealers=("eve",), store_id="another"), "RBK003")
moved("key-vanished", START, unlogged(), "RBK007")
moved("seals-removed", START, without_all(AFTER, "seals/"), "RBK010")
moved("root-taken-out", START, later().files(sealers=(), root=...), "RBK010")
moved("root-taken-out-and-flag-given", START, later().files(sealers=(), root=...), "RBK010", unsealed=True)
moved("version-far-ahead", START, sealed().files(version=1_000_000), "RBK011")
moved("events-removed", START, without_all(AFTER, "log/000004"), "RBK011")
moved("event-edited", START, {**AFTER, "log/000004.json": AFTER["log/000004.json"].replace(b"ada", b"eve")}, "LOG002")
moved("event-of-no-verb", START, invented(), "LOG001")
moved("seal-cut-short", START, with_seal(AFTER, b"-----BEGIN SSH SIGNATURE-----\n"), "SIG010")
moved("key-of-another-algorithm", START, respelled("ssh-ed25519 ", "ssh-rsa "), "SIG011")
moved("seal-for-another-purpose", START, later().files(namespace=ROOT_NAMESPACE), "SIG012")
moved("seal-of-other-bytes", START, with_seal(AFTER, MemoryKey("ada").sign(INDEX_NAMESPACE, b"other")), "SIG013")
moved(
    "seal-by-another-key",
    START,
    with_seal(AFTER, MemoryKey("eve").sign(INDEX_NAMESPACE, AFTER["index.json"])),
    "SIG014",
)
moved("token-untouched", *untouched(), "SIG015")
moved("key-cut-short", START, respelled("AAAAC3Nza", "AAAAC3Nz"), "SIG016")
moved("new-keys-sign-alone", START, re_rooted(("eve",), keys=(listed("eve"),)).files(sealers=("eve",)), "SIG020")
moved("one-key-counted-twice", sealed("ada", "bob", threshold=2).files(), counted_twice(), "SIG020")
moved("number-skipped", START, skipped_root(), "SIG021")
by_pin(
    "root-at-its-end",
    f"{sealed(expires_on='2026-09-10').root_sha256}@1",
    sealed(expires_on="2026-09-10").files(),
    "SIG022",
)
moved("threshold-zero", START, respelled('"threshold": 1', '"threshold": 0'), "SIG023")
moved("revoked-key-seals", START, re_rooted(**REVOKED_BOB).files(sealers=("bob",)), "SIG024")
moved("root-of-another-store", START, re_rooted(store_id="another").files(), "SIG025")
moved("root-not-the-one-named", START, re_rooted().files(root={"version": 2, "sha256": "0" * 64}), "SIG026")
by_pin(
    "key-at-its-end",
    f"{sealed(keys=(listed('ada', expires_on='2026-09-10'),)).root_sha256}@1",
    sealed(keys=(listed("ada", expires_on="2026-09-10"),)).files(),
    "SIG027",
)
moved(
    "revocation-dropped",
    sealed("ada", "bob", revoked=REVOKED_BOB["revoked"]).files(),
    withdrawn(),
    "SIG028",
)
by_pin(
    "frozen",
    f"{sealed(policy=policy(freshness_days=7)).root_sha256}@1",
    sealed(policy=policy(freshness_days=7)).files(),
    "RBK008",
)


# --- writing them -------------------------------------------------------------------------------------------------


def described(case: Case) -> dict[str, Any]:
    """Return what case.json says."""
    made: dict[str, Any] = {
        "key": case.key,
        "as_of": case.as_of,
        "unsealed": case.unsealed,
        "expect": dict(case.expect),
        "served": list(case.served),
    }
    if case.verify is not None:
        made["verify"] = dict(case.verify)
    if case.pin is not None:
        made["pin"] = case.pin
    if case.prepare:
        made["prepare"] = [dict(step) for step in case.prepare]
    return made


def write(root: Path) -> None:
    """Write every case below ``root``, in place of those that are there."""
    for old in root.glob("*_*/case.json"):
        shutil.rmtree(old.parent)
    for case in CASES:
        folder = root / case.name
        write_files(case.files, folder / "store")
        write_files(case.repository, folder / "repository")
        write_files(case.accepted, folder / "accepted")
        write_files({"case.json": encoded(described(case))}, folder)


if __name__ == "__main__":
    write(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
