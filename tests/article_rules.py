"""The article's rules, written from its prose, apart from everything in the package. They hold for a store at rest."""

from __future__ import annotations

import json
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any


def broken(root: Path) -> list[str]:
    """Every rule that a store of up to 128 keys breaks, whichever key is asked for."""
    records = {path: json.loads(path.read_text("utf-8")) for path in sorted((root / "records").glob("*.json"))}
    index = json.loads((root / "index.json").read_text("utf-8"))
    faults = [fault for path, record in records.items() for fault in _record(root, path.name, record)]
    by_id: dict[str, dict[str, Any]] = {}
    for path, record in records.items():
        if record["id"] in by_id:
            faults.append(f"{path.name}: the id {record['id']} is not unique")
        by_id[record["id"]] = record
    faults += [fault for record in by_id.values() for fault in _links(record, by_id)]
    faults += [f"{one}: a circle" for one in by_id if not _ends(one, by_id)]
    return faults + [fault for entry in index["entries"] for fault in _entry(root, entry, by_id)]


def _record(root: Path, name: str, record: dict[str, Any]) -> list[str]:
    faults = []
    if record["status"] not in ("current", "superseded"):
        faults.append(f"{name}: status {record['status']}")
    source = root / record["durable_source"]
    if not source.resolve().is_relative_to(root.resolve()) or not source.is_file():
        faults.append(f"{name}: its source is missing or outside")
    elif sha256(source.read_bytes()).hexdigest() != record["source_sha256"]:
        faults.append(f"{name}: its source has another digest")
    if date.fromisoformat(record["review_on"]) >= date.fromisoformat(record["expires_on"]):
        faults.append(f"{name}: review does not precede expiry")
    return faults


def _links(record: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> list[str]:
    name, after, before = record["id"], record.get("superseded_by"), record.get("supersedes")
    faults = []
    if record["status"] == "superseded":
        if after == name or after not in by_id or by_id[after].get("supersedes") != name:
            faults.append(f"{name}: superseded_by {after}")
    elif after is not None:
        faults.append(f"{name}: current, and superseded_by {after}")
    if before is not None:
        other = by_id.get(before)
        is_mutual = other is not None and other["status"] == "superseded" and other.get("superseded_by") == name
        if before == name or not is_mutual:
            faults.append(f"{name}: supersedes {before}")
    return faults


def _ends(start: str, by_id: dict[str, dict[str, Any]]) -> bool:
    seen: set[str] = set()
    cursor: str | None = start
    while cursor in by_id and by_id[cursor]["status"] == "superseded":
        if cursor in seen:
            return False
        seen.add(cursor)
        cursor = by_id[cursor].get("superseded_by")
    return True


def _entry(root: Path, entry: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> list[str]:
    target = root / entry["target"]
    if not target.is_file():
        return [f"{entry['key']}: its record is missing"]
    data = target.read_bytes()
    if sha256(data).hexdigest() != entry["record_sha256"]:
        return [f"{entry['key']}: its record has another digest"]
    record = json.loads(data)
    if record["id"] != entry["record_id"] or by_id.get(record["id"]) != record or record["status"] != "current":
        return [f"{entry['key']}: the pointer does not lead to the current record"]
    lines = (root / record["durable_source"]).read_text("utf-8").splitlines()
    served = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    return [] if served else [f"{entry['key']}: nothing to serve"]
