"""Make a sealed store of any size quickly: files without a sync each, then one sealed commit that names them all."""

from __future__ import annotations

import os
from pathlib import Path

from upheld.compose import sealing
from upheld.compose.clock import today
from upheld.compose.cloning import keep
from upheld.compose.gate import gate_for
from upheld.compose.judging import build_near
from upheld.compose.library import Memory
from upheld.compose.routes import build_for
from upheld.compose.writing import base_of
from upheld.model.change import Change, Event
from upheld.services.base import Base
from upheld.services.commit import commit
from upheld.stores.directory_writer import WritableDirectory
from upheld.stores.disk import Disk
from upheld.testing.builder import StoreBuilder, write_files
from upheld.wire.day import days_after

AUTOMATION = ("remember", "correct", "review", "retire", "triggers")
_AT_ONCE = 1_000


class Unsynced(Disk):
    """A disk that is not asked to make each file durable: what is measured comes later."""

    def sync_and_close(self, descriptor: int) -> None:
        os.close(descriptor)

    def sync_file(self, name: str) -> None:
        """Do nothing."""


def key_of(number: int) -> str:
    """Return one of a store's keys."""
    return f"key-{number:06d}"


def built(folder: Path, keys: int, versions: int) -> list[dict[str, object]]:
    """Write the records and sources of so many keys, a thousand at a time; return the entries that point at them."""
    day = today()
    dates = {"recorded_on": days_after(day, -1), "last_verified": days_after(day, -1)}
    dates |= {"review_on": days_after(day, 60), "expires_on": days_after(day, 150)}
    edits = dict.fromkeys(range(1, versions + 1), dates)
    entries: list[dict[str, object]] = []
    for first in range(0, keys, _AT_ONCE):
        part = StoreBuilder()
        for number in range(first, min(first + _AT_ONCE, keys)):
            texts = [f"# Rule {number}\n\nDo as rule {number} says, and log it ({v}).\n" for v in range(versions)]
            part.remember(key_of(number), *texts, edits=edits, pointer={"read_when": f"When rule {number} matters"})
        entries += part.entries
        files = part.files()
        write_files({name: data for name, data in files.items() if name.startswith(("records/", "sources/"))}, folder)
    return entries


def sealed_store(folder: Path, keys: int, *, versions: int = 1) -> Memory:
    """Make a sealed store that the user of this environment pins, with its history, its near index and its routes.

    Args:
        folder: the store's folder, which must not exist.
        keys: how many.
        versions: of each key.
    """
    memory = Memory(path=str(folder), why="named")
    memory.init(passphrase=False, automation=AUTOMATION, accept=("SIG030",))
    entries = {str(entry["key"]): entry for entry in built(folder, keys, versions)}

    def plan(base: Base) -> Change:
        events = tuple(
            Event(verb="remember", key=key, after=str(entry["record_sha256"])) for key, entry in entries.items()
        )
        return Change(events=events, files={}, entries=entries, retired={}, bases=dict.fromkeys(entries))

    with WritableDirectory(memory.path, Unsynced(memory.path)) as store:
        gate = gate_for(store, memory.path)
        sealer = sealing.sealer_for(gate, sealing.key_sources(None, lambda _: None))
        commit(sealing.writer_to(store, gate, sealer, "ada"), plan)
    keep(memory.path)
    with base_of(memory, "doctor") as base:
        build_near(base, memory.path)
        build_for(base, memory.path)
    return memory
