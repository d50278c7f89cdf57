"""recall --receipt: one retrieval with the bytes behind every check of it."""

from __future__ import annotations

from upheld.errors import FaultError, UsageError
from upheld.model.answer import Answer, Refusal
from upheld.model.index import Index
from upheld.ports.store import ReadableStore
from upheld.services.admission import Gate
from upheld.services.recall import recall
from upheld.services.receipt_store import ReceiptStore, RecordingStore
from upheld.services.signatures import key_ids, root_signatures, seals
from upheld.services.snapshot import Admission
from upheld.wire import index as wire_index
from upheld.wire import receipt as wire
from upheld.wire import root as wire_root
from upheld.wire.digest import sha256_hex
from upheld.wire.receipt import Receipt


def recall_with_receipt(gate: Gate, key: str, *, chosen_by: str = "caller") -> tuple[Answer | Refusal, bytes]:
    """Recall a key as ``services.recall`` does, and make the receipt of it.

    Args:
        gate: the gate of the store; judges as of its own day.
        key: the key.
        chosen_by: ``caller`` where whoever asked named the key, ``routing`` where a route led to it, ``ambiguous``
            where a route left several to choose from and whoever asked named one of them.

    Returns:
        The outcome, and the receipt; no bytes for a refusal, of which there is nothing to prove.

    Raises:
        BusyError: the index kept moving.
        UsageError: ``chosen_by`` is none of these; or the store carries no seal, or not any more, so that a receipt
            would prove nothing.
    """
    if chosen_by not in wire.CHOSEN_BY:
        raise UsageError(f"no key is chosen by `{chosen_by}`", help=f"one of: {', '.join(wire.CHOSEN_BY)}")
    recorder = RecordingStore(gate.store)
    outcome = recall(recorder, key, as_of=gate.today, today=gate.today, admit=gate.admit)
    if isinstance(outcome, Refusal):
        return outcome, b""
    if outcome.outcome != "verified":
        raise UsageError("a receipt of an unsealed store would prove nothing", help="seal it with `upheld migrate`")
    needed = _needed(recorder, key, gate.today)
    index = wire_index.decode(needed.files[wire_index.PLACE])
    trust = _trust(gate.store, index)
    if not any(name.startswith("seals/") for name in trust):
        raise UsageError(
            "the seal of this version is not there, so a receipt would prove nothing",
            help="see `upheld verify`; restore the seal with `upheld doctor`",
        )
    files = {**needed.files, **trust}
    receipt = Receipt(
        key=key,
        chosen_by=chosen_by,
        at=gate.now,
        not_checked=outcome.not_checked,
        files=files,
        repository=needed.repository,
    )
    return outcome, wire.encode(statement(receipt, outcome, index))


def statement(receipt: Receipt, answer: Answer, index: Index) -> dict[str, object]:
    """Return the whole document: everything in it but the receipt's own fields follows from the checks."""
    predicate: dict[str, object] = {
        "asked": {"key": receipt.key, "chosen_by": receipt.chosen_by},
        "at": receipt.at,
        "outcome": answer.outcome,
        "index": {
            "sha256": index.node.sha256,
            "store_id": index.store_id,
            "version": index.version,
            "root_version": index.root_version,
            "root_sha256": index.root_sha256,
        },
        "answer": {
            "read_when": answer.read_when,
            "text": answer.text,
            "record_id": answer.record_id,
            "source": answer.source,
            "source_sha256": answer.source_sha256,
            "last_verified": answer.last_verified,
            "review_on": answer.review_on,
            "expires_on": answer.expires_on,
            "as_of": answer.as_of,
        },
        "checked": list(answer.checked),
        "not_checked": list(receipt.not_checked),
        "digests": {name: sha256_hex(data) for name, data in sorted(receipt.files.items())},
        "files": wire.packed(receipt.files),
        "repository": wire.packed(receipt.repository),
    }
    subject = {"name": answer.source, "digest": {"sha256": answer.source_sha256}}
    return {"_type": wire.STATEMENT, "subject": [subject], "predicateType": wire.PREDICATE, "predicate": predicate}


def _needed(recorder: RecordingStore, key: str, today: str) -> RecordingStore:
    """Recall once more from the noted bytes: earlier attempts may have read files that this version does not name."""
    exact = RecordingStore(ReceiptStore(recorder.files, recorder.repository))
    recall(exact, key, as_of=today, today=today, admit=lambda data, index: Admission(sealed=True))
    return exact


def _trust(store: ReadableStore, index: Index) -> dict[str, bytes]:
    """Read the seals of this index, and every root with its signatures down to the first that is missing."""
    roots: dict[int, bytes] = {}
    for version in range(index.root_version or 0, 0, -1):
        try:
            roots[version] = store.read(f"trust/{version}.json", wire_root.SIZE_LIMIT)
        except FaultError:
            break
    files = {f"trust/{version}.json": data for version, data in roots.items()}
    for version, data in roots.items():
        before = key_ids(roots[version - 1]) if version - 1 in roots else ()
        files |= {found.place: found.data for found in root_signatures(store, data, version, before)}
    newest = roots.get(index.root_version or 0)
    if newest is not None:
        root = wire_root.decode(newest, "trust")
        files |= {found.place: found.data for found in seals(store, root, index.node.sha256)}
    return files
