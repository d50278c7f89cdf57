"""The index as a hash trie, built the plain way: split a node that holds more than a leaf may (DESIGN section 2)."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any


def nodes(
    entries: list[dict[str, Any]], retired: list[dict[str, Any]], leaf_limit: int
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the fields of the root node, and every lower node by file name."""
    lower: dict[str, bytes] = {}
    return _node(entries, retired, "", leaf_limit, lower), lower


def _node(
    entries: list[dict[str, Any]],
    retired: list[dict[str, Any]],
    prefix: str,
    leaf_limit: int,
    lower: dict[str, bytes],
) -> dict[str, Any]:
    if len(entries) + len(retired) <= leaf_limit:
        return {"entries": entries, **({"retired": retired} if retired else {})}
    below, gone = _dealt(entries, len(prefix)), _dealt(retired, len(prefix))
    children = {}
    for digit in sorted({*below, *gone}):
        inner = below.get(digit, []), gone.get(digit, [])
        node = _node(*inner, prefix + digit, leaf_limit, lower)
        data = (json.dumps(node, indent=2, ensure_ascii=False) + "\n").encode("utf-8")
        digest = sha256(data).hexdigest()
        lower[f"index/{prefix + digit}.{digest[:12]}.json"] = data
        children[digit] = {"sha256": digest, "pointers": len(inner[0]), "retired": len(inner[1])}
    return {"children": children}


def _dealt(entries: list[dict[str, Any]], depth: int) -> dict[str, list[dict[str, Any]]]:
    dealt: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        dealt.setdefault(digit_of(entry["key"], depth), []).append(entry)
    return dealt


def digit_of(key: str, depth: int) -> str:
    """Return the hexadecimal digit that leads on from a node ``depth`` steps below the root to ``key``."""
    return sha256(key.encode("utf-8")).hexdigest()[depth]
