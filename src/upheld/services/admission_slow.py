"""Judge an index that the trusted state does not vouch for byte for byte: seal, root, order, log.

The steps are numbered as in docs/explanation/trust.md. Nothing here is needed by a warm recall.
"""

from __future__ import annotations

from collections.abc import Iterator

from upheld.checks.finding_of import finding_of
from upheld.errors import ConflictError, FaultError, StorageError
from upheld.model.answer import Refusal
from upheld.model.finding import Finding, worst_first
from upheld.model.index import Index
from upheld.model.names import short
from upheld.model.trusted import Accepted, Head, Trusted
from upheld.model.value import Value
from upheld.ports.store import ReadableStore
from upheld.services.admission import Gate, Pin, mentions, refused
from upheld.services.signatures import key_ids, root_signatures, seals
from upheld.services.snapshot import Admission
from upheld.trust.order import check_events, check_order
from upheld.trust.root import TrustedRoot, accept_first, walk
from upheld.trust.seal import check_seal
from upheld.wire import event as wire_event
from upheld.wire import index as wire_index
from upheld.wire import root as wire_root
from upheld.wire.day import days_after
from upheld.wire.digest import sha256_hex
from upheld.wire.event import Logged

_MOST_ROOTS = 1000
_PROBES = ("RBK001", "RBK012")


class Vouched(Value):
    """A sealed index that passed: under which root, by which seals, and until when."""

    root: TrustedRoot
    root_bytes: bytes
    seals: dict[str, bytes]
    signers: tuple[str, ...]
    valid_until: str


class _RefusedError(Exception):
    """Carries the findings out of a step."""

    def __init__(self, *findings: Finding) -> None:
        super().__init__()
        self.findings = findings


def admit_pinned(gate: Gate, data: bytes, index: Index, state: Trusted) -> Admission:
    """Judge an index at a pinned place, and remember it if it is new and good."""
    try:
        vouched = _judge(gate, data, index, state)
    except _RefusedError as refusal:
        return refused(*refusal.findings)
    notices = mentions(state)
    if gate.remembers:
        notices += _remember(gate, state, advanced(state, index, vouched), accepted_of(data, vouched))
    return Admission(sealed=True, notices=notices)


def _judge(gate: Gate, data: bytes, index: Index, state: Trusted) -> Vouched:
    # 1. It has a root to hang from at all: a pinned place is never read unsealed.
    if index.root_version is None or index.root_sha256 is None or index.version is None:
        raise _RefusedError(Finding(code="RBK010", place=index.node.place))
    # 2. It is the store that is bound to this place.
    _check_store(index, state.store_id)
    _check_dropped(gate.store, index, state)
    # 3. It is not older than what was accepted, under whatever keys. The seal is only asked where that matters.
    older = [finding for finding in check_order(state, index) if finding.code in _PROBES]
    if older:
        raise _RefusedError(*(_behind(gate, index, finding) for finding in older))
    # 4. Its trust root follows from the accepted one.
    root, root_bytes = _root(gate, index, _accepted_root(gate, state))
    _check_pins(gate, index)
    # 5. A key of that root sealed exactly these bytes.
    vouched = _sealed(gate, data, index, root, root_bytes)
    # 6. It does not contradict the accepted version, and its log follows from the accepted log.
    _check_fork(gate, data, index, state, vouched)
    if state.head is not None and index.version > state.head.version:
        _check_log(gate.store, index, state)
    # 7. It is fresh enough.
    _check_fresh(index, vouched, gate.today, state)
    return vouched


def _behind(gate: Gate, index: Index, finding: Finding) -> Finding:
    """Nothing was put back where this folder still holds what was last accepted in it: another work tree moved on."""
    return finding.replace(code="RBK016") if gate.state.seen_here() == index.node.sha256 else finding


def admit_by_pin(gate: Gate, data: bytes, index: Index) -> Admission:
    """Judge an index where nothing is remembered, under a pin from outside. Nothing is written."""
    pin = gate.system_pin or gate.pin
    if pin is None:
        raise AssertionError("a pin is what brought us here")
    try:
        vouched = _judge_by_pin(gate, data, index, pin)
        if gate.pin is not None and gate.system_pin is not None:
            _judge_by_pin(gate, data, index, gate.pin)
        _check_fresh(index, vouched, gate.today, None)
    except _RefusedError as refusal:
        return refused(*refusal.findings)
    history = f"history: earlier versions than {index.version} (nothing is remembered here; pinned by {pin.source})"
    return Admission(sealed=True, not_checked=(history,))


def _judge_by_pin(gate: Gate, data: bytes, index: Index, pin: Pin) -> Vouched:
    if index.root_version is None or index.root_sha256 is None or index.version is None:
        raise _RefusedError(Finding(code="RBK010", place=index.node.place))
    _check_pin(index, pin)
    root, root_bytes = _root(gate, index, _pinned_root(gate.store, index, pin))
    return _sealed(gate, data, index, root, root_bytes)


def introduce(gate: Gate, data: bytes, index: Index) -> Admission:
    """A sealed store that nobody pinned here is refused; say what a person needs to compare."""
    facts: tuple[tuple[str, str], ...] = (("root digest", index.root_sha256 or ""), ("version", str(index.version)))
    try:
        root_bytes = gate.store.read(f"trust/{index.root_version}.json", wire_root.SIZE_LIMIT)
        for key in wire_root.decode(root_bytes, "trust").keys:
            facts += ((f"key of {key.name}", key.public_key.fingerprint),)
    except FaultError as fault:
        return refused(Finding(code="RBK006", place=index.node.place, facts=facts), finding_of(fault))
    return refused(Finding(code="RBK006", place=index.node.place, facts=facts))


def vouch_first(
    gate: Gate, data: bytes, index: Index, root_sha256: str, place: str | None = None
) -> tuple[Trusted, Accepted]:
    """Judge a store for pinning: its root is, or follows from, the one whose digest a person confirmed; it sealed this.

    Args:
        gate: the gate of the store.
        data: the index as stored, and decoded.
        index: the same.
        root_sha256: the digest.
        place: what to pin; None for what the trusted state says, which must then be readable.

    Returns:
        The state to save, made from what is remembered of the place now, and the bytes behind it.

    Raises:
        RefusedError: the root, its chain or the seal is refused.
        FaultError: the trusted state itself cannot be told apart from a broken one.
    """
    try:
        vouched = _judge_by_pin(gate, data, index, Pin(root_sha256=root_sha256, version=0, source="the digest given"))
    except _RefusedError as refusal:
        Refusal(key="", findings=worst_first(refusal.findings), as_of=gate.today).require()
        raise AssertionError("a refusal raises") from None
    fresh = Trusted(place=gate.state.place if place is None else place)
    return advanced(fresh, index, vouched), accepted_of(data, vouched)


def advanced(state: Trusted, index: Index, vouched: Vouched) -> Trusted:
    """Return the state with this index as its head; without a remote it is published by that."""
    head = Head(root_version=vouched.root.root.version, version=index.version or 0, sha256=index.node.sha256)
    pointers, retired = index.node.counts
    policy = vouched.root.root.policy
    until = vouched.valid_until
    if state.remote is not None and policy.max_sync_age_days is not None:
        until = min(until, days_after(state.synced_on or "", policy.max_sync_age_days))
    return state.replace(
        store_id=vouched.root.root.store_id,
        root_version=vouched.root.root.version,
        root_sha256=vouched.root.digest,
        head=head,
        published=head if state.remote is None else state.published,
        log_head=index.log_head or "",
        pointers=pointers,
        retired=retired,
        valid_until=until,
        clock_limit=days_after((index.issued_at or "")[:10], policy.longest_review_days),
    )


def accepted_of(data: bytes, vouched: Vouched) -> Accepted:
    """Return the bytes behind a head."""
    return Accepted(index=data, seals=vouched.seals, root=vouched.root_bytes)


def _remember(gate: Gate, old: Trusted, new: Trusted, accepted: Accepted | None) -> tuple[Finding, ...]:
    """Save the advance. A state that cannot be written never stops a read; it is said."""
    if new == old:
        return ()
    try:
        if new.head != old.head:
            gate.make_durable()
        gate.writable().save(new, accepted)
        if new.head is not None and new.head != old.head:
            gate.keep(new.head.sha256)
    except ConflictError:
        return ()  # somebody else has just verified the same or something newer
    except (StorageError, FaultError) as error:
        return (Finding(code="RBK015", facts=(("detail", str(error)),)),)
    return ()


def move_clock(gate: Gate, state: Trusted) -> None:
    """Remember that an answer was verified today. A state that cannot be written never stops a read."""
    _remember(gate, state, state.replace(clock_mark=gate.today), None)


def remember_commit(gate: Gate, data: bytes) -> None:
    """Judge what this process has just committed as a reader would, and make it the head.

    Raises:
        RefusedError: a reader would refuse it.
    """
    admission = gate.admit(data, wire_index.decode(data))
    findings = admission.refusals or tuple(notice for notice in admission.notices if notice.code == "RBK015")
    if findings:
        Refusal(key="", findings=worst_first(findings), as_of=gate.today).require()


def remember_head(gate: Gate, data: bytes, against: Trusted) -> None:
    """Make a version the head that does not follow from the present one, because a person's act says so (`sync`).

    Args:
        gate: of the version's own store.
        data: its index.
        against: the state to judge it against, at the present revision.

    Raises:
        RefusedError: it does not verify.
        StorageError: the state cannot be written.
    """
    index = wire_index.decode(data)
    try:
        vouched = _judge(gate, data, index, against)
    except _RefusedError as refusal:
        Refusal(key="", findings=worst_first(refusal.findings), as_of=gate.today).require()
        raise
    gate.writable().save(advanced(against, index, vouched), accepted_of(data, vouched))


def _check_store(index: Index, store_id: str) -> None:
    if store_id and index.store_id != store_id:
        facts = (("pinned", store_id[:64]), ("now", (index.store_id or "nothing")[:64]))
        raise _RefusedError(Finding(code="RBK003", place=index.node.place, path="store_id", facts=facts))


def _check_pins(gate: Gate, index: Index) -> None:
    for pin in (gate.system_pin, gate.pin):
        if pin is not None:
            _check_pin(index, pin)
            _pinned_root(gate.store, index, pin)


def _check_pin(index: Index, pin: Pin) -> None:
    if pin.store_id and index.store_id != pin.store_id:
        _check_store(index, pin.store_id)
    if (index.version or 0) < pin.version:
        facts = (("pinned", f"version {pin.version} by {pin.source}"), ("now", f"version {index.version}"))
        raise _RefusedError(Finding(code="RBK001", place=index.node.place, path="version", facts=facts))


def accepted_root(gate: Gate, state: Trusted) -> TrustedRoot:
    """Return the trust root that was accepted at this place last, judged anew but for its expiry.

    Raises:
        RefusedError: neither the trusted state nor the store holds it.
    """
    try:
        return _accepted_root(gate, state)[0]
    except _RefusedError as refusal:
        Refusal(key="", findings=worst_first(refusal.findings), as_of=gate.today).require()
        raise AssertionError("a refusal raises") from None


def _accepted_root(gate: Gate, state: Trusted) -> tuple[TrustedRoot, bytes]:
    """The accepted root's bytes come from the trusted state, else from the store at the digest that was accepted."""
    try:
        data = gate.writable().accepted().root
    except FaultError:
        data = _read(gate.store, f"trust/{state.root_version}.json", wire_root.SIZE_LIMIT)
    return _first(gate.store, data, state.root_version, state.root_sha256), data


def _pinned_root(store: ReadableStore, index: Index, pin: Pin) -> tuple[TrustedRoot, bytes]:
    """Find the version of the trust root that a pin names by its digest."""
    for version in range(min(index.root_version or 0, _MOST_ROOTS), 0, -1):
        data = _read(store, f"trust/{version}.json", wire_root.SIZE_LIMIT)
        if sha256_hex(data) == pin.root_sha256:
            return _first(store, data, version, pin.root_sha256), data
    facts = (("pinned", f"{short(pin.root_sha256)} by {pin.source}"), ("now", short(index.root_sha256 or "")))
    raise _RefusedError(Finding(code="RBK014", place=index.node.place, path="root.sha256", facts=facts))


def _first(store: ReadableStore, data: bytes, version: int, digest: str) -> TrustedRoot:
    place = f"trust/{version}.json"
    step = accept_first(data, root_signatures(store, data, version, ()), digest=digest, place=place)
    if step.accepted is None:
        raise _RefusedError(*step.findings)
    return step.accepted


def _root(gate: Gate, index: Index, start: tuple[TrustedRoot, bytes]) -> tuple[TrustedRoot, bytes]:
    """Walk from an accepted root to the one that the index names."""
    trusted, data = start
    wanted = index.root_version or 0
    if wanted - trusted.root.version > _MOST_ROOTS:
        facts = (("accepted", str(trusted.root.version)), ("now", str(wanted)))
        raise _RefusedError(Finding(code="SIG021", place=index.node.place, path="root.version", facts=facts))
    chain = []
    keys = tuple(key.public_key.key_id for key in trusted.root.keys)
    for version in range(trusted.root.version + 1, wanted + 1):
        data = _read(gate.store, f"trust/{version}.json", wire_root.SIZE_LIMIT)
        chain.append((data, root_signatures(gate.store, data, version, keys)))
        keys = key_ids(data)
    step = walk(trusted, tuple(chain), as_of=gate.today)
    if step.accepted is None:
        raise _RefusedError(*step.findings)
    if step.accepted.digest != index.root_sha256 or step.accepted.root.store_id != index.store_id:
        facts = (("index names", short(index.root_sha256 or "")), ("accepted", short(step.accepted.digest)))
        raise _RefusedError(Finding(code="SIG026", place=index.node.place, path="root.sha256", facts=facts))
    return step.accepted, data


def _sealed(gate: Gate, data: bytes, index: Index, root: TrustedRoot, root_bytes: bytes) -> Vouched:
    envelopes = seals(gate.store, root.root, index.node.sha256)
    check = check_seal(root, data, envelopes, gate.today)
    if check.findings:
        stripped = [
            finding.replace(code="RBK010") if finding.code == "SIG001" else finding for finding in check.findings
        ]
        raise _RefusedError(*stripped)
    fresh = root.root.policy.freshness_days
    until = check.valid_until
    if fresh is not None:
        until = min(until, days_after((index.issued_at or "")[:10], fresh))
    return Vouched(
        root=root,
        root_bytes=root_bytes,
        seals={envelope.place: envelope.data for envelope in envelopes},
        signers=tuple(signer.key.key_id for signer in check.signers),
        valid_until=until,
    )


def _check_fork(gate: Gate, data: bytes, index: Index, state: Trusted, vouched: Vouched) -> None:
    findings = check_order(state, index)
    if not findings:
        return
    kept = _keep_evidence(gate, data, index, vouched)
    raise _RefusedError(*(finding.replace(facts=(*finding.facts, *kept)) for finding in findings))


def _keep_evidence(gate: Gate, data: bytes, index: Index, vouched: Vouched) -> tuple[tuple[str, str], ...]:
    """Two sealed indexes of one version prove that a key signed both: keep them where they can be sent to somebody."""
    try:
        mine = gate.writable().accepted()
        theirs = accepted_of(data, vouched)
        evidence = {
            "what": "two sealed indexes of one store and one version that differ (Upheld, RBK002)",
            "store_id": index.store_id,
            "version": index.version,
            "accepted": _shown(mine),
            "found": _shown(theirs),
        }
        name = f"fork-{index.version}-{sha256_hex(mine.index)[:12]}-{index.node.sha256[:12]}.json"
        return (("evidence", gate.writable().keep_evidence(name, evidence)),)
    except (FaultError, StorageError) as error:
        return (("evidence", f"could not be kept: {error}"),)


def _shown(accepted: Accepted) -> dict[str, object]:
    return {
        "index": accepted.index.decode("utf-8", "replace"),
        "seals": {name: data.decode("utf-8", "replace") for name, data in accepted.seals.items()},
        "root": accepted.root.decode("utf-8", "replace"),
    }


def _check_dropped(store: ReadableStore, index: Index, state: Trusted) -> None:
    """Refuse what hangs from a draft that was given up: another work tree of this place still holds it."""
    for mark in state.dropped:
        number, _, digest = mark.partition(":")
        if int(number) <= (index.version or 0) and digest == _event_sha256(store, int(number)):
            raise _RefusedError(
                Finding(code="RBK016", place=index.node.place, facts=(("given up", f"draft {number}"),))
            )


def _event_sha256(store: ReadableStore, number: int) -> str:
    """The digest of one event's file; empty where it cannot be read, which other checks say."""
    try:
        return sha256_hex(store.read(wire_event.name_of(number), wire_event.MAX_BYTES))
    except FaultError:
        return ""


def _check_log(store: ReadableStore, index: Index, state: Trusted) -> None:
    faults: list[Finding] = []
    findings = check_events(state, index, _events(store, state, index, faults))
    if findings or faults:
        raise _RefusedError(*faults, *findings)


def _events(store: ReadableStore, state: Trusted, index: Index, faults: list[Finding]) -> Iterator[Logged]:
    """Read the new events in order, up to the first that is missing."""
    first = (state.head.version if state.head is not None else 0) + 1
    for number in range(first, (index.version or 0) + 1):
        name = wire_event.name_of(number)
        try:
            yield wire_event.decode(store.read(name, wire_event.MAX_BYTES), name)
        except FaultError as fault:
            if fault.code != "STO001":
                faults.append(finding_of(fault))
            return


def _check_fresh(index: Index, vouched: Vouched, today: str, state: Trusted | None) -> None:
    policy = vouched.root.root.policy
    issued = (index.issued_at or "")[:10]
    if policy.freshness_days is not None and today >= days_after(issued, policy.freshness_days):
        facts = (("issued", issued), ("limit", f"{policy.freshness_days} days"), ("today", today))
        raise _RefusedError(Finding(code="RBK008", place=index.node.place, path="issued_at", facts=facts))
    synced = state.synced_on if state is not None else None
    limit = policy.max_sync_age_days
    if state is None or state.remote is None or limit is None:
        return
    if synced is None or today >= days_after(synced, limit):
        facts = (("last sync", synced or "never"), ("limit", f"{limit} days"), ("today", today))
        raise _RefusedError(Finding(code="RBK013", facts=facts))


def _read(store: ReadableStore, name: str, limit: int) -> bytes:
    try:
        return store.read(name, limit)
    except FaultError as fault:
        raise _RefusedError(finding_of(fault)) from None
