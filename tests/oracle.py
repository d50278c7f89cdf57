"""The article's rules, applied to the records that one key's chain touches. Knows nothing of ``upheld``.

Written from the text of the article and from its checker, which stops at a fault of any record; this oracle stops only
at the faults of records that the key's chain touches: those that the pointer leads to, that a link leads to in either
direction, that bear an id in the chain, and those that cannot be read and mention such an id. Python's own ``json`` and
``date`` are used as the article uses them, laxity included.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from hashlib import sha256
from posixpath import normpath
from typing import Any


class RefusedByArticleError(Exception):
    """The article's reader would not print the instruction."""


def instruction(files: Mapping[str, bytes], key: str, as_of: str) -> str:
    """Return what the article's reader prints for a key, looking at its chain only."""
    index = _load(files, "index.json")
    entry = next((item for item in _items(index) if _at(item, "key") == key), None)
    if entry is None:
        raise RefusedByArticleError("no pointer")
    target = _local(files, _at(entry, "target"))
    if sha256(files[target]).hexdigest() != _at(entry, "record_sha256"):
        raise RefusedByArticleError("record hash")
    if not (target.startswith("records/") and target.count("/") == 1 and target.endswith(".json")):
        raise RefusedByArticleError("target is no record")
    chain = _chain(files, target)
    for name, record in chain.items():
        _record(files, name, record, chain)
    by_id = {record["id"]: record for record in chain.values()}
    for record in by_id.values():
        _links(record, by_id)
    record = chain[target]
    if record["id"] != _at(entry, "record_id") or record["status"] != "current":
        raise RefusedByArticleError("pointer does not resolve")
    today = date.fromisoformat(as_of)
    if today >= _day(record, "expires_on") or today >= _day(record, "review_on"):
        raise RefusedByArticleError("due or expired")
    return _line(files[_local(files, record["durable_source"])])


def _items(index: dict[str, Any]) -> list[Any]:
    entries = index.get("entries")
    if not isinstance(entries, list):
        raise RefusedByArticleError("no entries")
    return entries


def _at(value: object, name: str) -> Any:
    if not isinstance(value, dict) or name not in value:
        raise RefusedByArticleError(f"no {name}")
    return value[name]


def _load(files: Mapping[str, bytes], name: str) -> dict[str, Any]:
    try:
        value = json.loads(files[name].decode("utf-8"))
    except (KeyError, ValueError, RecursionError) as error:
        raise RefusedByArticleError(f"{name}: {error}") from None
    if not isinstance(value, dict):
        raise RefusedByArticleError(f"{name} is no object")
    return value


def _local(files: Mapping[str, bytes], name: object) -> str:
    if not isinstance(name, str):
        raise RefusedByArticleError("a path is no text")
    path = normpath(name)
    if path not in files:
        raise RefusedByArticleError(f"unsafe or missing path {name!r}")
    return path


def _day(record: Mapping[str, Any], field: str) -> date:
    try:
        return date.fromisoformat(record[field])
    except (KeyError, TypeError, ValueError):
        raise RefusedByArticleError(f"{field} is no date") from None


def _chain(files: Mapping[str, bytes], target: str) -> dict[str, dict[str, Any]]:
    """Return the records that are connected with the target by links or by id."""
    names = [n for n in files if n.startswith("records/") and n.endswith(".json") and n.count("/") == 1]
    parsed: dict[str, dict[str, Any] | None] = {}
    for name in names:
        try:
            parsed[name] = _load(files, name)
        except RefusedByArticleError:
            parsed[name] = None
    if parsed.get(target) is None:
        raise RefusedByArticleError("the record cannot be read")
    chain = {target}
    while True:
        ids = {i for name in chain for i in _ids(parsed[name] or {})}
        more = {name for name, record in parsed.items() if record is not None and ids & _ids(record)} - chain
        if not more:
            break
        chain |= more
    for name, record in parsed.items():
        if record is None and any(f'"{i}"'.encode() in files[name] or f"/{i}." in name for i in ids):
            raise RefusedByArticleError(f"{name} cannot be read and names the chain")
    return {name: parsed[name] or {} for name in sorted(chain)}


def _ids(record: Mapping[str, Any]) -> set[str]:
    named = [record.get(field) for field in ("id", "supersedes", "superseded_by")]
    return {name for name in named if isinstance(name, str) and name}


def _record(
    files: Mapping[str, bytes], name: str, record: Mapping[str, Any], chain: Mapping[str, Mapping[str, Any]]
) -> None:
    own = record.get("id")
    if not isinstance(own, str) or not own or any(r.get("id") == own for n, r in chain.items() if n != name):
        raise RefusedByArticleError("id missing or not unique")
    if record.get("status") not in ("current", "superseded"):  # a tuple, since a list cannot be looked up in a set
        raise RefusedByArticleError("status")
    if sha256(files[_local(files, record.get("durable_source", ""))]).hexdigest() != record.get("source_sha256"):
        raise RefusedByArticleError("source hash")
    if _day(record, "review_on") >= _day(record, "expires_on"):
        raise RefusedByArticleError("review must precede expiry")


def _links(record: Mapping[str, Any], by_id: Mapping[str, Mapping[str, Any]]) -> None:
    own, after, before = record["id"], record.get("superseded_by"), record.get("supersedes")
    if record["status"] == "superseded":
        if not isinstance(after, str) or after == own or after not in by_id or by_id[after].get("supersedes") != own:
            raise RefusedByArticleError("successor")
        seen, cursor = set(), own
        while by_id[cursor]["status"] == "superseded":
            if cursor in seen:
                raise RefusedByArticleError("circle")
            seen.add(cursor)
            cursor = by_id[cursor].get("superseded_by")
            if not isinstance(cursor, str) or cursor not in by_id:
                raise RefusedByArticleError("successor of a successor")
    elif after is not None:
        raise RefusedByArticleError("current with a successor")
    if before is not None:
        older = by_id.get(before) if isinstance(before, str) else None
        if before == own or older is None or older["status"] != "superseded" or older.get("superseded_by") != own:
            raise RefusedByArticleError("predecessor")


def _line(data: bytes) -> str:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise RefusedByArticleError("source is not UTF-8") from None
    for line in text.splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            return line.strip()
    raise RefusedByArticleError("no instruction")
