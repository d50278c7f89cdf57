"""What a verification has found so far; tallies of several processes add up to the one of a single process."""

from __future__ import annotations

import marshal
from array import array
from typing import TYPE_CHECKING, Any

from upheld.model.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

Triggered = tuple[str, str, str, dict[str, object], tuple[str, ...], tuple[str, ...]]
"""A pointer with a trigger or examples: its place, key, sentence, encoded trigger, and examples of both kinds."""

_Fault = tuple[str, str, str, tuple[tuple[str, str], ...], str]


class Tally:
    """Counts, findings and the names that are accounted for.

    ``named`` holds one 64-bit hash a name, so that finding the files that nothing names costs eight bytes a file. The
    interpreter's string hash is keyed afresh in every process, so nobody can plan a collision; forked processes share
    the key. ``is_cut`` says that something could not be followed to its end, so that names are missing from ``named``.
    ``triggered`` holds what is to be compared with other pointers once all of them were met.
    """

    def __init__(self) -> None:
        self.keys = 0
        self.records = 0
        self.pointers = 0
        self.sources = 0
        self.triggers = 0
        self.named = array("q")
        self.refused: set[str] = set()
        self.is_cut = False
        self.triggered: list[Triggered] = []
        self._faults: dict[_Fault, set[str]] = {}

    def name(self, place: str) -> None:
        """Note that the index accounts for a file."""
        self.named.append(hash(place))

    def add(self, findings: Iterable[Finding]) -> None:
        """Take in findings; one fault that several keys share stays one finding."""
        for finding in findings:
            fault = (finding.code, finding.place, finding.path, finding.facts, finding.cause)
            self._faults.setdefault(fault, set()).update(finding.keys)

    def refuse(self, findings: list[Finding], keys: Iterable[str]) -> None:
        """Take in findings, and note that those among them that are errors refuse ``keys``."""
        self.add(findings)
        if any(finding.severity == "error" for finding in findings):
            self.refused.update(keys)

    def findings(self) -> tuple[Finding, ...]:
        """Return one finding a fault, its keys sorted."""
        return tuple(
            Finding(code=code, place=place, path=path, keys=tuple(sorted(keys)), facts=facts, cause=cause)
            for (code, place, path, facts, cause), keys in self._faults.items()
        )

    def packed(self) -> bytes:
        """Return everything as bytes, for a pipe between two processes of one program."""
        counts = (self.keys, self.records, self.pointers, self.sources, self.triggers, self.is_cut)
        faults = [(*fault, tuple(keys)) for fault, keys in self._faults.items()]
        return marshal.dumps((counts, self.named.tobytes(), tuple(self.refused), faults, self.triggered))

    def merge(self, packed: bytes) -> None:
        """Add what ``packed`` made of another tally."""
        data: Any = marshal.loads(packed)  # noqa: S302 - written by our own child, never read from a store
        counts, named, refused, faults, triggered = data
        self.keys += counts[0]
        self.records += counts[1]
        self.pointers += counts[2]
        self.sources += counts[3]
        self.triggers += counts[4]
        self.is_cut |= counts[5]
        self.named.frombytes(named)
        self.refused.update(refused)
        self.triggered += triggered
        for *fault, keys in faults:
            code, place, path, facts, cause = fault
            self._faults.setdefault((code, place, path, facts, cause), set()).update(keys)
