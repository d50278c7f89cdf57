"""trust show: the trust root, its keys and policy, and what this machine remembers of the place."""

from __future__ import annotations

from upheld.checks.finding_of import finding_of
from upheld.errors import FaultError
from upheld.model.finding import Finding
from upheld.model.index import Index
from upheld.model.trust_view import KeyView, TrustView
from upheld.model.trusted import Trusted
from upheld.services.admission import Gate
from upheld.services.snapshot import read_index
from upheld.wire import root as wire_root
from upheld.wire.digest import sha256_hex
from upheld.wire.screen_policy import words_of


def trust_show(gate: Gate) -> TrustView:
    """Return what there is to know. What cannot be read becomes a finding; nothing is judged or written."""
    findings: list[Finding] = []
    state = _attempt(gate.state.load, findings)
    place = _attempt(lambda: gate.state.place, findings) or ""
    read = _attempt(lambda: read_index(gate.store), findings)
    index = read[1] if read is not None else None
    if state is not None and state.is_pinned:
        data = _attempt(lambda: accepted_root_bytes(gate, state), findings)
    else:
        data = _attempt(lambda: _named_root(gate, index), findings)
    root = None if data is None else _attempt(lambda: wire_root.decode(data, "trust"), findings)
    view = trust_view(gate.store.location, place, root, data, gate.today)
    version = index.version if index is not None else None
    return _remembered(view.replace(version=version), state).replace(findings=_distinct(findings))


def accepted_root_bytes(gate: Gate, state: Trusted) -> bytes:
    """Return the accepted root's bytes, from the trusted state or from the store at the digest that was accepted.

    Raises:
        FaultError: neither holds them.
    """
    try:
        return gate.writable().accepted().root
    except FaultError:
        place = f"trust/{state.root_version}.json"
        data = gate.store.read(place, wire_root.SIZE_LIMIT)
        if sha256_hex(data) != state.root_sha256:
            raise FaultError("SIG026", place, detail="it is not the root that was accepted") from None
        return data


def trust_view(path: str, place: str, root: wire_root.Root | None, data: bytes | None, today: str) -> TrustView:
    """Return a root as it is shown. Without one everything about it is empty."""
    return TrustView(
        path=path,
        place=place,
        pinned=False,
        store_id=root.store_id if root is not None else "",
        root_version=root.version if root is not None else 0,
        root_sha256=sha256_hex(data) if root is not None and data is not None else "",
        root_expires_on=root.expires_on if root is not None else "",
        threshold=root.threshold if root is not None else 0,
        keys=tuple(_key(key, root, today) for key in root.keys) if root is not None else (),
        policy=policy_lines(root.policy) if root is not None else (),
        version=None,
    )


def policy_lines(policy: wire_root.Policy) -> tuple[tuple[str, str], ...]:
    """Return a policy as label and text."""
    days = (
        ("freshness", policy.freshness_days),
        ("longest review window", policy.longest_review_days),
        ("longest time without sync", policy.max_sync_age_days),
    )
    lines = tuple((label, f"{number} days" if number is not None else "no limit") for label, number in days)
    return (
        *lines,
        ("answered by --yes", ", ".join(policy.automation) or "nothing"),
        ("branch of bound sources", policy.branch or "any"),
        ("screen", words_of(policy.unknown)),
    )


def _key(key: wire_root.RootKey, root: wire_root.Root, today: str) -> KeyView:
    public = key.public_key
    is_expired = key.expires_on is not None and today >= key.expires_on
    return KeyView(
        key_id=public.key_id,
        name=key.name,
        fingerprint=public.fingerprint,
        public_key=public.line,
        added_on=key.added_on,
        expires_on=key.expires_on,
        standing="revoked" if public.key_id in root.revoked else "expired" if is_expired else "usable",
    )


def _named_root(gate: Gate, index: Index | None) -> bytes | None:
    if index is None or index.root_version is None:
        return None
    return gate.store.read(f"trust/{index.root_version}.json", wire_root.SIZE_LIMIT)


def _remembered(view: TrustView, state: Trusted | None) -> TrustView:
    if state is None:
        return view
    return view.replace(
        pinned=state.is_pinned,
        version=state.head.version if state.head is not None else view.version,
        head=state.head,
        published=state.published,
        valid_until=state.valid_until,
        clock_mark=state.clock_mark,
        clock_limit=state.clock_limit,
        warnings=state.warnings,
        accepted=state.accepted,
        remote=state.remote,
        synced_on=state.synced_on,
        unsealed=state.unsealed,
    )


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    T = TypeVar("T")


def _attempt(read: Callable[[], T], findings: list[Finding]) -> T | None:
    try:
        return read()
    except FaultError as fault:
        findings.append(finding_of(fault))
        return None


def _distinct(findings: list[Finding]) -> tuple[Finding, ...]:
    return tuple(dict.fromkeys(findings))
