"""Ways to change one copy of the demonstration's store.

``Copy`` keeps two ways apart: an accident changes a file and nothing else; somebody who knows the format recomputes the
digests that lead to what they changed, and then only the rules can refuse it.
"""

from __future__ import annotations

import json
from pathlib import Path

from upheld.services.demo.store import Fields, as_json
from upheld.wire.digest import sha256_hex


class Copy:
    """One copy of the store, in a folder of its own.

    Args:
        folder: the copy's folder.
        today: the day the store was built for.
    """

    def __init__(self, folder: Path, today: str) -> None:
        self.folder = folder
        self.today = today

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
        self.path(name).write_bytes(data.replace(old, new))

    def record(self, name: str, **changes: object) -> None:
        """Change fields of a record and rebind the pointer that leads to it; None removes a field."""
        place = f"records/{name}.json"
        fields: Fields = json.loads(self.path(place).read_bytes()) | changes
        self.path(place).write_bytes(as_json({key: value for key, value in fields.items() if value is not None}))
        self.rebind(place)

    def source(self, name: str, data: bytes) -> None:
        """Change a source, and rebind the record and the pointer that lead to it."""
        self.path(f"sources/{name}.md").write_bytes(data)
        self.record(name, source_sha256=sha256_hex(data))

    def rebind(self, place: str) -> None:
        """Recompute the digest in every pointer that leads to a record."""
        index = json.loads(self.path("index.json").read_bytes())
        for entry in index["entries"]:
            if entry["target"] == place:
                entry["record_sha256"] = sha256_hex(self.path(place).read_bytes())
        self.path("index.json").write_bytes(as_json(index))

    def pointer(self, number: int, **changes: object) -> None:
        """Change fields of a pointer."""
        index = json.loads(self.path("index.json").read_bytes())
        index["entries"][number] |= changes
        self.path("index.json").write_bytes(as_json(index))
