"""A checked receipt, for people at a terminal."""

from __future__ import annotations

from upheld.render.escape import bounded, escape
from upheld.render.finding import told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.receipt_check import ReceiptCheck


_CHOSEN = {"routing": "found by routing", "ambiguous": "named by the caller after an ambiguous route"}


def receipt(check: ReceiptCheck) -> str:
    """Render what the recall was, what is wrong with the receipt, and what could not be checked."""
    parts = [told(finding) for finding in check.findings]
    answer = check.answer
    if answer is not None:
        chosen = _CHOSEN.get(check.chosen_by, "named by the caller")
        parts.append(f"key: {bounded(check.key, 200)} ({chosen})   at: {check.at}   as of: {answer.as_of}\n")
        parts.append(f"source: {bounded(answer.source, 400)}   sha256: {answer.source_sha256}\n")
        parts.append(f"store: {bounded(check.store_id, 80)}   --pin {check.root_sha256}@{check.version}\n")
        parts.append(f"checked: {escape(', '.join(answer.checked))}\n")
    parts += [f"not checked: {bounded(said, 300)}\n" for said in check.not_checked]
    refused = f": {check.findings[0].code} {check.findings[0].entry.name}" if check.findings else ""
    return "".join([*parts, f"receipt: {check.outcome}{refused}\n"])
