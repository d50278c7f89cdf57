"""What came of an import: one outcome a file, N of N."""

from __future__ import annotations

from upheld.model.value import Value


class ImportedFile(Value):
    """One file: the proposal that was made of it, or why none was."""

    name: str
    key: str = ""
    proposal: str = ""
    skipped: str = ""
    notes: tuple[str, ...] = ()


class Imported(Value):
    """Every file of the folder, in the order of their names."""

    files: tuple[ImportedFile, ...]

    @property
    def proposed(self) -> int:
        """How many files became proposals."""
        return sum(bool(one.proposal) for one in self.files)
