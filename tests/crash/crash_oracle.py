"""The article's rules for a store at rest, written apart from Upheld: no code of it is used here."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any


def faults(place: Path) -> list[str]:
    """Return every breach of the article's rules in a store: of records, links, sources and pointers."""
    records = [(path, json.loads(path.read_bytes())) for path in sorted((place / "records").glob("*.json"))]
    by_id = {record["id"]: record for _, record in records}
    found = [] if len(by_id) == len(records) else ["two records bear one id"]
    for path, record in records:
        found += _record(place, path.name, record, by_id)
    for entry in entries(place):
        found += _pointer(place, entry, by_id)
    return found


def entries(place: Path) -> list[dict[str, Any]]:
    """Return every pointer, from all leaves of the index."""
    found: list[dict[str, Any]] = []
    waiting = [(place / "index.json", "")]
    while waiting:
        path, prefix = waiting.pop()
        node = json.loads(path.read_bytes())
        found += node.get("entries", [])
        for digit, child in node.get("children", {}).items():
            name = place / "index" / f"{prefix}{digit}.{child['sha256'][:12]}.json"
            assert digest(name) == child["sha256"], name
            waiting.append((name, prefix + digit))
    return found


def reachable(place: Path) -> frozenset[str]:
    """Return every file that the index leads to, and those that stand beside it in any store of Upheld."""
    index = json.loads((place / "index.json").read_bytes())
    seal = digest(place / "index.json")
    found = {".lock", "README.md", ".gitattributes", "index.json"}
    found |= {f"log/{number:06d}.json" for number in range(1, index.get("version", 0) + 1)}
    found |= {f"seals/{path.name}" for path in (place / "seals").glob(f"{seal}.*")}
    found |= {f"trust/{path.name}" for path in (place / "trust").glob("*") if not path.name.startswith(".")}
    waiting = [index]
    while waiting:
        node = waiting.pop()
        for entry in (*node.get("entries", ()), *node.get("retired", ())):
            found |= _chain(place, entry["target"])
            if entry.get("trigger_sha256"):
                found.add(f"triggers/{entry['key']}.{entry['trigger_sha256'][:12]}.json")
        for name in (place / "index").glob("*"):
            if any(digest(name) == child["sha256"] for child in node.get("children", {}).values()):
                found.add(f"index/{name.name}")
                waiting.append(json.loads(name.read_bytes()))
    return frozenset(found)


def _chain(place: Path, target: str) -> set[str]:
    found: set[str] = set()
    while target:
        record = json.loads((place / target).read_bytes())
        found |= {target, record["durable_source"]}
        before = record.get("supersedes")
        target = f"records/{before}.{record['supersedes_sha256'][:12]}.json" if before else ""
    return found


def digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _record(place: Path, name: str, record: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> list[str]:
    found = []
    if not (place / record["durable_source"]).is_file():
        found.append(f"{name}: its source is missing")
    elif digest(place / record["durable_source"]) != record["source_sha256"]:
        found.append(f"{name}: its source has other bytes")
    after, before = by_id.get(record.get("superseded_by", "")), by_id.get(record.get("supersedes", ""))
    if (record["status"] == "superseded") != (after is not None) or (after or {}).get(
        "supersedes", record["id"]
    ) != record["id"]:
        found.append(f"{name}: its successor does not agree")
    if (record.get("supersedes") is None) != (before is None) or (before or {}).get(
        "superseded_by", record["id"]
    ) != record["id"]:
        found.append(f"{name}: its predecessor does not agree")
    return found


def _pointer(place: Path, entry: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> list[str]:
    record = by_id.get(entry["record_id"])
    target = place / entry["target"]
    if not target.is_file() or digest(target) != entry["record_sha256"] or record is None:
        return [f"{entry['key']}: its record is missing or has other bytes"]
    return [] if record["status"] == "current" else [f"{entry['key']}: its record is not current"]
