"""Steps 1 and 2: from the root node to the one entry of a key, along one path of the hash trie."""

from __future__ import annotations

from upheld.checks.finding_of import finding_of
from upheld.errors import FaultError
from upheld.model.finding import Finding
from upheld.model.names import short
from upheld.wire import index as wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.index import Child, Node, Pointer, Retired


def child_of(node: Node, key: str) -> Child | None:
    """Return the child that leads on to ``key``; None in a leaf, and where no child holds such keys."""
    if node.children is None:
        return None
    return node.children.get(wire.key_prefix(key)[len(node.prefix)])


def open_child(child: Child, data: bytes) -> tuple[Node | None, list[Finding]]:
    """Judge the bytes of a lower node against what its parent recorded: digest, counts, and where its keys belong."""
    try:
        node = wire.decode_node(data, child.place, child.prefix)
    except FaultError as fault:
        return None, [finding_of(fault)]
    if node.sha256 != child.sha256:
        from upheld.checks.cause import likely_cause  # deferred: a sound recall never needs it

        facts = (("recorded", short(child.sha256)), ("now", short(node.sha256)))
        return None, [Finding(code="HSH004", place=child.place, facts=facts, cause=likely_cause(data, child.sha256))]
    return node, check_counts(node, child)


def check_counts(node: Node, child: Child) -> list[Finding]:
    """A node holds exactly as many pointers and retired entries as its parent counted."""
    pointers, retired = node.counts
    if (pointers, retired) == (child.pointers, child.retired):
        return []
    facts = (
        ("counted", f"{child.pointers} pointers, {child.retired} retired"),
        ("found", f"{pointers} pointers, {retired} retired"),
    )
    return [Finding(code="PTR006", place=node.place, facts=facts)]


def check_keys(node: Node) -> list[Finding]:
    """Report keys that stand twice in a leaf, and keys whose hash leads elsewhere."""
    if _are_in_place(node):
        return []
    findings = []
    seen: set[str] = set()
    prefix = node.prefix
    for name, entries in (("entries", node.entries), ("retired", node.retired)):
        for number, entry in enumerate(entries):
            key = wire.key_of(entry)
            if key is None:
                continue
            if key in seen:
                findings.append(_wrong_key("PTR002", node, f"{name}[{number}]", key))
            seen.add(key)
            if prefix and not wire.key_prefix(key).startswith(prefix):
                findings.append(_wrong_key("PTR007", node, f"{name}[{number}]", key))
    return findings


def _are_in_place(node: Node) -> bool:
    """Whether every entry has a key, once, where its hash leads: one pass over a leaf, as nearly all leaves are."""
    prefix, depth = node.prefix, len(node.prefix)
    keys = set()
    for entry in (*node.entries, *node.retired):
        key = entry.get("key") if type(entry) is dict else None
        if type(key) is not str or (depth and wire.key_prefix(key)[:depth] != prefix):
            return False
        keys.add(key)
    return len(keys) == len(node.entries) + len(node.retired)


def _wrong_key(code: str, node: Node, path: str, key: str) -> Finding:
    return Finding(code=code, place=node.place, path=path, keys=(key,))


def pointer_in(leaf: Node, key: str) -> tuple[Pointer | None, list[Finding]]:
    """Return the one pointer of ``key`` in its leaf; no pointer and no finding where the leaf does not know the key."""
    at = wire.positions(leaf.entries, key)
    if not at:
        return None, []
    pointer, faults = wire.decode_pointer(leaf.entries[at[0]], leaf.place, at[0])
    findings = [finding_of(fault, key) for fault in faults]
    if len(at) > 1 or wire.positions(leaf.retired, key):
        facts = (("positions", ", ".join(str(number) for number in at)),)
        findings.append(Finding(code="PTR002", place=leaf.place, path=pointer.path, keys=(key,), facts=facts))
    return (None if findings else pointer), findings


def retired_in(leaf: Node, key: str) -> tuple[Retired | None, list[Finding]]:
    """Return the retired entry of ``key`` in its leaf; no entry and no finding where there is none."""
    at = wire.positions(leaf.retired, key)
    if not at:
        return None, []
    retired, faults = wire.decode_retired(leaf.retired[at[0]], leaf.place, at[0])
    findings = [finding_of(fault, key) for fault in faults]
    if len(at) > 1:
        findings.append(Finding(code="PTR002", place=leaf.place, path=retired.path, keys=(key,)))
    return (None if findings else retired), findings
