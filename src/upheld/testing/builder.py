"""Build small sound stores, of the article's kind and of ours, to read or to spoil.

Written apart from the code that writes real stores, so that a test which reads what a builder made says something.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from upheld.model.value import Value
from upheld.testing.memory_store import MemoryStore
from upheld.testing.trie import nodes

if TYPE_CHECKING:
    from collections.abc import Mapping

RECORDED = "2026-09-01"
DAY = "2026-09-14"
"""A day on which every record that a builder makes by default is neither due nor expired."""
REVIEW = "2026-12-01"
EXPIRES = "2027-03-01"
STORE_ID = "5f0c6f3a9d7e4b21"


class Built(Value):
    """One version of one key as it was written: names, and the record's fields."""

    key: str
    record_place: str
    record_bytes: bytes
    source_place: str
    source_bytes: bytes
    fields: Mapping[str, Any]

    @property
    def record_sha256(self) -> str:
        """The digest of the record's bytes."""
        return sha256(self.record_bytes).hexdigest()


class StoreBuilder:
    """Collects keys, then gives the files of one store.

    Args:
        closed: a closed store (its index has a version); otherwise an article store.
        leaf_limit: how many entries a leaf of the index may hold before the node is split (closed stores).
        plain_names: name records and sources without their digest, as article stores do.
        index_fields: further fields of the index's envelope.
    """

    def __init__(
        self,
        *,
        closed: bool = True,
        leaf_limit: int = 128,
        plain_names: bool | None = None,
        index_fields: Mapping[str, Any] | None = None,
    ) -> None:
        self.closed = closed
        self.leaf_limit = leaf_limit
        self.plain_names = (not closed) if plain_names is None else plain_names
        self.index_fields = dict(index_fields or {})
        self.entries: list[dict[str, Any]] = []
        self.retired: list[dict[str, Any]] = []
        self.built: dict[str, list[Built]] = {}
        self._files: dict[str, bytes] = {}

    def remember(
        self,
        key: str,
        /,
        *texts: str | bytes,
        edits: Mapping[int, Mapping[str, Any]] | None = None,
        pointer: Mapping[str, Any] | None = None,
        **fields: Any,
    ) -> list[Built]:
        """Add one key with its whole chain, oldest text first, and point the index at the newest.

        Args:
            key: the key.
            texts: one text a version; one is made up where none is given.
            edits: fields to change in one version (1 is the oldest) before anything is hashed; ``...`` takes one away.
            pointer: fields to change in the pointer; ``...`` takes one away.
            fields: fields to set in every version.
        """
        chain = self._chain(key, texts or (f"# {key}\n\nDo as {key} says.\n",), edits or {}, fields)
        newest = chain[-1]
        entry = {"key": key, "read_when": f"When {key} matters.", **_pointing(newest)}
        self.entries.append(_edited(entry, pointer or {}))
        return chain

    def retire(self, key: str, /, *texts: str | bytes, renamed_to: str | None = None, **fields: Any) -> list[Built]:
        """Add one retired key, the last text of which says so."""
        chain = self._chain(key, (*texts, f"# {key}\n\nRetired: {key} no longer applies.\n"), {}, fields)
        entry = {"key": key, **_pointing(chain[-1])}
        if renamed_to is not None:
            entry["renamed_to"] = renamed_to
        self.retired.append(entry)
        return chain

    def add(self, name: str, data: bytes) -> None:
        """Add one file as it is."""
        self._files[name] = data

    def trigger(self, key: str, data: bytes) -> str:
        """Add a file of trigger examples for ``key``, bind it in the pointer, and return its name."""
        digest = sha256(data).hexdigest()
        name = f"triggers/{key}.{digest[:12]}.json"
        self._files[name] = data
        next(entry for entry in self.entries if entry["key"] == key)["trigger_sha256"] = digest
        return name

    def files(self) -> dict[str, bytes]:
        """Return every file of the store, the index included, as a fresh mapping."""
        if not self.closed:
            index = {"schema_version": "1.0", "entries": self.entries, **self.index_fields}
            if self.retired:
                index["retired"] = self.retired
            return {**self._files, "index.json": encoded(index)}
        envelope = {"schema_version": "1.0", "store_id": STORE_ID, "version": 7, "issued_at": f"{RECORDED}T00:00:00Z"}
        envelope.update(self.index_fields)
        root, lower = nodes(self.entries, self.retired, self.leaf_limit)
        return {**self._files, **lower, "index.json": encoded({**envelope, **root})}

    def store(self, repository: Mapping[str, bytes] | None = None) -> MemoryStore:
        """Return the store, held in memory."""
        return MemoryStore(self.files(), repository)

    def write(self, folder: str | Path) -> Path:
        """Write the store into ``folder`` and return it."""
        return write_files(self.files(), folder)

    def _chain(
        self,
        key: str,
        texts: tuple[str | bytes, ...],
        edits: Mapping[int, Mapping[str, Any]],
        fields: Mapping[str, Any],
    ) -> list[Built]:
        chain: list[Built] = []
        for number, text in enumerate(texts, 1):
            edit = {**fields, **edits.get(number, {})}
            made = self._version(key, number, len(texts), text, chain[-1] if chain else None, edit)
            self._files[made.source_place] = made.source_bytes
            self._files[made.record_place] = made.record_bytes
            chain.append(made)
        self.built[key] = chain
        return chain

    def _version(
        self, key: str, number: int, count: int, text: str | bytes, before: Built | None, edit: Mapping[str, Any]
    ) -> Built:
        name = f"{key}-v{number}"
        source = text.encode("utf-8") if isinstance(text, str) else text
        fields: dict[str, Any] = {
            "id": name,
            "status": "current" if number == count else "superseded",
            "recorded_on": RECORDED,
            "last_verified": RECORDED,
            "review_on": REVIEW,
            "expires_on": EXPIRES,
            "durable_source": self._named("sources", name, source, "md"),
            "source_sha256": sha256(source).hexdigest(),
        }
        if before is not None:
            fields["supersedes"] = f"{key}-v{number - 1}"
            fields["change_reason"] = f"Version {number - 1} no longer holds."
        if number < count:
            fields["superseded_by"] = f"{key}-v{number + 1}"
        if self.closed:
            fields["key"] = key
            if before is not None:
                fields["supersedes_sha256"] = before.record_sha256
        fields = _edited(fields, edit)
        record = encoded(fields)
        return Built(
            key=key,
            record_place=self._named("records", fields.get("id", name), record, "json"),
            record_bytes=record,
            source_place=self._named("sources", name, source, "md"),
            source_bytes=source,
            fields=fields,
        )

    def _named(self, folder: str, name: object, data: bytes, kind: str) -> str:
        if self.plain_names:
            return f"{folder}/{name}.{kind}"
        return f"{folder}/{name}.{sha256(data).hexdigest()[:12]}.{kind}"


def encoded(value: object) -> bytes:
    """Return a JSON file as the article writes them: two spaces of indent, one line end at the end."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")


def write_files(files: Mapping[str, bytes], folder: str | Path) -> Path:
    """Write a mapping from name to bytes into ``folder`` and return it."""
    root = Path(folder)
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return root


def _pointing(version: Built) -> dict[str, Any]:
    return {
        "record_id": version.fields.get("id"),
        "target": version.record_place,
        "record_sha256": version.record_sha256,
    }


def _edited(fields: Mapping[str, Any], edit: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in {**fields, **edit}.items() if value is not ...}
