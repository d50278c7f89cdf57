"""trust pin: the first contact with a store, and the way back after the trusted state was lost.

A person compares the digest of the trust root with what the store's owner says; nothing that the store or the project
brings can answer for them. What is adopted is the store as it is now: earlier history is not checked, and is said not
to be.
"""

from __future__ import annotations

from upheld.checks.finding_of import finding_of
from upheld.errors import FaultError, UsageError
from upheld.model.answer import Refusal
from upheld.model.finding import Finding, worst_first
from upheld.model.trust_view import TrustView
from upheld.model.trusted import Trusted
from upheld.model.value import Value
from upheld.services.admission import Gate
from upheld.services.admission_slow import vouch_first
from upheld.services.snapshot import read_index
from upheld.services.trust_show import trust_view
from upheld.wire import root as wire_root

UNCHECKED = "history: what came before version {version} is adopted unchecked"


class Introduction(Value):
    """What a person is to compare before pinning.

    Attributes:
        view: the root that the store's index names now, and its keys.
        refused_before: why recalls were refused here until now (RBK005, RBK006); None where nothing was wrong.
        already: a sound pin that stands here; pinning then changes nothing but may move it forward.
    """

    view: TrustView
    refused_before: Finding | None
    already: Trusted | None


def introduction(gate: Gate) -> Introduction:
    """Read what is to be compared. Nothing is written.

    Raises:
        UsageError: the store is not sealed.
        FaultError: the index or its root cannot be read.
    """
    already, refused_before = _remembered(gate)
    _, index = read_index(gate.store)
    if index.root_version is None:
        raise UsageError("this store is not sealed, so there is nothing to pin", help="seal it with `upheld migrate`")
    place = f"trust/{index.root_version}.json"
    data = gate.store.read(place, wire_root.SIZE_LIMIT)
    view = trust_view(gate.store.location, "", wire_root.decode(data, place), data, gate.today)
    return Introduction(view=view.replace(version=index.version), refused_before=refused_before, already=already)


def trust_pin(gate: Gate, root_sha256: str) -> Trusted:
    """Bind the store to this place under the root whose digest a person has compared.

    The digest may be that of an earlier version of the root: the versions after it must follow from it.

    Returns:
        The state that stands now.

    Raises:
        RefusedError: the root, the seal or an existing pin refuses it. An existing pin is never lowered or exchanged.
        StorageError: the trusted state cannot be written.
    """
    already, refused_before = _remembered(gate)
    data, index = read_index(gate.store)
    if already is not None and already.is_pinned:
        _refuse(gate, gate.admit(data, index).refusals)
        if root_sha256 not in (already.root_sha256, index.root_sha256):
            _refuse(gate, (Finding(code="RBK014", place=index.node.place, path="root.sha256"),))
        return gate.state.load() or already
    fresh, accepted = vouch_first(gate, data, index, root_sha256, place="")
    state = gate.writable()
    if refused_before is not None and refused_before.code == "RBK005":
        state.forget()
    kept = already if already is not None else fresh
    made = fresh.replace(place=state.place, revision=kept.revision, warnings=kept.warnings, accepted=kept.accepted)
    state.save(made, accepted)
    return made.replace(revision=made.revision + 1)


def _remembered(gate: Gate) -> tuple[Trusted | None, Finding | None]:
    try:
        state = gate.state.load()
    except FaultError as fault:
        return None, finding_of(fault)
    if state is None or not state.is_pinned:
        return state, Finding(code="RBK006", place="index.json")
    return state, None


def _refuse(gate: Gate, findings: tuple[Finding, ...]) -> None:
    if findings:
        Refusal(key="", findings=worst_first(findings), as_of=gate.today).require()
