"""Which files of a store nothing names any more. Only a store whose every chain can be read has any."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.model.finding import Finding
from upheld.model.index import Pointer
from upheld.services.base import Base
from upheld.services.every_key import entries, steps
from upheld.services.verify_leaf import trigger_place

FOLDERS = ("index", "records", "sources", "triggers", "seals", "log")
TEMPORARY = ".new-"
EVIDENCE = ".damaged-"
"""How the name of a damaged file begins that ``doctor`` put aside; a person decides about it."""


def named(base: Base) -> tuple[set[str], list[Finding]]:
    """Return every name that the live index accounts for, and why the account may be incomplete."""
    names: set[str] = {step.place for step in steps(base)}
    findings: list[Finding] = []
    for entry, wrong in entries(base):
        findings += wrong
        if entry is None:
            continue
        chain = base.chain(entry)
        for member in chain.members:
            names.add(member.place)
            if member.source is not None:
                names.add(member.source.place)
            is_other = member.record is not None and member.expected_sha256 not in (None, member.record.sha256)
            if member.faults or member.record is None or is_other:
                findings.append(Finding(code="HSH002" if is_other else member.faults[0].code, place=member.place))
        digest = entry.trigger_sha256 if isinstance(entry, Pointer) else entry.fields.get("trigger_sha256")
        if isinstance(digest, str):
            names.add(trigger_place(entry.key, digest))
    return names, findings


def orphans(base: Base, names: set[str]) -> Iterator[str]:
    """Yield every file that nothing names: left over from a commit that was cut short, or put there."""
    for folder in ("", *FOLDERS):
        for name in base.store.list(folder):
            leaf = name.rpartition("/")[2]
            if leaf.startswith(TEMPORARY) or (
                folder and not leaf.startswith(EVIDENCE) and not _accounted(base, name, names)
            ):
                yield name


def _accounted(base: Base, name: str, names: set[str]) -> bool:
    if name.startswith("seals/"):
        return name.startswith(f"seals/{base.index.node.sha256}.")
    if name.startswith("log/"):
        number = name.removeprefix("log/").removesuffix(".json")
        return not (number.isascii() and number.isdigit()) or int(number) <= (base.index.version or 0)
    return name in names
