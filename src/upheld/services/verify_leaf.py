"""Verify every entry of one leaf: the same steps that a recall of each key takes, and its trigger file besides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from upheld.checks import check_chain
from upheld.checks.cause import likely_cause
from upheld.checks.finding_of import finding_of
from upheld.checks.trie import check_keys
from upheld.errors import FaultError
from upheld.model.finding import Finding
from upheld.model.index import Pointer
from upheld.model.names import is_digest, short
from upheld.model.route import Rule
from upheld.routing.lint import lint
from upheld.services.gather import gather
from upheld.services.verify_sound import SoundChains
from upheld.wire import index as wire
from upheld.wire.digest import sha256_hex
from upheld.wire.examples import Examples
from upheld.wire.examples import decode as decode_examples
from upheld.wire.trigger import decode_trigger, encode_trigger

if TYPE_CHECKING:
    from collections.abc import Callable

    from upheld.checks.pool import Pool
    from upheld.errors import FaultError as Fault
    from upheld.model.chain import Chain
    from upheld.model.index import Node, Retired
    from upheld.ports.store import ReadableStore
    from upheld.services.tally import Tally

_ALONE = frozenset(("TRG001", "TRG002", "TRG003", "TRG004", "TRG007"))

MAX_TRIGGERS = 1024 * 1024
"""The largest file of trigger examples that is read, in bytes."""


class LeafVerifier:
    """Verifies leaves of one index into one tally.

    Args:
        store: where to read.
        as_of: the day to judge dates by.
        tally: what to add to.
        pool: all records of an article store; None for a closed store.
        quick: settle sound closed chains the short way (``verify_sound``); off only in the test that compares the two.
    """

    def __init__(
        self, store: ReadableStore, as_of: str, tally: Tally, pool: Pool | None, *, quick: bool = True
    ) -> None:
        self._store = store
        self._as_of = as_of
        self._tally = tally
        self._pool = pool
        self._sound = SoundChains(store, as_of, tally) if quick and pool is None else None

    def verify(self, leaf: Node) -> None:
        """Verify the leaf's keys, its pointers and its retired entries."""
        tally = self._tally
        for finding in check_keys(leaf):
            tally.refuse([finding], finding.keys)
        tally.pointers += len(leaf.entries)
        for number in range(len(leaf.entries)) if self._sound is None else self._sound.settle(leaf.entries):
            self._entry(wire.decode_pointer, leaf.entries[number], leaf, number)
        for number, entry in enumerate(leaf.retired):
            self._entry(wire.decode_retired, entry, leaf, number)

    def _entry(
        self,
        decode: Callable[[object, str, int], tuple[Pointer | Retired, tuple[Fault, ...]]],
        entry: object,
        leaf: Node,
        number: int,
    ) -> None:
        # 2. The pointer: every field of the right form.
        pointer, faults = decode(entry, leaf.place, number)
        keys = (pointer.key,) if pointer.key else ()
        if faults:
            self._refuse([finding_of(fault, *keys) for fault in faults], pointer)
            self._tally.is_cut = True
            return
        # 3 to 8. Records, binding, links, sources, dates, bound file.
        chain = gather(self._store, pointer, self._pool)
        self._refuse(check_chain(chain, self._as_of), pointer)
        self._account(chain)
        if isinstance(pointer, Pointer):
            digest = pointer.trigger_sha256
            self._rule(pointer, Examples() if digest is None else self._examples(pointer, digest))
        elif is_digest(kept := pointer.fields.get("trigger_sha256")):
            # A retired key keeps its examples, for the day that it is restored.
            self._tally.name(trigger_place(pointer.key, str(kept)))

    def _refuse(self, findings: list[Finding], pointer: Pointer | Retired) -> None:
        if isinstance(pointer, Pointer) and pointer.key:
            self._tally.refuse(findings, (pointer.key,))
        else:
            self._tally.add(findings)

    def _account(self, chain: Chain) -> None:
        """Note the files of a chain. Those of an article store are counted from its pool, where each stands once."""
        tally = self._tally
        for member in chain.members:
            tally.name(member.place)
            tally.is_cut |= member.record is None or bool(member.faults)
            if member.source is not None:
                tally.name(member.source.place)
            if self._pool is None:
                tally.records += 1
                tally.sources += member.source is not None

    def _rule(self, pointer: Pointer, examples: Examples) -> None:
        """What is wrong with a trigger by itself. No recall asks it, so no key goes.

        What takes other pointers to see is for ``verify_triggers``; a sentence without words for ``triggers lint``.
        """
        trigger, faults = decode_trigger(pointer.trigger, pointer.place, f"{pointer.path}.trigger")
        found = [finding_of(fault, pointer.key) for fault in faults]
        if not faults and (trigger is not None or pointer.trigger_sha256 is not None):
            rule = Rule(
                key=pointer.key,
                read_when=pointer.read_when,
                trigger=trigger,
                fires=examples.fires,
                nots=examples.nots,
            )
            alone = (one for one in lint((rule,)) if one.code in _ALONE and one.path != "read_when")
            found = [one.replace(place=pointer.place) for one in alone]
            encoded = {} if trigger is None else encode_trigger(trigger)
            self._tally.triggered.append(
                (pointer.place, rule.key, rule.read_when, encoded, examples.fires, examples.nots)
            )
        if found:
            self._tally.add(found)

    def _examples(self, pointer: Pointer, expected: str) -> Examples:
        """Whoever routes reads trigger files, and no recall does: a fault of one is an error that refuses no key."""
        tally = self._tally
        tally.triggers += 1
        place = trigger_place(pointer.key, expected)
        tally.name(place)
        facts: tuple[tuple[str, str], ...] = (("pointer", pointer.key),)
        try:
            data = self._store.read(place, MAX_TRIGGERS)
        except FaultError as fault:
            tally.add([finding_of(fault).replace(facts=facts)])
            return Examples()
        now = sha256_hex(data)
        if now != expected:
            facts += (("recorded", short(expected)), ("now", short(now)))
            tally.add([Finding(code="HSH005", place=place, facts=facts, cause=likely_cause(data, expected))])
            return Examples()
        try:
            return decode_examples(data, place)
        except FaultError as fault:
            tally.add([finding_of(fault).replace(facts=facts)])
            return Examples()


def trigger_place(key: str, sha256: str) -> str:
    """Return the file that holds the trigger examples of a key."""
    return f"triggers/{key}.{sha256[:12]}.json"
