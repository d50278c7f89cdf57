from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import RefusedError
from upheld.testing.keys import MemoryKey
from upheld.trust.root import RootStep, TrustedRoot, accept_first, advance, expiry, walk
from upheld.trust.seal import check_seal
from upheld.trust.signature import INDEX_NAMESPACE, ROOT_NAMESPACE, Envelope
from upheld.wire.root import Policy, Root, RootKey, encode

ADA, BOB, CLEO, MALLORY = (MemoryKey(name) for name in ("ada", "bob", "cleo", "mallory"))
TODAY = "2026-11-30"
INDEX = b'{"version": 3}\n'

Link = tuple[bytes, tuple[Envelope, ...]]


def policy() -> Policy:
    return Policy(freshness_days=None, longest_review_days=365, max_sync_age_days=None, automation=(), branch=None)


def listed(*keys: MemoryKey) -> tuple[RootKey, ...]:
    return tuple(RootKey(public_key=key.public, name=key.public.comment, added_on="2026-01-01") for key in keys)


def root(version: int = 1, *keys: MemoryKey, threshold: int = 1, revoked: tuple[MemoryKey, ...] = ()) -> Root:
    return Root(
        version=version,
        store_id="store-1",
        issued_at="2026-01-01T00:00:00Z",
        expires_on="2027-01-01",
        keys=listed(*(keys or (ADA,))),
        threshold=threshold,
        revoked=tuple(key.public.key_id for key in revoked),
        policy=policy(),
    )


def signed(value: Root | bytes, *signers: MemoryKey, namespace: str = ROOT_NAMESPACE) -> Link:
    data = encode(value) if isinstance(value, Root) else value
    sigs = tuple(
        Envelope(place=f"{at}.{key.public.key_id}.sig", data=key.sign(namespace, data))
        for at, key in enumerate(signers)
    )
    return data, sigs


def pin(link: Link) -> RootStep:
    return accept_first(*link, digest=sha256(link[0]).hexdigest())


def trusted(value: Root, *signers: MemoryKey) -> TrustedRoot:
    return pin(signed(value, *signers)).require()


def codes(step: RootStep) -> list[str]:
    assert (step.accepted is None) == bool(step.findings)
    return [finding.code for finding in step.findings]


# --- the first root ---------------------------------------------------------------------------------------------------


def test_a_first_root_is_accepted_under_its_digest_and_its_own_threshold() -> None:
    link = signed(root(1, ADA, BOB, threshold=2), ADA, BOB)
    accepted = pin(link).require()
    assert accepted.root == root(1, ADA, BOB, threshold=2)
    assert accepted.digest == sha256(link[0]).hexdigest()
    assert [signer.key for signer in accepted.signers] == [ADA.public, BOB.public]


def test_a_first_root_may_have_any_version() -> None:
    assert trusted(root(7), ADA).root.version == 7


def test_a_first_root_with_another_digest_is_refused_however_well_signed() -> None:
    data, sigs = signed(root(1, MALLORY), MALLORY)
    assert codes(accept_first(data, sigs, digest=sha256(encode(root())).hexdigest())) == ["SIG026"]
    assert codes(accept_first(data, sigs, digest="")) == ["SIG026"]


def test_a_first_root_is_not_self_signed_by_a_stranger() -> None:
    assert codes(pin(signed(root(), MALLORY))) == ["SIG020", "SIG014"]
    assert codes(pin(signed(root()))) == ["SIG020"]


def test_an_index_seal_is_no_root_signature() -> None:
    assert codes(pin(signed(root(), ADA, namespace=INDEX_NAMESPACE))) == ["SIG020", "SIG012"]


def test_one_key_signing_twice_does_not_meet_a_threshold_of_two() -> None:
    assert codes(pin(signed(root(1, ADA, BOB, threshold=2), ADA, ADA))) == ["SIG020"]
    data, sigs = signed(root(1, ADA, BOB, threshold=2), ADA)
    again = Envelope(place="again.sig", data=ADA.sign(ROOT_NAMESPACE, data, hash_algorithm="sha256"))
    assert codes(accept_first(data, (*sigs, again), digest=sha256(data).hexdigest())) == ["SIG020"]


def test_a_malformed_root_is_a_finding_with_its_path() -> None:
    data = encode(root()).replace(b'"threshold": 1', b'"threshold": "1"')
    (finding,) = pin(signed(data, ADA)).findings
    assert (finding.code, finding.place, finding.path) == ("SIG023", "trust/1.json", "threshold")
    assert codes(pin(signed(b"{", ADA))) == ["FMT003"]


def test_a_key_that_a_root_itself_revokes_does_not_sign_it() -> None:
    assert codes(pin(signed(root(1, ADA, BOB, revoked=(ADA,)), ADA))) == ["SIG020", "SIG024"]
    assert trusted(root(1, ADA, BOB, revoked=(ADA,)), BOB).root.version == 1


def test_require_raises_what_was_found() -> None:
    with pytest.raises(RefusedError, match="SIG020 root-threshold-not-met") as caught:
        pin(signed(root())).require()
    assert caught.value.refusal == pin(signed(root())).findings


# --- the next root ----------------------------------------------------------------------------------------------------


def test_the_next_version_signed_by_both_thresholds_is_accepted() -> None:
    first = trusted(root(), ADA)
    step = advance(first, *signed(root(2, BOB), ADA, BOB))
    assert step.require().root.version == 2
    assert [signer.key for signer in step.require().signers] == [BOB.public]


@pytest.mark.parametrize("version", [1, 3, 4, 2**31 - 1])
def test_no_version_but_the_next_is_accepted(version: int) -> None:
    assert codes(advance(trusted(root(), ADA), *signed(root(version), ADA))) == ["SIG021"]


def test_an_older_version_is_never_taken_back() -> None:
    second = advance(trusted(root(), ADA), *signed(root(2), ADA)).require()
    third = advance(second, *signed(root(3), ADA)).require()
    assert codes(advance(third, *signed(root(2), ADA))) == ["SIG021"]


def test_a_root_without_the_old_threshold_is_refused() -> None:
    first = trusted(root(1, ADA, BOB, threshold=2), ADA, BOB)
    assert codes(advance(first, *signed(root(2, CLEO), ADA, CLEO))) == ["SIG020", "SIG014"]
    assert codes(advance(first, *signed(root(2, CLEO), ADA, ADA, CLEO))) == ["SIG020", "SIG014"]
    assert advance(first, *signed(root(2, CLEO), ADA, BOB, CLEO)).require().root.version == 2


def test_a_root_without_its_own_threshold_is_refused() -> None:
    first = trusted(root(), ADA)
    step = advance(first, *signed(root(2, BOB, CLEO, threshold=2), ADA, BOB))
    assert codes(step) == ["SIG020", "SIG014"]
    assert dict(step.findings[0].facts) == {"by the rules of version": "2", "needed": "2", "signed": "1"}


def test_a_lower_threshold_counts_only_from_its_own_version_on() -> None:
    first = trusted(root(1, ADA, BOB, threshold=2), ADA, BOB)
    assert codes(advance(first, *signed(root(2, ADA, BOB, threshold=1), ADA))) == ["SIG020"]
    second = advance(first, *signed(root(2, ADA, BOB, threshold=1), ADA, BOB)).require()
    assert advance(second, *signed(root(3, ADA, BOB, threshold=1), BOB)).require().root.version == 3


def test_a_rotated_out_key_stops_counting() -> None:
    second = advance(trusted(root(), ADA), *signed(root(2, BOB), ADA, BOB)).require()
    assert codes(advance(second, *signed(root(3, ADA), ADA))) == ["SIG020", "SIG014"]
    assert check_seal(second, *signed(INDEX, ADA, namespace=INDEX_NAMESPACE), TODAY).findings[0].code == "SIG014"


def test_the_only_key_can_revoke_itself_in_favour_of_another() -> None:
    second = advance(trusted(root(), ADA), *signed(root(2, BOB, revoked=(ADA,)), ADA, BOB)).require()
    assert second.root.revoked == (ADA.public.key_id,)
    assert codes(advance(second, *signed(root(3, ADA, BOB, revoked=(ADA,)), ADA))) == ["SIG020", "SIG024"]


def test_a_revoked_key_that_is_still_listed_never_counts() -> None:
    first = trusted(root(1, ADA, BOB, revoked=(ADA,)), BOB)
    assert codes(advance(first, *signed(root(2, ADA, BOB, revoked=(ADA,)), ADA))) == ["SIG020", "SIG024"]


def test_a_revocation_is_never_withdrawn() -> None:
    first = trusted(root(1, ADA, BOB, revoked=(ADA,)), BOB)
    assert codes(advance(first, *signed(root(2, ADA, BOB), ADA, BOB))) == ["SIG028"]


def test_another_stores_root_is_refused_even_by_the_same_keys() -> None:
    other = root(2).replace(store_id="store-2")
    assert codes(advance(trusted(root(), ADA), *signed(other, ADA))) == ["SIG025"]


def test_every_misfit_is_reported_at_once() -> None:
    first = trusted(root(1, ADA, BOB, revoked=(ADA,)), BOB)
    other = root(5, ADA, BOB).replace(store_id="store-2")
    assert codes(advance(first, *signed(other, BOB))) == ["SIG025", "SIG021", "SIG028"]


def test_signatures_of_one_root_are_not_those_of_another() -> None:
    first = trusted(root(), ADA)
    _, sigs = signed(root(2, ADA), ADA)
    assert codes(advance(first, encode(root(2, ADA, MALLORY)), sigs)) == ["SIG020", "SIG013"]


def test_whitespace_added_to_a_signed_root_is_refused() -> None:
    data, sigs = signed(root(2), ADA)
    assert codes(advance(trusted(root(), ADA), data + b"\n", sigs)) == ["SIG020", "SIG013"]


# --- chains -----------------------------------------------------------------------------------------------------------


def chain_of(length: int) -> tuple[TrustedRoot, tuple[Link, ...]]:
    return trusted(root(), ADA), tuple(signed(root(version), ADA) for version in range(2, length + 1))


def test_a_chain_is_walked_to_its_end() -> None:
    first, chain = chain_of(6)
    assert walk(first, chain, as_of=TODAY).require().root.version == 6
    assert walk(first, (), as_of=TODAY).require() == first


@given(st.permutations(range(5)), st.sets(st.integers(0, 4), min_size=1))
def test_a_chain_with_a_missing_link_or_out_of_order_is_refused(order: list[int], kept: set[int]) -> None:
    first, chain = chain_of(6)
    chosen = [at for at in order if at in kept]
    step = walk(first, tuple(chain[at] for at in chosen), as_of=TODAY)
    if chosen == list(range(len(chosen))):
        assert step.require().root.version == 1 + len(chosen)
    else:
        assert codes(step) == ["SIG021"]


def test_a_chain_stops_at_its_first_bad_link() -> None:
    first, chain = chain_of(6)
    broken = (*chain[:2], signed(root(4), MALLORY), *chain[3:])
    assert codes(walk(first, broken, as_of=TODAY)) == ["SIG020", "SIG014"]


def test_a_far_ahead_version_does_not_lock_the_store_out() -> None:
    """Fast-forward: a thief of one key signs a huge version; the next honest root still follows the last honest one."""
    first = trusted(root(), ADA)
    assert codes(walk(first, (signed(root(2**31 - 1), ADA),), as_of=TODAY)) == ["SIG021"]
    assert walk(first, (signed(root(2, BOB, revoked=(ADA,)), ADA, BOB),), as_of=TODAY).require().root.version == 2


# --- expiry -----------------------------------------------------------------------------------------------------------

EXPIRING = root().replace(expires_on="2026-12-01")


@pytest.mark.parametrize(
    ("as_of", "has_expired"),
    [
        ("2026-11-30", False),
        ("2026-11-30T23:59:59Z", False),
        ("2026-12-01T00:00:00Z", True),
        ("2026-12-01", True),
        ("2030-01-01T12:00:00Z", True),
    ],
)
def test_a_root_expires_at_the_exact_instant(as_of: str, *, has_expired: bool) -> None:
    first = trusted(EXPIRING, ADA)
    assert bool(expiry(first, as_of)) == has_expired
    assert codes(walk(first, (), as_of=as_of)) == (["SIG022"] if has_expired else [])
    sealed = signed(INDEX, ADA, namespace=INDEX_NAMESPACE)
    assert [finding.code for finding in check_seal(first, *sealed, as_of).findings] == (
        ["SIG022"] if has_expired else []
    )


def test_an_expired_root_in_the_middle_of_a_chain_does_not_matter_and_can_be_renewed() -> None:
    first = trusted(EXPIRING, ADA)
    renewed = signed(root(2), ADA)
    assert walk(first, (renewed,), as_of="2026-12-24").require().root.version == 2
    assert walk(first, (), as_of=None).require() == first


def test_an_expired_last_root_is_refused() -> None:
    assert codes(walk(trusted(root(), ADA), (signed(EXPIRING.replace(version=2), ADA),), as_of="2026-12-01")) == [
        "SIG022"
    ]


@pytest.mark.parametrize("as_of", ["", "today", "2026-13-01", "2026-12-01T00:00:00", "2026-12-01T24:00:00Z", "9"])
def test_an_instant_of_another_form_is_the_callers_mistake(as_of: str) -> None:
    with pytest.raises(ValueError, match="UTC"):
        expiry(trusted(root(), ADA), as_of)


# --- seals ------------------------------------------------------------------------------------------------------------


def seal_codes(value: Root, *sealers: MemoryKey, as_of: str = TODAY, namespace: str = INDEX_NAMESPACE) -> list[str]:
    accepted = TrustedRoot(root=value, digest="", signers=())
    check = check_seal(accepted, *signed(INDEX, *sealers, namespace=namespace), as_of)
    assert bool(check.signers) != bool(check.findings)
    assert bool(check.signers) == bool(check.valid_until)
    return [finding.code for finding in check.findings]


def test_a_seal_by_any_listed_key_is_enough() -> None:
    both = root(1, ADA, BOB, threshold=2)
    assert seal_codes(both, BOB) == []
    assert seal_codes(both, ADA, BOB) == []
    assert seal_codes(both, MALLORY, BOB) == []


def test_no_seal_and_bad_seals_are_told_apart() -> None:
    assert seal_codes(root()) == ["SIG001"]
    assert seal_codes(root(), MALLORY) == ["SIG014"]
    assert seal_codes(root(), ADA, namespace=ROOT_NAMESPACE) == ["SIG012"]
    assert seal_codes(root(1, ADA, BOB, revoked=(ADA,)), ADA) == ["SIG024"]
    assert seal_codes(root(1, BOB, revoked=(ADA,)), ADA, MALLORY) == ["SIG024", "SIG014"]


def test_a_seal_over_other_index_bytes_is_refused() -> None:
    first = trusted(root(), ADA)
    _, sigs = signed(INDEX, ADA, namespace=INDEX_NAMESPACE)
    assert [finding.code for finding in check_seal(first, INDEX + b" ", sigs, TODAY).findings] == ["SIG013"]


def with_key_expiry(*ends: str | None) -> Root:
    value = root(1, ADA, BOB)
    return value.replace(keys=tuple(key.replace(expires_on=end) for key, end in zip(value.keys, ends, strict=True)))


def test_an_expired_key_seals_nothing_and_can_still_be_renewed() -> None:
    value = with_key_expiry("2026-11-30", None)
    assert seal_codes(value, ADA) == ["SIG027"]
    assert seal_codes(value, ADA, as_of="2026-11-29T23:59:59Z") == []
    assert seal_codes(value, ADA, BOB) == []
    assert advance(trusted(value, ADA), *signed(root(2), ADA)).require().root.version == 2


@pytest.mark.parametrize(
    ("ends", "sealers", "valid_until"),
    [
        ((None, None), (ADA,), "2027-01-01"),
        (("2026-12-05", None), (ADA,), "2026-12-05"),
        (("2026-12-05", None), (BOB,), "2027-01-01"),
        (("2026-12-05", "2026-12-09"), (ADA, BOB), "2026-12-09"),
        (("2026-12-05", None), (ADA, BOB), "2027-01-01"),
        (("2028-12-05", None), (ADA,), "2027-01-01"),
    ],
)
def test_a_check_says_until_when_it_would_come_out_the_same(
    ends: tuple[str | None, str | None], sealers: tuple[MemoryKey, ...], valid_until: str
) -> None:
    accepted = TrustedRoot(root=with_key_expiry(*ends), digest="", signers=())
    sealed = signed(INDEX, *sealers, namespace=INDEX_NAMESPACE)
    assert check_seal(accepted, *sealed, TODAY).valid_until == valid_until
    assert check_seal(accepted, *sealed, valid_until).findings


def test_a_malformed_next_root_is_named_by_its_place() -> None:
    first = trusted(root(), ADA)
    (finding,) = advance(first, *signed(encode(root(2)).replace(b'"version": 2', b'"version": -2'), ADA)).findings
    assert (finding.code, finding.place, finding.path) == ("SIG023", "trust/2.json", "version")
