"""index: every key with the sentence that says when to read it, leaf by leaf."""

from __future__ import annotations

from upheld.errors import RefusedError
from upheld.model.page import Line
from upheld.model.value import Value
from upheld.services.leaves import Start, walk
from upheld.services.snapshot import read_index
from upheld.wire import index as wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from upheld.model.finding import Finding
    from upheld.model.index import Index
    from upheld.ports.store import ReadableStore
    from upheld.services.recall import Admit


class Listing(Value):
    """An index that was admitted, to be listed.

    Attributes:
        total: how many pointers the store holds, by the root node's own account.
        sealed: a seal was checked.
        version: the index's version; None in an article store.
    """

    store: ReadableStore
    index: Index
    total: int
    sealed: bool
    not_checked: tuple[str, ...]
    version: int | None

    def lines(self) -> Iterator[Line | Finding]:
        """Yield each key in the order of the index, and a finding where a part of the index cannot be read.

        Reads one node at a time, so that whoever stops early reads no more than was shown. Records are not read: the
        listing says what there is to recall, not that a recall would be served.
        """
        for step in walk(self.store, [Start(node=self.index.node)]):
            yield from step.findings
            if step.node is None or step.node.children is not None:
                continue
            for number, entry in enumerate(step.node.entries):
                pointer, faults = wire.decode_pointer(entry, step.place, number)
                yield Line(key=pointer.key, read_when=pointer.read_when, is_broken=bool(faults))


def index_listing(store: ReadableStore, *, admit: Admit) -> Listing:
    """Open the index for listing.

    Raises:
        FaultError: the index cannot be read.
        RefusedError: the index must not be used.
    """
    data, index = read_index(store)
    admission = admit(data, index)
    if admission.refusals:
        worst = admission.refusals[0]
        raise RefusedError(f"{worst.code} {worst.entry.name}: {worst.entry.what}", refusal=worst, help=worst.help)
    children = index.node.children
    total = len(index.node.entries) if children is None else sum(child.pointers for child in children.values())
    return Listing(
        store=store,
        index=index,
        total=total,
        sealed=admission.sealed,
        not_checked=admission.not_checked,
        version=index.version,
    )
