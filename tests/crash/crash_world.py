"""What the crash proofs run: a list of scripted writes, and the one place that says how a store is sealed.

Everything is scripted (days, instants, nonces), so that two runs of one write make the same bytes, and crash states of
different runs can be told apart by content.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from deep import plan_forget, plan_many
from upheld.model.answer import Answer, Refusal
from upheld.model.change import Committed
from upheld.model.index import Index
from upheld.model.value import Value
from upheld.ports.sealer import Sealer
from upheld.ports.store import ReadableStore
from upheld.services.base import Base
from upheld.services.commit import Writer, commit, load
from upheld.services.correct import plan_correct
from upheld.services.init import init
from upheld.services.recall import recall
from upheld.services.remember import plan_remember
from upheld.services.snapshot import Admission
from upheld.services.versions import Draft
from upheld.stores.directory import DirectoryStore
from upheld.stores.directory_writer import WritableDirectory
from upheld.stores.disk import Disk

TODAY = "2026-09-14"
INSTANT = "2026-09-14T10:00:00Z"
STORE_ID = "5f0c6f3a9d7e4b21"
Texts = Mapping[str, str]
"""What one version of a store says: the text of each key that it serves."""


class Seal(Value):
    """How stores are sealed and admitted: the one place to switch.

    Attributes:
        admit: what readers and writers admit an index by.
        sealer: what seals a commit.
        after: what hears of a commit (trusted state, history).
    """

    admit: Callable[[bytes, Index], Admission]
    sealer: Sealer | None
    after: tuple[Callable[[Committed], None], ...] = ()


def seal_of(store: ReadableStore) -> Seal:
    """Return how a store is sealed: not at all here; ``crash_sealed`` exchanges this function."""
    return Seal(admit=lambda data, index: Admission(sealed=False), sealer=None)


def writer_of(store: WritableDirectory) -> Writer:
    seal = seal_of(store)
    return Writer(
        store=store,
        admit=seal.admit,
        sealer=seal.sealer,
        today=TODAY,
        instant=lambda: INSTANT,
        monotonic=lambda: 0.0,
        by="a test",
        after=seal.after,
    )


class Write(Value):
    """One scripted write.

    Attributes:
        name: what a test calls it.
        act: does it.
        after: what the store says once it is done, from what it said before.
    """

    name: str
    act: Callable[[Writer], Committed]
    after: Callable[[Texts], Texts]


def draft(key: str, text: str) -> Draft:
    return Draft(
        key=key,
        text=text.encode(),
        because="a test",
        owner="Ann",
        review_on="2026-12-01",
        expires_on="2027-03-01",
    )


def write_init() -> Write:
    return Write(name="init", act=lambda writer: init(writer, STORE_ID), after=lambda texts: {})


def write_remember(key: str, text: str, nonce: str = "a0a0") -> Write:
    plan = plan_remember(draft(key, text), read_when=f"when {key} comes up", trigger=None, nonce=nonce)
    return Write(name="remember", act=lambda writer: commit(writer, plan), after=lambda texts: {**texts, key: text})


def write_correct(key: str, text: str, nonce: str = "b1b1") -> Write:
    def act(writer: Writer) -> Committed:
        plan = plan_correct(draft(key, text), base_sha256=record_now(load(writer), key), nonce=nonce)
        return commit(writer, plan)

    return Write(name="correct", act=act, after=lambda texts: {**texts, key: text})


def write_many(keys: Sequence[str]) -> Write:
    """Remember many new keys in one commit."""
    texts = {key: f"Text of {key}.\n" for key in keys}
    plan = plan_many([draft(key, text) for key, text in texts.items()])
    return Write(name="many", act=lambda writer: commit(writer, plan), after=lambda said: {**said, **texts})


def write_forget(key: str) -> Write:
    """Take a key out as if it had never been: what makes an index shrink."""
    plan = plan_forget(key)
    return Write(
        name="forget",
        act=lambda writer: commit(writer, plan),
        after=lambda said: {other: text for other, text in said.items() if other != key},
    )


def record_now(base: Base, key: str) -> str:
    pointer = base.pointer(key)
    assert pointer is not None, key
    return pointer.record_sha256


SCRIPT: tuple[Write, ...] = (
    write_init(),
    write_remember("alpha", "Alpha, first.\n"),
    write_remember("beta", "Beta, first.\n"),
    write_correct("alpha", "Alpha, second.\n"),
    write_correct("alpha", "Alpha, first.\n", "c2c2").replace(name="correct-back"),
    write_correct("beta", "Beta, second.\n"),
)
"""Every kind of write at least once. ``correct-back`` writes a text whose source file stands already."""


def many(count: int) -> tuple[Write, ...]:
    """Return the writes that bring a new store to ``count`` keys, each in its own commit."""
    return (write_init(), *(write_remember(f"key-{n:03}", f"Text {n}.\n", f"{n:04x}") for n in range(count)))


class QuickDisk(Disk):
    """A real disk that does not wait: for preparing and for looking, where no crash is in question."""

    def sync_file(self, name: str) -> None:
        pass

    def sync_folder(self, folder: str) -> None:
        pass

    def sync_and_close(self, descriptor: int) -> None:
        import os

        os.close(descriptor)


def run(write: Write, place: Path, disk: Disk | None = None) -> Committed:
    """Do one write in a store, through ``disk`` (a quick one unless another is brought)."""
    place.mkdir(exist_ok=True)
    with WritableDirectory(str(place), disk or QuickDisk(str(place))) as store:
        return write.act(writer_of(store))


def build(place: Path, script: Sequence[Write]) -> Texts:
    """Do several writes one after the other; return what the store says then."""
    texts: Texts = {}
    for write in script:
        run(write, place)
        texts = write.after(texts)
    return texts


def ask(place: Path, key: str) -> Answer | Refusal:
    """Recall one key as a new process would."""
    with DirectoryStore(str(place)) as store:
        return recall(store, key, as_of=TODAY, today=TODAY, admit=seal_of(store).admit)


def copy(source: Path, target: Path) -> Path:
    shutil.copytree(source, target, symlinks=True)
    return target
