"""Somebody who holds everything in the store's folder and nothing outside it, and recomputes every digest.

Works on the files alone, by the published format: it reads and writes `index.json`, the nodes in `index/`, `records/`
and `sources/`, keeps every digest, count and link consistent, and cannot make a seal. Nothing of `upheld` is imported.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any


class Attacker:
    """Edits one store folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keys(self, prefix: str) -> list[str]:
        """Return the keys of one context, in their order."""
        every = [entry["key"] for node in self._nodes().values() for entry in node.get("entries", ())]
        return sorted(key for key in every if key.startswith(prefix))

    def text(self, key: str) -> str:
        """Return the text that a key leads to."""
        record = self.record(key)
        source = self._folder / str(record["durable_source"])
        return source.read_text(encoding="utf-8")

    def record(self, key: str) -> dict[str, Any]:
        """Return the record that a key leads to."""
        loaded: dict[str, Any] = json.loads((self._folder / self._entry(self._nodes(), key)["target"]).read_bytes())
        return loaded

    def rewrite(self, key: str, text: str | None = None, fields: dict[str, Any] | None = None) -> None:
        """Change a key's text or its record's fields, and make every digest above them fit."""
        nodes = self._nodes()
        entry = self._entry(nodes, key)
        record = {**self.record(key), **(fields or {})}
        if text is not None:
            data = text.encode("utf-8")
            record["durable_source"] = f"sources/{key}.{_digest(data)[:12]}.md"
            record["source_sha256"] = _digest(data)
            _write(self._folder / record["durable_source"], data)
        (self._folder / entry["target"]).unlink()
        self._place(entry, record)
        self._save(nodes)

    def remove(self, key: str) -> None:
        """Take a key and its record out, as if it had never been."""
        nodes = self._nodes()
        entry = self._entry(nodes, key)
        (self._folder / entry["target"]).unlink()
        _leaf(nodes, key)["entries"].remove(entry)
        self._save(nodes)

    def forge(self, template: str, key: str, text: str) -> None:
        """Add a key that looks like another one."""
        nodes = self._nodes()
        data = text.encode("utf-8")
        source = f"sources/{key}.{_digest(data)[:12]}.md"
        _write(self._folder / source, data)
        record = {
            **self.record(template),
            "id": f"{key}-v1-f00d",
            "key": key,
            "durable_source": source,
            "source_sha256": _digest(data),
        }
        entry = {**self._entry(nodes, template), "key": key, "record_id": record["id"]}
        self._place(entry, record)
        _leaf(nodes, key)["entries"].append(entry)
        self._save(nodes)

    def _place(self, entry: dict[str, Any], record: dict[str, Any]) -> None:
        data = _dumps(record)
        entry["target"] = f"records/{record['id']}.{_digest(data)[:12]}.json"
        entry["record_sha256"] = _digest(data)
        _write(self._folder / entry["target"], data)

    def _nodes(self) -> dict[str, dict[str, Any]]:
        """Load every node of the index, by the digits that lead to it."""
        nodes = {"": json.loads((self._folder / "index.json").read_bytes())}
        waiting = [""]
        while waiting:
            prefix = waiting.pop()
            for digit, child in nodes[prefix].get("children", {}).items():
                nodes[prefix + digit] = json.loads(self._node(prefix + digit, child["sha256"]).read_bytes())
                waiting.append(prefix + digit)
        return nodes

    def _node(self, prefix: str, digest: str) -> Path:
        return self._folder / "index" / f"{prefix}.{digest[:12]}.json"

    def _entry(self, nodes: dict[str, dict[str, Any]], key: str) -> dict[str, Any]:
        found: dict[str, Any] = next(entry for entry in _leaf(nodes, key)["entries"] if entry["key"] == key)
        return found

    def _save(self, nodes: dict[str, dict[str, Any]]) -> None:
        """Write the index, and give the seal the name that a reader will look for: its bytes cannot be made to fit."""
        for prefix in sorted(nodes, key=len, reverse=True)[:-1]:
            child = nodes[prefix[:-1]]["children"][prefix[-1]]
            data = _dumps(nodes[prefix])
            if _digest(data) != child["sha256"]:
                self._node(prefix, child["sha256"]).unlink()
                child.update(sha256=_digest(data), pointers=_count(nodes[prefix], "entries", "pointers"))
                child["retired"] = _count(nodes[prefix], "retired", "retired")
                _write(self._node(prefix, child["sha256"]), data)
        old = _digest((self._folder / "index.json").read_bytes())
        data = _dumps(nodes[""])
        _write(self._folder / "index.json", data)
        for seal in sorted((self._folder / "seals").glob(f"{old}.*")):
            seal.rename(seal.with_name(seal.name.replace(old, _digest(data))))


def _leaf(nodes: dict[str, dict[str, Any]], key: str) -> dict[str, Any]:
    """Return the leaf that a key belongs to."""
    prefix, digits = "", _digest(key.encode("utf-8"))
    while "children" in nodes[prefix]:
        prefix += digits[len(prefix)]
    return nodes[prefix]


def _count(node: dict[str, Any], own: str, below: str) -> int:
    return len(node.get(own, ())) + sum(int(child[below]) for child in node.get("children", {}).values())


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def _dumps(value: object) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode("utf-8")


def _write(path: Path, data: bytes) -> None:
    temporary = path.with_name(path.name + ".attack")
    temporary.write_bytes(data)
    os.replace(temporary, path)
