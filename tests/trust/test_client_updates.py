"""What a client accepts and refuses as a store moves on: the cases of TUF's client conformance that have a meaning here.

Each case pins one store, then looks at another in its place. Signatures are made by keys in memory.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from client import KEY, NEXT, TEXT, admit, codes, gate, pinned, recalled, sound
from upheld.errors import FaultError
from upheld.model.answer import Answer, Refusal
from upheld.model.change import Event
from upheld.services.admission import Pin
from upheld.services.snapshot import read_index
from upheld.services.trust_clock import reset_clock
from upheld.testing.builder import DAY
from upheld.testing.keys import MemoryKey
from upheld.testing.memory_state import MemoryState
from upheld.testing.memory_store import MemoryStore
from upheld.testing.sealed import SealedBuilder, listed, policy
from upheld.trust.signature import ROOT_NAMESPACE
from upheld.wire import event as wire_event


def moved_on(**fields: Any) -> SealedBuilder:
    """The same store, one key later."""
    builder = sound(**fields)
    builder.remember("refund-window", NEXT)
    return builder


# --- honest life ----------------------------------------------------------------------------------------------------


def test_a_pinned_store_is_served_and_moves_on() -> None:
    state = pinned(sound().store())
    assert codes(moved_on().store(), state) == []
    assert state.state is not None
    assert state.state.head is not None
    assert state.state.head.version == 3


def test_the_fast_path_asks_for_no_signature() -> None:
    state = pinned(sound().store())
    files = {name: data for name, data in sound().files().items() if not name.startswith(("seals/", "trust/"))}
    assert codes(MemoryStore(files), state) == []


def test_a_client_far_behind_follows_many_rotations() -> None:
    builder = sound()
    state = pinned(builder.store())
    names = ["ada", "bob", "cyd", "dan", "eve"]
    for old, new in pairwise(names):
        builder.next_root(signers=(old, new), keys=(listed(new),))
    assert codes(builder.store(sealers=("eve",)), state) == []
    assert state.state is not None
    assert state.state.root_version == 5


def test_an_expired_root_on_the_way_does_not_stop_the_walk() -> None:
    builder = sound(expires_on="2026-09-10")
    state = pinned(builder.store(), "2026-09-05")
    assert codes(builder.store(), state) == ["SIG022"]
    builder.next_root(signers=("ada",), expires_on="2027-09-10")
    assert codes(builder.store(), state) == []


# --- the trust root -------------------------------------------------------------------------------------------------


def rotated(signers: tuple[str, ...], **changes: Any) -> SealedBuilder:
    builder = sound()
    builder.next_root(signers=signers, **{"keys": (listed("ada"), listed("bob")), **changes})
    return builder


def test_a_new_root_needs_the_keys_of_the_old_one() -> None:
    builder = rotated(("bob",), keys=(listed("bob"),))
    assert codes(builder.store(sealers=("bob",)), pinned(sound().store())) == ["SIG020", "SIG014"]


def test_a_new_root_needs_its_own_keys() -> None:
    builder = rotated(("ada",), keys=(listed("bob"),))
    # The old holder's signature is read, and does not count towards the new threshold.
    assert codes(builder.store(sealers=("bob",)), pinned(sound().store()))[0] == "SIG020"


def test_a_bad_signature_does_not_count() -> None:
    builder = rotated(("ada",))
    files = builder.files()
    place = f"trust/2.{MemoryKey('ada').public.key_id}.sig"
    files[place] = MemoryKey("ada").sign(ROOT_NAMESPACE, b"other bytes")
    found = codes(MemoryStore(files), pinned(sound().store()))
    assert "SIG020" in found
    assert "SIG013" in found


def test_one_key_counts_once_towards_a_threshold() -> None:
    builder = sound("ada", "bob", threshold=2)
    state = pinned(builder.store())
    root = builder.root
    builder.add_root(root.replace(version=2), signers=("ada",), copies={"bob": "ada"})
    assert codes(builder.store(), state)[0] == "SIG020"


def test_a_missing_root_between_is_refused() -> None:
    builder = rotated(("ada", "bob"))
    builder.next_root(signers=("ada",))
    files = builder.files()
    del files["trust/2.json"]
    assert codes(MemoryStore(files), pinned(sound().store())) == ["STO001"]


def test_a_root_that_skips_a_number_is_refused() -> None:
    builder = sound()
    builder.next_root(signers=("ada",), threshold=1, revoked=())
    skipping = sound()
    skipping.add_root(skipping.root.replace(version=3), signers=("ada",))
    files = skipping.files(root={"version": 2, "sha256": skipping.root_sha256})
    files["trust/2.json"] = files.pop("trust/3.json")
    ada = MemoryKey("ada").public.key_id
    files[f"trust/2.{ada}.sig"] = files.pop(f"trust/3.{ada}.sig")
    assert codes(MemoryStore(files), pinned(sound().store())) == ["SIG021"]


def test_a_root_of_another_store_is_refused() -> None:
    builder = rotated(("ada", "bob"), store_id="another")
    assert "SIG025" in codes(builder.store(), pinned(sound().store()))


def test_a_revocation_cannot_be_taken_back() -> None:
    builder = sound("ada", "bob")
    state = pinned(builder.store())
    builder.next_root(signers=("ada",), revoked=(MemoryKey("bob").public.key_id,))
    assert codes(builder.store(), state) == []
    builder.next_root(signers=("ada",), revoked=())
    assert codes(builder.store(), state) == ["SIG028"]


def test_the_index_names_the_root_by_digest() -> None:
    builder = rotated(("ada", "bob"))
    store = builder.store(root={"version": 2, "sha256": "0" * 64})
    assert codes(store, pinned(sound().store())) == ["SIG026"]


@pytest.mark.parametrize(("today", "expected"), [("2026-09-19", []), ("2026-09-20", ["SIG022"])])
def test_a_root_ends_with_the_first_second_of_its_last_day(today: str, expected: list[str]) -> None:
    builder = sound(expires_on="2026-09-20")
    assert codes(builder.store(), pinned(builder.store()), today) == expected


# --- the seal -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("today", "expected"), [("2026-09-19", []), ("2026-09-20", ["SIG027"])])
def test_a_key_ends_with_the_first_second_of_its_last_day(today: str, expected: list[str]) -> None:
    builder = sound(keys=(listed("ada", expires_on="2026-09-20"),))
    assert codes(builder.store(), pinned(builder.store()), today) == expected


def test_a_seal_for_another_purpose_does_not_count() -> None:
    assert codes(moved_on().store(namespace=ROOT_NAMESPACE), pinned(sound().store())) == ["SIG012"]


def test_a_seal_of_the_index_before_does_not_count() -> None:
    old, new = sound().files(), moved_on().files()
    [old_seal] = [data for name, data in old.items() if name.startswith("seals/")]
    [name] = [name for name in new if name.startswith("seals/")]
    assert codes(MemoryStore({**new, name: old_seal}), pinned(MemoryStore(old))) == ["SIG013"]


def test_no_seal_is_a_stripped_one_and_no_flag_helps() -> None:
    store = moved_on().store(sealers=())
    assert codes(store, pinned(sound().store())) == ["RBK010"]
    assert codes(store, pinned(sound().store()), unsealed=True) == ["RBK010"]


def test_a_key_that_nobody_listed_cannot_seal() -> None:
    files = moved_on().files(sealers=("mallory",))
    [name] = [name for name in files if name.startswith("seals/")]
    digest = name.removeprefix("seals/").partition(".")[0]
    files[f"seals/{digest}.{MemoryKey('ada').public.key_id}.sig"] = files.pop(name)
    assert codes(MemoryStore(files), pinned(sound().store())) == ["SIG014"]


def test_a_revoked_key_cannot_seal_the_entries_that_it_sealed_before() -> None:
    builder = sound("ada", "bob")
    state = pinned(builder.store(sealers=("bob",)))
    builder.next_root(signers=("ada",), revoked=(MemoryKey("bob").public.key_id,))
    assert codes(builder.store(sealers=("bob",)), state) == ["SIG024"]
    assert codes(builder.store(sealers=("ada",)), state) == []


def test_a_revoked_key_is_refused_with_the_index_of_before() -> None:
    builder = sound("ada", "bob")
    old = builder.store(sealers=("bob",))
    state = pinned(old)
    builder.next_root(signers=("ada",), revoked=(MemoryKey("bob").public.key_id,))
    assert codes(builder.store(), state) == []
    assert codes(old, state) == ["RBK001"]


# --- order, fork, freeze --------------------------------------------------------------------------------------------


def test_an_older_store_is_a_rollback() -> None:
    assert codes(sound().store(), pinned(moved_on().store())) == ["RBK001"]


def test_an_older_root_under_a_newer_version_is_a_rollback() -> None:
    builder = rotated(("ada", "bob"))
    state = pinned(builder.store())
    later = moved_on()
    later.remember("third", TEXT)
    assert codes(later.store(), state) == ["RBK001"]


def test_two_sealed_indexes_of_one_version_are_a_fork_and_both_are_kept() -> None:
    state = pinned(moved_on().store())
    other = sound()
    other.remember("another-key", TEXT)
    assert codes(other.store(), state) == ["RBK002"]
    [evidence] = state.evidence.values()
    assert evidence["version"] == 3
    assert {"accepted", "found"} <= set(evidence)


def test_a_history_that_leaves_the_accepted_one_is_a_fork() -> None:
    state = pinned(moved_on().store())
    other = sound()
    other.remember("another-key", TEXT)
    other.remember("refund-window", NEXT)
    assert codes(other.store(), state) == ["RBK002"]


@pytest.mark.parametrize(("today", "expected"), [("2026-09-07", []), ("2026-09-08", ["RBK008"])])
def test_a_store_that_gets_no_updates_is_stale_at_the_limit(today: str, expected: list[str]) -> None:
    builder = sound(policy=policy(freshness_days=7))  # issued on 2026-09-01
    assert codes(builder.store(), pinned(builder.store(), "2026-09-02"), today) == expected


@pytest.mark.parametrize(
    ("synced_on", "expected"), [("2026-09-08", []), ("2026-09-07", ["RBK013"]), (None, ["RBK013"])]
)
def test_a_sync_that_is_too_old_is_refused(synced_on: str | None, expected: list[str]) -> None:
    builder = sound(policy=policy(max_sync_age_days=7))
    state = pinned(builder.store())
    assert state.state is not None
    state.state = state.state.replace(remote="origin", synced_on=synced_on, valid_until="2026-09-01")
    assert codes(builder.store(), state) == expected


def test_a_version_far_ahead_needs_its_events_and_poisons_nothing() -> None:
    state = pinned(sound().store())
    assert codes(sound().store(version=1_000_000, issued_at="2026-09-02T00:00:00Z"), state) == ["RBK011"]
    assert codes(moved_on().store(), state) == []  # fast-forward recovery: the honest next version still counts


def test_the_published_copy_over_a_draft_is_named_so() -> None:
    published = sound().store()
    state = pinned(published)
    assert state.state is not None
    state.state = state.state.replace(remote="origin")
    assert codes(moved_on().store(), state) == []
    assert codes(published, state) == ["RBK012"]


# --- what the log and the counts say --------------------------------------------------------------------------------


def test_a_key_that_vanishes_unlogged_is_omitted() -> None:
    builder = moved_on()
    builder.builder.entries = [entry for entry in builder.builder.entries if entry["key"] != KEY]
    assert codes(builder.store(), pinned(sound().store())) == ["RBK007"]


def test_a_log_that_was_rewritten_does_not_advance() -> None:
    files = moved_on().files()
    files["log/000003.json"] = files["log/000003.json"].replace(b'"by": "ada"', b'"by": "bob"')
    assert codes(MemoryStore(files), pinned(sound().store())) == ["LOG002"]


def test_an_event_of_an_unknown_verb_does_not_advance() -> None:
    builder = sound()
    builder.events.append(Event(verb="invent"))
    assert codes(builder.store(), pinned(sound().store())) == ["LOG001"]


def test_a_bad_event_does_not_stop_a_recall_at_the_accepted_version() -> None:
    files = sound().files()
    state = pinned(MemoryStore(files))
    files[wire_event.name_of(2)] = b"{"
    assert isinstance(recalled(MemoryStore(files), state), Answer)


# --- place and pins -------------------------------------------------------------------------------------------------


def test_another_store_in_this_place_is_refused_although_it_is_sound() -> None:
    other = sound("mallory", store_id="another-store")
    store = other.store(sealers=("mallory",), store_id="another-store")
    assert codes(store, pinned(sound().store())) == ["RBK003"]


def test_a_copy_stripped_of_its_seal_elsewhere_is_known_by_its_id() -> None:
    store = sound().store(sealers=(), root=...)
    _, index = read_index(store)
    assert codes(store, MemoryState(known=(index.store_id or "",)), unsealed=True) == ["RBK010"]


def test_first_contact_is_refused_and_shows_what_to_compare() -> None:
    admission = admit(sound().store(), MemoryState())
    [finding] = admission.refusals
    assert finding.code == "RBK006"
    assert dict(finding.facts)["root digest"] == sound().root_sha256


def test_a_pin_of_the_command_line_admits_and_writes_nothing() -> None:
    builder = sound()
    state = MemoryState()
    admission = admit(builder.store(), state, pin=Pin(root_sha256=builder.root_sha256, version=2), remembers=False)
    assert admission.sealed
    assert admission.not_checked
    assert state.state is None


def test_a_pin_refuses_a_lower_version_and_another_root() -> None:
    builder = sound()
    assert codes(builder.store(), MemoryState(), pin=Pin(root_sha256=builder.root_sha256, version=3)) == ["RBK001"]
    assert codes(builder.store(), MemoryState(), pin=Pin(root_sha256="0" * 64, version=1)) == ["RBK014"]


def test_a_pin_that_contradicts_the_trusted_state_is_refused() -> None:
    store = sound().store()
    assert codes(store, pinned(store), pin=Pin(root_sha256="0" * 64, version=1)) == ["RBK014"]


def test_a_pin_of_an_earlier_root_follows_the_chain() -> None:
    builder = rotated(("ada", "bob"))
    first = sound().root_sha256
    assert codes(builder.store(), MemoryState(), pin=Pin(root_sha256=first, version=1)) == []


# --- mixed versions and the clock -----------------------------------------------------------------------------------


def test_records_of_the_version_before_are_refused_under_the_new_index() -> None:
    old, new = sound(), SealedBuilder()
    new.remember(KEY, TEXT, "# Copy\n\nUse the short name.\n")
    files = {**new.files(), **{name: data for name, data in old.files().items() if name.startswith("records/")}}
    current = new.builder.built[KEY][-1].record_place
    files[current] = old.builder.built[KEY][-1].record_bytes
    outcome = recalled(MemoryStore(files), pinned(new.store()))
    assert isinstance(outcome, Refusal)
    assert outcome.code == "HSH002"


def test_a_clock_behind_the_last_day_seen_is_refused_until_a_person_resets_it() -> None:
    store = sound().store()
    state = pinned(store)
    assert isinstance(recalled(store, state, DAY), Answer)
    assert codes(store, state, "2026-09-13") == ["RBK009"]
    reset_clock(gate(store, state, "2026-09-13"))
    assert codes(store, state, "2026-09-13") == []


def test_a_clock_far_ahead_does_not_move_the_mark_past_its_limit() -> None:
    builder = sound(policy=policy(longest_review_days=30))
    store = builder.store()
    state = pinned(store)
    assert isinstance(recalled(store, state, DAY), Answer)
    assert isinstance(recalled(store, state, "2026-10-15"), Answer)
    assert state.state is not None
    assert (state.state.clock_mark, state.state.clock_limit) == (DAY, "2026-10-01")
    assert codes(store, state, DAY) == []


def test_a_state_that_cannot_be_trusted_refuses() -> None:
    store = sound().store()
    state = pinned(store)
    state.fault = FaultError("RBK005", "state", detail="others may write it")
    assert codes(store, state) == ["RBK005"]
