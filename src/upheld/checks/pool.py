"""Which records belong to a key's chain when nothing says so.

In an article store every file in ``records/`` counts. A key's chain is then every record that is linked to the one its
pointer leads to, over any number of links, in either direction, plus every record that bears the id of a member or
names one. A record that cannot be read belongs to each chain whose ids its bytes or its file name mention: what it says
of them is unknown, so they are refused, and the other keys are still served.
"""

from __future__ import annotations

from upheld.model.chain import Member

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Pool:
    """All record files of one article store, by the ids that they bear or name."""

    def __init__(self, members: Iterable[Member]) -> None:
        self.by_place: dict[str, Member] = {}
        self._by_id: dict[str, list[Member]] = {}
        for member in members:
            self.by_place[member.place] = member
            for name in _ids(member):
                self._by_id.setdefault(name, []).append(member)

    def chain(self, target: str, record_id: str, key: str) -> tuple[Member, ...]:
        """Return every member of the chain that ``target`` and ``record_id`` belong to, in order of place."""
        waiting = [record_id, f"key:{key}"]
        found: dict[str, Member] = {}
        seen = set(waiting)
        start = self.by_place.get(target)
        reached = [start] if start is not None else []
        while reached or waiting:
            while reached:
                member = reached.pop()
                if member.place in found:
                    continue
                found[member.place] = member
                fresh = [name for name in _links(member) if name not in seen]
                seen.update(fresh)
                waiting += fresh
            if waiting:
                reached += self._by_id.get(waiting.pop(), ())
        return tuple(found[place] for place in sorted(found))


def _links(member: Member) -> tuple[str, ...]:
    """The ids that lead on from a member: those it bears or names, but not the mere mentions of a broken file."""
    record = member.record
    if record is None:
        return ()
    return tuple(name for name in (record.id, record.supersedes, record.superseded_by) if name)


def _ids(member: Member) -> frozenset[str]:
    key = member.record.key if member.record is not None else None
    return frozenset(_links(member)) | member.claims | (frozenset([f"key:{key}"]) if key else frozenset())
