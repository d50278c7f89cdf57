"""What is done to a store behind its owner's back, with nothing but the right to write its files."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path
from typing import Any


def edit_source(store: Path, key: str, old: str, new: str) -> None:
    """Change the words of an instruction in its file, as any editor can."""
    _, record = _record(store, key)
    source = store / record["durable_source"]
    text = source.read_text("utf-8")
    if old not in text:
        raise ValueError(f"{source} does not say {old!r}")
    _overwrite(source, text.replace(old, new).encode())


def rewrite(store: Path, key: str, text: str) -> None:
    """Rewrite an instruction, recompute every digest up to the index, and put the old seal beside the new index."""
    index, record = _record(store, key)
    before = sha256((store / "index.json").read_bytes()).hexdigest()
    body = text.encode()
    source = f"sources/{key}.{sha256(body).hexdigest()[:12]}.md"
    _overwrite(store / source, body)
    changed = _encoded({**record, "durable_source": source, "source_sha256": sha256(body).hexdigest()})
    digest = sha256(changed).hexdigest()
    target = f"records/{record['id']}.{digest[:12]}.json"
    _overwrite(store / target, changed)
    _pointer(index, key).update(target=target, record_sha256=digest)
    forged = _encoded(index)
    _overwrite(store / "index.json", forged)
    for seal in list((store / "seals").glob(f"{before}.*")):
        _overwrite(seal.with_name(seal.name.replace(before, sha256(forged).hexdigest())), seal.read_bytes())


def _record(store: Path, key: str) -> tuple[dict[str, Any], dict[str, Any]]:
    index = json.loads((store / "index.json").read_text("utf-8"))
    return index, json.loads((store / _pointer(index, key)["target"]).read_text("utf-8"))


def _pointer(index: dict[str, Any], key: str) -> dict[str, Any]:
    found: dict[str, Any] = next(entry for entry in index["entries"] if entry["key"] == key)
    return found


def _encoded(value: dict[str, Any]) -> bytes:
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def _overwrite(path: Path, data: bytes) -> None:
    if path.exists():
        os.chmod(path, 0o644)
    path.write_bytes(data)
