"""The version that a change is made from: the index as it was admitted, and verified reads of its keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

from upheld.checks import check_chain
from upheld.checks.finding_of import finding_of
from upheld.checks.pool import Pool
from upheld.checks.trie import open_child, pointer_in, retired_in
from upheld.errors import FaultError, UsageError
from upheld.model.answer import Refusal
from upheld.model.chain import Chain
from upheld.model.finding import Finding, worst_first
from upheld.model.index import Child, Index, Node, Pointer, Retired
from upheld.ports.store import ReadableStore
from upheld.services.gather import gather, read_pool
from upheld.services.snapshot import leaf_of
from upheld.wire import index as wire

Entry = TypeVar("Entry")
REVIEWABLE = frozenset({"DAT001", "DAT002", "SRC001", "SRC002", "SRC003", "SRC004", "HSH001", "STO001"})
"""What a correction or a review mends by itself: a record that is due, a current source that was changed or lost."""


def is_reviewable(finding: Finding, chain: Chain) -> bool:
    """Whether a correction mends this finding: it is of the current version, and not of what it hangs from."""
    if finding.code in ("HSH001", "STO001"):
        return chain.current.source is not None and finding.place == chain.current.source.place
    return finding.code in REVIEWABLE


class Lookup(Protocol):
    """Finds keys by what they have (``services.lookup``)."""

    def lookalikes(self, base: Base, key: str) -> Iterable[str]:
        """Name the keys that some file system takes for a new one, retired keys included."""
        ...

    def tied(self, base: Base, ties: frozenset[str]) -> Iterable[Pointer]:
        """Return every pointer that has one of these ties (``services.ties``)."""
        ...


class Base:
    """One admitted version of a store. Every read is verified as a recall would verify it.

    Args:
        store: where it lies. index: its index, admitted. today: the day, UTC.
        lookup: finds keys by what they have; None to look through them all.
    """

    def __init__(self, store: ReadableStore, index: Index, today: str, lookup: Lookup | None = None) -> None:
        self.store = store
        self.index = index
        self.today = today
        self.lookup = lookup
        # Every record of an article store, read once: chains are looked for among them, and there may be thousands.
        self._pool: Pool | None = None

    def pointer(self, key: str) -> Pointer | None:
        """Return the pointer of a key, or None where the index has none.

        Raises:
            RefusedError: the index is damaged where the key should be.
        """
        return self._find(key, pointer_in)

    def retired(self, key: str) -> Retired | None:
        """Return the retired entry of a key, or None; raises like ``pointer``."""
        return self._find(key, retired_in)

    def current(self, key: str) -> Chain:
        """Return the chain of a current key, with nothing wrong but what a correction mends.

        Raises:
            UsageError: the key is unknown (a correction never makes a key).
            RefusedError: the chain is damaged.
        """
        pointer = self.pointer(key)
        if pointer is None:
            raise self.unknown(key)
        chain = self.chain(pointer)
        findings = [finding for finding in check_chain(chain, self.today) if not is_reviewable(finding, chain)]
        self.refuse(key, findings)
        return chain

    def chain(self, entry: Pointer | Retired) -> Chain:
        """Read the chain of an entry, without judging it."""
        if self._pool is None and not self.index.is_closed:
            self._pool = read_pool(self.store)
        return gather(self.store, entry, self._pool)

    def load(self, child: Child) -> Node:
        """Read and verify one lower node of the index.

        Raises:
            RefusedError: it is damaged.
        """
        try:
            node, findings = open_child(child, self.store.read(child.place, wire.MAX_BYTES))
        except FaultError as fault:
            node, findings = None, [finding_of(fault)]
        self.refuse("", findings)
        if node is None:
            raise AssertionError("a node without findings")
        return node

    def refuse(self, key: str, findings: list[Finding]) -> None:
        """Raise if there is anything to refuse for.

        Raises:
            RefusedError: it carries the refusal.
        """
        if findings:
            Refusal(key=key, findings=worst_first(tuple(findings)), as_of=self.today).require()

    def _find(self, key: str, look: Callable[[Node, str], tuple[Entry | None, list[Finding]]]) -> Entry | None:
        leaf, findings = leaf_of(self.store, self.index, key)
        entry: Entry | None = None
        if leaf is not None and not findings:
            entry, findings = look(leaf, key)
        self.refuse(key, findings)
        return entry

    def unknown(self, key: str) -> UsageError:
        """Return what to raise for a key without a pointer: it is unknown, retired, or goes by another name."""
        retired = self.retired(key)
        if retired is not None and retired.renamed_to:
            return UsageError(f"`{key}` was renamed to `{retired.renamed_to}`", help="use the new key")
        if retired is not None:
            return UsageError(f"`{key}` was retired", help=f"bring it back with `upheld restore {key} --to VERSION`")
        return UsageError(
            f"no pointer has the key `{key}`",
            help=f"see `upheld index`; a new one is made with `upheld remember {key}`",
        )
