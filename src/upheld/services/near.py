"""Keep the near index in step with a store, and choose by it what a draft is compared with.

The index follows the hash trie: where the digest of a node is known, everything below it is. So the next commit pays
for the last one's leaf, and the first pays for the whole store, as far as its deadline goes; the next goes on there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from upheld.model.index import Node, Pointer
from upheld.model.near import Document, NearEntry, OddKey
from upheld.policy.collide import folded
from upheld.policy.near import closeness, statement_document, text_document
from upheld.ports.near import Near
from upheld.services.base import Base
from upheld.services.current_instruction import read_instruction
from upheld.services.leaves import Start, below, opened
from upheld.services.ties import mark_of, ties_of
from upheld.wire import index as wire
from upheld.wire.digest import sha256_hex

MAX_POSTINGS = 1_000
"""How many postings one look-up may read: terms that are more common than that are left out of it."""
_DIGITS = "0123456789abcdef"


def catch_up(base: Base, near: Near, late: Callable[[], bool]) -> bool:
    """Read in what has changed in the store since the index was last here.

    Args:
        base: the admitted version.
        near: the index of its place.
        late: whether it is time to stop; what was read in until then stays.

    Returns:
        Whether everything is read in.

    Raises:
        StorageError: the index cannot be used.
    """
    return _node(base, near, Start(node=base.index.node), late)


def _node(base: Base, near: Near, start: Start, late: Callable[[], bool]) -> bool:
    """Bring one node up to date; the trie is at most 64 nodes deep."""
    prefix, sha256 = start.node.prefix, start.node.sha256
    if near.node(prefix) == sha256:
        return True
    if late():
        return False
    step = opened(base.store, start)
    if step.node is None or step.findings:
        return False  # nothing below it is served, and `verify` says so
    if step.node.children is None:
        _leaf(base, near, step.node)
        return True
    for digit in _DIGITS:
        if digit not in step.node.children and near.marks(prefix + digit):
            near.put(prefix + digit, "", (), near.marks(prefix + digit))
    # Every child is tried, so that what is damaged does not keep the rest out.
    done = [_node(base, near, child, late) for child in below(step)]
    if all(done):
        near.known(prefix, sha256)
    return all(done)


def _leaf(base: Base, near: Near, leaf: Node) -> None:
    held = near.marks(leaf.prefix)
    now: dict[str, tuple[Mapping[str, object], int]] = {}
    for number, raw in enumerate(leaf.entries):
        key = wire.key_of(raw)
        if key is not None and isinstance(raw, dict):
            now[key] = (raw, number)
    changed = [
        _entry(base, key, raw, leaf.place, number) for key, (raw, number) in now.items() if held.get(key) != _mark(raw)
    ]
    near.put(leaf.prefix, leaf.sha256, changed, [key for key in held if key not in now], _odd(leaf))


def _odd(leaf: Node) -> list[OddKey]:
    keys = (wire.key_of(raw) for raw in (*leaf.entries, *leaf.retired))
    made = [(key, folded(key)) for key in keys if key is not None]
    return [OddKey(key=key, hash=wire.key_prefix(key), folded=name) for key, name in made if name != key]


def _mark(raw: Mapping[str, object]) -> str:
    """Return what stands for everything that an entry was read from."""
    parts = (raw.get("record_sha256"), raw.get("trigger_sha256"), raw.get("read_when"), raw.get("trigger"))
    return sha256_hex("\0".join(map(str, parts)).encode("utf-8", "surrogatepass"))[:32]


def _entry(base: Base, key: str, raw: Mapping[str, object], place: str, number: int) -> NearEntry:
    pointer, faults = wire.decode_pointer(raw, place, number)
    documents, ties = ((), frozenset[str]()) if faults else (_documents(base, pointer), ties_of(base.store, pointer))
    return NearEntry(
        key=key, hash=wire.key_prefix(key), mark=_mark(raw), documents=documents, ties=frozenset(map(mark_of, ties))
    )


def _documents(base: Base, pointer: Pointer) -> tuple[Document, ...]:
    found = read_instruction(base, pointer)
    if found is None:
        return ()
    statements = dict.fromkeys(text for text in (found.read_when, *found.fires) if text.strip())
    return (text_document(found.text), *map(statement_document, statements))


def likely(near: Near, texts: Iterable[str], statements: Iterable[str]) -> list[str]:
    """Return the keys whose texts or triggers may be like these, the likeliest first.

    Raises:
        StorageError: the index cannot be used.
    """
    best: dict[str, float] = {}
    wanted = [*map(text_document, texts), *map(statement_document, statements)]
    for document in dict.fromkeys(wanted):
        hits, skipped = near.look(document, MAX_POSTINGS)
        for hit in hits:
            score = closeness(document, hit, skipped)
            if score > best.get(hit.key, 0.0):
                best[hit.key] = score
    return sorted(best, key=lambda key: (-best[key], key))
