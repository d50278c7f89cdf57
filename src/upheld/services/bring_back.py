"""Bring the accepted version of a store back, byte for byte, where its folder is gone or holds another one.

It is safe without anybody deciding which version that is: the trusted state names it by its digest, and everything
below the index hangs from that digest.
"""

from __future__ import annotations

from upheld.model.finding import Finding
from upheld.model.names import short
from upheld.model.reports import Mend
from upheld.ports.history import WholeVersion
from upheld.ports.team import Archive, Folder
from upheld.services.admission import Gate
from upheld.services.install import install
from upheld.services.snapshot import read_index

REPLACED = frozenset({"RBK001", "RBK010", "RBK011", "RBK012", "RBK016"})
"""What may stand in the folder and give way: an older version, one without its seal or its log."""


def kept_head(gate: Gate, archive: Archive, wanted: str) -> WholeVersion | None:
    """Return the accepted version as history keeps it, if it would be admitted; None where it is not kept.

    Args:
        gate: of the place; its own store is not read.
        archive: the history.
        wanted: the digest of the accepted index.
    """
    found = archive.find(wanted)
    if found is None or gate.replace(store=found, remembers=False).admit(*read_index(found)).refusals:
        return None
    return found


def may_give_way(findings: tuple[Finding, ...]) -> bool:
    """Whether all that is wrong with an index is that it is not the accepted one."""
    return bool(findings) and all(finding.code in REPLACED for finding in findings)


def bring_back(gate: Gate, archive: Archive, folder: Folder, version: WholeVersion, *, fix: bool) -> Mend:
    """Put the accepted version into the folder.

    Args:
        gate: of the place.
        archive: the history; what stands in the folder is recorded there before it goes.
        folder: where to.
        version: what ``kept_head`` returned.
        fix: do it; otherwise only say so.

    Raises:
        ConflictError: the folder changed meanwhile, or holds a file with other bytes under a name of the version.
        StorageError: the disk failed.
    """
    index = read_index(version)[1]
    what = f"bring version {index.version} ({short(index.node.sha256)}), the newest accepted here, back from history"
    if fix:
        stands = folder.index_sha256()
        install(version, folder.open(), stands, archive.find(stands) if stands is not None else None)
        state = gate.writable()
        now = state.load()
        if now is not None and now.head is not None and now.head.sha256 == index.node.sha256:
            state.save(now, state.accepted())  # this folder holds it now
    return Mend(what=what, place=folder.path, done=fix)
