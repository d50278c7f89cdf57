"""What verify looks at in a sealed store besides what a recall reads: every root, every seal, the whole log, leftovers.

A warm recall takes an index that the trusted state vouches for without looking at its seal again, and needs the log
only to move forward. Verify asks what others will find who have no such state.
"""

from __future__ import annotations

from upheld.checks.finding_of import finding_of
from upheld.errors import FaultError
from upheld.model.finding import Finding
from upheld.model.index import Index
from upheld.model.names import short
from upheld.model.value import Value
from upheld.ports.store import ReadableStore
from upheld.services.read_log import read_log
from upheld.services.signatures import key_ids, root_signature_name, root_signatures, seal_name, seals
from upheld.services.unreferenced import is_temporary
from upheld.trust.root import RootStep, accept_first, advance, expiry
from upheld.trust.seal import check_seal
from upheld.wire import event as wire_event
from upheld.wire import root as wire_root
from upheld.wire.digest import sha256_hex


class SealedPart(Value):
    """What came of it: faults, counts as ``(label, number)``, and what could not be checked."""

    findings: tuple[Finding, ...]
    checked: tuple[tuple[str, int], ...]
    not_checked: tuple[str, ...]


def verify_sealed(store: ReadableStore, data: bytes, index: Index, as_of: str) -> SealedPart:
    """Check roots, seals and log of one index, and report files in their folders that nothing accounts for.

    Whether the first root is the right one is not decided here: that is the pin's to say (``admission``).
    """
    roots, findings, not_checked = _read_roots(store, index)
    step = _chain(store, roots)
    findings += step.findings
    signers = 0
    if step.accepted is not None:
        if step.accepted.digest != index.root_sha256:
            facts = (("index names", short(index.root_sha256 or "")), ("now", short(step.accepted.digest)))
            findings.append(Finding(code="SIG026", place=index.node.place, path="root.sha256", facts=facts))
        findings += expiry(step.accepted, as_of)
        check = check_seal(step.accepted, data, seals(store, step.accepted.root, index.node.sha256), as_of)
        findings += [found.replace(code="RBK010") if found.code == "SIG001" else found for found in check.findings]
        signers = len(check.signers)
    log = read_log(store, index)
    findings += log.findings
    findings += _leftovers(store, index, roots)
    return SealedPart(
        findings=tuple(dict.fromkeys(findings)),
        checked=(("seals", signers), ("roots", len(roots)), ("events", len(log.events))),
        not_checked=(*not_checked, *log.not_checked),
    )


Roots = dict[int, bytes]


def _read_roots(store: ReadableStore, index: Index) -> tuple[Roots, list[Finding], list[str]]:
    """Read the roots from the newest down to the first that is missing."""
    roots: Roots = {}
    for version in range(index.root_version or 0, 0, -1):
        place = f"trust/{version}.json"
        try:
            roots[version] = store.read(place, wire_root.SIZE_LIMIT)
        except FaultError as fault:
            if fault.code == "STO001" and roots:
                return roots, [], [f"trust: roots 1 to {version} (not there)"]
            return roots, [finding_of(fault)], []
    return roots, [], []


def _chain(store: ReadableStore, roots: Roots) -> RootStep:
    """Judge the roots from the oldest on by TUF's rules."""
    step = RootStep(accepted=None)
    before: tuple[str, ...] = ()
    for version in sorted(roots):
        data = roots[version]
        signatures = root_signatures(store, data, version, before)
        if step.accepted is None:
            step = accept_first(data, signatures, digest=sha256_hex(data), place=f"trust/{version}.json")
        else:
            step = advance(step.accepted, data, signatures)
        if step.accepted is None:
            return step
        before = key_ids(data)
    return step


def _leftovers(store: ReadableStore, index: Index, roots: Roots) -> list[Finding]:
    """Report files that no root, seal or event of this index accounts for; nothing reads them."""
    ids = {version: key_ids(data) for version, data in roots.items()}
    known = {seal_name(index.node.sha256, key_id) for key_id in ids.get(index.root_version or 0, ())}
    for version in range(1, (index.root_version or 0) + 1):
        known.add(f"trust/{version}.json")
        signers = (*ids.get(version, ()), *ids.get(version - 1, ()))
        known |= {root_signature_name(version, key_id) for key_id in signers}
    found: list[Finding] = []
    for folder in ("seals", "trust", "log"):
        try:
            names = store.list(folder)
        except FaultError as fault:
            found.append(finding_of(fault))
            continue
        found += [
            Finding(code="STO007", place=name)
            for name in names
            if name not in known
            and not is_temporary(name)
            and not _is_event(name, index.version or 0)
            and not _is_of_missing_root(name, roots)
        ]
    return found


def _is_event(name: str, version: int) -> bool:
    number = name.removeprefix("log/").removesuffix(".json")
    return (
        number.isascii()
        and number.isdigit()
        and 1 <= int(number) <= version
        and name == wire_event.name_of(int(number))
    )


def _is_of_missing_root(name: str, roots: Roots) -> bool:
    """Whose signatures an old root should bear is not known where the root itself, or the one before it, is gone."""
    number = name.removeprefix("trust/").partition(".")[0]
    is_numbered = name.startswith("trust/") and number.isascii() and number.isdigit() and len(number) < 11
    return is_numbered and bool(roots) and int(number) <= min(roots) and min(roots) > 1
