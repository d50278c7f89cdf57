"""trust apply: publish a trust root that enough keys have signed, and make the store's index name it.

The root's files are durable before the index moves, and the index that names them is sealed by a key of the new root:
one ordinary commit, so there is one commit point for rotations too.
"""

from __future__ import annotations

from collections.abc import Callable

from upheld.model.change import Change, Event
from upheld.model.index import Index
from upheld.services.admission import Gate
from upheld.services.admission_slow import admit_pinned
from upheld.services.base import Base
from upheld.services.snapshot import Admission
from upheld.services.trust_next import files_of, judge
from upheld.trust.root import TrustedRoot
from upheld.wire.pending_root import PendingRoot

EXPIRIES = frozenset({"SIG022", "SIG027", "RBK008"})
"""What a new trust root mends: an expired root or key, and a seal that has grown too old."""


def plan_apply(current: TrustedRoot, pending: PendingRoot) -> Callable[[Base], Change]:
    """Return the plan of the commit.

    Raises:
        RefusedError: the root would be refused by a reader.
    """
    accepted = judge(current, pending).require()
    version = accepted.root.version

    def plan(base: Base) -> Change:
        return Change(
            events=(Event(verb="trust", before=current.digest, after=accepted.digest),),
            files=files_of(pending, version),
            entries={},
            retired={},
            bases={},
            root=(version, accepted.digest),
        )

    return plan


def admit_to_renew(gate: Gate) -> Callable[[bytes, Index], Admission]:
    """Return what admits the version that a new root is committed onto.

    It is the gate's own judgement but for one case: what has expired since it was accepted here is judged by the day
    on which it was issued. Otherwise nobody could renew it. Only the very bytes that this machine accepted are.
    """

    def admit(data: bytes, index: Index) -> Admission:
        admission = gate.admit(data, index)
        if not any(finding.code in EXPIRIES for finding in admission.refusals):
            return admission
        state = gate.state.load()
        if state is None or state.head is None or state.head.sha256 != index.node.sha256 or index.issued_at is None:
            return admission
        return admit_pinned(gate.replace(today=index.issued_at[:10], remembers=False), data, index, state)

    return admit
