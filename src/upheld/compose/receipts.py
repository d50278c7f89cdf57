"""Receipts on disk: made with a recall, and checked where there is no store."""

from __future__ import annotations

from upheld.checks.finding_of import finding_of
from upheld.compose.clock import day_or_today
from upheld.compose.gate import parse_pin
from upheld.compose.library import Memory
from upheld.compose.trusting import read_file, write_file
from upheld.errors import FaultError, UsageError
from upheld.model.answer import Answer, Refusal
from upheld.model.receipt_check import ReceiptCheck
from upheld.services.receipt_verify import receipt_verify


def recall_with_receipt(memory: Memory, key: str, file: str, *, chosen_by: str = "caller") -> Answer | Refusal:
    """Recall a key and write the receipt; nothing is written for a refusal.

    Raises:
        UsageError: the store is not sealed, the day is not today, or the file exists.
        RefusedError: the receipt would not pass its own check.
    """
    as_of, today = day_or_today(memory.as_of)
    if as_of != today:
        raise UsageError("there is no receipt of a hypothetical answer", help="leave out `--as-of`")
    outcome, data = memory.recall_with_receipt(key, chosen_by=chosen_by)
    if data:
        _demand_good(receipt_verify(data, file, None), as_of)
        write_file(file, data)
    return outcome


def verify_receipt(file: str, pin: str | None) -> ReceiptCheck:
    """Check a receipt. No store and no trusted state is read.

    Args:
        file: the receipt.
        pin: ``DIGEST@VERSION``; None where nobody vouches for the root.

    Raises:
        UsageError: the file cannot be read, or the pin is malformed.
    """
    wanted = None if pin is None else parse_pin(pin)
    data = read_file(file)
    try:
        return receipt_verify(data, file, wanted)
    except FaultError as fault:
        return _unreadable(fault)


def _demand_good(check: ReceiptCheck, as_of: str) -> None:
    """A receipt that would be refused (a root or a signature is gone from the store) is not handed out."""
    if check.findings:
        Refusal(key=check.key, findings=check.findings, as_of=as_of).require()


def _unreadable(fault: FaultError) -> ReceiptCheck:
    return ReceiptCheck(
        outcome="failed",
        key="",
        chosen_by="",
        at="",
        answer=None,
        root_sha256="",
        store_id="",
        version=None,
        findings=(finding_of(fault),),
        not_checked=("everything else: the receipt cannot be read",),
    )
