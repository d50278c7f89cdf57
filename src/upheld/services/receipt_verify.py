"""receipt verify: every check of a recall, run again from the receipt's own bytes, where there is no store.

1. The receipt is read, and its index decoded.
2. The index is admitted under the pin: root, chain of roots, seal, as of the day that the receipt names.
3. The key is recalled: nodes, record, chain, source, dates, bound file.
4. The document that these checks give is compared with the one that was handed in, field by field.
"""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.model.answer import Answer
from upheld.model.finding import Finding, worst_first
from upheld.model.index import Index
from upheld.model.receipt_check import ReceiptCheck
from upheld.model.trusted import Trusted
from upheld.ports.trusted_state import TrustedState
from upheld.services.admission import Gate, Pin
from upheld.services.recall import recall
from upheld.services.receipt import statement
from upheld.services.receipt_store import ReceiptStore
from upheld.wire import index as wire_index
from upheld.wire import receipt as wire
from upheld.wire.receipt import Receipt

MISMATCH = "SIG031"
_SHOWN = 8


def receipt_verify(data: bytes, place: str, pin: Pin | None) -> ReceiptCheck:
    """Check a receipt.

    Args:
        data: the receipt's file.
        place: its name, for findings.
        pin: the trust root that somebody vouches for; None where nobody does, and the outcome is at best unverified.

    Raises:
        FaultError: it is no receipt, or its index cannot be read.
    """
    # 1. Its form.
    receipt = wire.decode(data, place)
    index = wire_index.decode(receipt.files.get(wire_index.PLACE, b""))
    store = ReceiptStore(receipt.files, receipt.repository)
    # 2 and 3. Admission and recall.
    gate = _gate(
        store, receipt, pin or Pin(root_sha256=index.root_sha256 or "", version=0, source="the receipt itself")
    )
    outcome = recall(store, receipt.key, as_of=gate.today, today=gate.today, admit=gate.admit)
    answer = outcome if isinstance(outcome, Answer) else None
    findings = outcome.findings if not isinstance(outcome, Answer) else ()
    # 4. The comparison.
    if answer is not None:
        findings = _differences(receipt, answer, index, place) + _unread(store, receipt, index, place)
    good = "verified" if pin is not None else "unverified"
    return ReceiptCheck(
        outcome="failed" if findings else good,
        key=receipt.key,
        chosen_by=receipt.chosen_by,
        at=receipt.at,
        answer=None if findings else answer,
        root_sha256=index.root_sha256 or "",
        store_id=index.store_id or "",
        version=index.version,
        findings=worst_first(findings),
        not_checked=_not_checked(receipt, pin),
    )


class _NoState:
    """The trusted state of a machine that remembers nothing."""

    place = ""

    def knows_store(self, store_id: str) -> bool:
        return False

    def seen_here(self) -> str:
        return ""

    def load(self) -> Trusted | None:
        return None


def _gate(store: ReceiptStore, receipt: Receipt, pin: Pin) -> Gate:
    return Gate(
        store=store,
        state=_NoState(),
        writable=_nothing_to_write,
        today=receipt.at[:10],
        now=receipt.at,
        pin=pin,
        remembers=False,
    )


def _nothing_to_write() -> TrustedState:
    raise FaultError("RBK005", "the trusted state", detail="a receipt is checked without one")


def _differences(receipt: Receipt, answer: Answer, index: Index, place: str) -> tuple[Finding, ...]:
    paths: list[str] = []
    _compare(receipt.statement, statement(receipt, answer, index), "", paths)
    return tuple(
        Finding(code=MISMATCH, place=place, path=path, facts=(("claims", "something else than its bytes show"),))
        for path in paths[:_SHOWN]
    )


def _compare(given: object, made: object, path: str, paths: list[str]) -> None:
    if isinstance(given, dict) and isinstance(made, dict):
        for name in dict.fromkeys((*made, *given)):
            if name in given and name in made:
                _compare(given[name], made[name], f"{path}.{name}".lstrip("."), paths)
            else:
                paths.append(f"{path}.{name}".lstrip("."))
    elif type(given) is not type(made) or given != made:
        paths.append(path)


def _unread(store: ReceiptStore, receipt: Receipt, index: Index, place: str) -> tuple[Finding, ...]:
    """A file that no check asked for proves nothing; roots older than the pinned one are asked for by other pins."""
    spare = [name for name in store.unread() if not _is_older_root(name, index)]
    return tuple(
        Finding(code=MISMATCH, place=place, path=f"predicate.files.{name}", facts=(("claims", "no check reads it"),))
        for name in spare[:_SHOWN]
    )


def _is_older_root(name: str, index: Index) -> bool:
    number = name.removeprefix("trust/").partition(".")[0]
    is_root = name.startswith("trust/") and number.isascii() and number.isdigit() and len(number) < 11
    return is_root and 1 <= int(number) <= (index.root_version or 0)


def _not_checked(receipt: Receipt, pin: Pin | None) -> tuple[str, ...]:
    said = (
        f"the time: {receipt.at} by the clock of the machine that made the receipt; dates were judged as of that day",
        "who asked, and whether the store has moved on since",
    )
    whose = () if pin is not None else ("whose trust root this is: no --pin was given",)
    return (*whose, *said)
