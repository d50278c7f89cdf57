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
VERBS = """
archive audit backport benchmark bootstrap bundle calibrate certify compress configure convert defer delete deploy
disable document encrypt enlarge escalate export fork freeze import index install invoice lint localise merge
migrate mirror monitor mount move patch publish purge rename renew replace restart retry rotate sample schedule
shard sign translate upgrade validate
""".split()  # noqa: SIM905
KINDS = """
ancient annual binary blue broken central closed cloud colonial daily dark digital double empty external fast
federal foreign frozen global green hidden hollow internal large legal local lunar manual medical minor mobile
national nightly northern open orange partial plain private public quarterly quiet regional remote secure shared
silent solar weekly
""".split()  # noqa: SIM905
THINGS = """
account adapter album bridge bucket budget cable calendar camera catalogue cluster compiler contract dashboard
database dictionary engine factory ferry firewall gateway glossary harbour invoice kernel lantern ledger library
licence mailbox manifest museum newsletter notebook orchard parser payroll pipeline printer protocol queue report
roadmap satellite schema scheduler server ticket turbine warehouse
""".split()  # noqa: SIM905
ACTIONS = (
    "ask who owns it", "write down the ticket", "run the smoke tests", "wait for two reviews", "tell the support desk",
    "take a snapshot", "check the quota", "read the runbook", "warn finance a day ahead", "turn the alerts off",
    "name a second pair of eyes", "measure it twice", "keep the old copy for a month", "use the staging key",
)  # fmt: skip


class Unsynced(Disk):
    """A disk that is not asked to make each file durable: what is measured comes later."""

    def sync_and_close(self, descriptor: int) -> None:
        os.close(descriptor)

    def sync_file(self, name: str) -> None:
        """Do nothing."""


def key_of(number: int) -> str:
    """Return one of a store's keys."""
    return f"key-{number:06d}"


def subject_of(number: int) -> str:
    """Return what one key is about: three words that no other key has together, up to 125,000 keys."""
    mixed = number * 77_237 % 125_000  # neighbours share no word
    return f"{VERBS[mixed % 50]} the {KINDS[mixed // 50 % 50]} {THINGS[mixed // 2_500]}"


def text_of(number: int, version: int = 0) -> str:
    """Return what one version of a key says."""
    first, second = ACTIONS[number % len(ACTIONS)], ACTIONS[(number // 3 + version) % len(ACTIONS)]
    return f"Before you {subject_of(number)}, {first} and {second} ({number}.{version})."


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
            texts = [f"# Rule {number}\n\n{text_of(number, version)}\n" for version in range(versions)]
            part.remember(
                key_of(number), *texts, edits=edits, pointer={"read_when": f"Before you {subject_of(number)}"}
            )
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
