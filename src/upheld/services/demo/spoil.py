"""Ways to change one copy of the demonstration's store.

``Copy`` keeps two ways apart: an accident changes a file and nothing else; somebody who knows the format recomputes
every digest that leads to what they changed. In an unsealed store only the rules can refuse that; in a sealed one the
seal does, which cannot be recomputed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from upheld.services.demo.store import KEY, Fields, as_json
from upheld.wire.digest import sha256_hex

INDEX = "index.json"
Files = Mapping[str, bytes]


class Copy:
    """One copy of a store of the demonstration, of either form, in a folder of its own.

    Args:
        folder: the copy's folder, which holds the store already.
        today: the day the store was built for.
        snapshots: other stores to put in its place, by name.
        state: the folder of what its reader remembers of it.

    Attributes:
        new, old: the places of the record that is current and of the one that it superseded.
        new_id, old_id: their ids.
        new_source, old_source: the places of their sources.
    """

    def __init__(self, folder: Path, today: str, snapshots: Mapping[str, Files], state: Path) -> None:
        self.folder = folder
        self.today = today
        self.state = state
        self._snapshots = snapshots
        [self.new] = [entry["target"] for entry in self._read(INDEX)["entries"] if entry["key"] == KEY]
        fields = self._read(self.new)
        self.new_id, self.new_source = str(fields["id"]), str(fields["durable_source"])
        self.old_id = str(fields.get("supersedes", ""))
        self.old = next((name for name in self._records() if self._read(name)["id"] == self.old_id), "")
        self.old_source = str(self._read(self.old)["durable_source"]) if self.old else ""

    def path(self, name: str) -> Path:
        """Return where a file of the store lies."""
        return self.folder / name

    def swap(self, name: str, old: bytes, new: bytes) -> None:
        """Replace some bytes of a file.

        Raises:
            ValueError: the file does not hold them, so that the case would prove nothing.
        """
        data = self.path(name).read_bytes()
        if old not in data:
            raise ValueError(f"{name} does not hold {old!r}")
        self.write(name, data.replace(old, new))

    def write(self, name: str, data: bytes) -> None:
        """Put a file in place of another; what is read-only is no hindrance to whoever may write the folder."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_bytes(data)

    def record(self, place: str, **changes: object) -> None:
        """Change fields of a record and rebind the pointer that leads to it; None removes a field."""
        fields: Fields = self._read(place) | changes
        self.write(place, as_json({key: value for key, value in fields.items() if value is not None}))
        self.rebind(place)

    def source(self, place: str, data: bytes) -> None:
        """Change the source of a record, and rebind the record and the pointer that lead to it."""
        self.write(str(self._read(place)["durable_source"]), data)
        self.record(place, source_sha256=sha256_hex(data))

    def rebind(self, place: str) -> None:
        """Recompute the digest in every pointer that leads to a record."""
        index = self._read(INDEX)
        for entry in index["entries"]:
            if entry["target"] == place:
                entry["record_sha256"] = sha256_hex(self.path(place).read_bytes())
        self.index(index)

    def pointer(self, number: int, **changes: object) -> None:
        """Change fields of a pointer."""
        index = self._read(INDEX)
        index["entries"][number] |= changes
        self.index(index)

    def strip(self, *fields: str) -> None:
        """Take fields out of the index."""
        self.index({name: value for name, value in self._read(INDEX).items() if name not in fields})

    def index(self, fields: Fields) -> None:
        """Write the index, and give its seals the name that a reader looks for: their bytes cannot be made to fit."""
        before = sha256_hex(self.path(INDEX).read_bytes())
        data = as_json(fields)
        self.write(INDEX, data)
        for seal in sorted(self.folder.glob(f"seals/{before}.*")):
            seal.rename(seal.with_name(seal.name.replace(before, sha256_hex(data))))

    def remove(self, *names: str) -> None:
        """Remove files and folders; the store itself where none is named."""
        for path in [self.path(name) for name in names] or [self.folder]:
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    def exchange(self, name: str) -> None:
        """Put another store, whole, in the place of this one."""
        self.remove()
        write_files(self._snapshots[name], self.folder)

    def forget(self) -> None:
        """Remove what the reader remembers of the store; that they once trusted it at this path stays known."""
        for path in self.state.glob("places/*.json"):
            path.unlink()

    def _records(self) -> list[str]:
        return sorted(f"records/{path.name}" for path in self.folder.glob("records/*.json"))

    def _read(self, name: str) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.path(name).read_bytes())
        return loaded


def write_files(files: Files, folder: Path) -> None:
    """Write a store's files into a new folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
