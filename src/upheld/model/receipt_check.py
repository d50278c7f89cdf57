"""What checking a receipt came to."""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.answer import Answer
    from upheld.model.finding import Finding


class ReceiptCheck(Value):
    """The checks of one recall, run again.

    Attributes:
        outcome: ``verified`` (everything holds under the pin), ``failed``, or ``unverified`` (everything holds, but no
            pin says whose trust root this is).
        answer: what the recall comes to again; None where it failed.
        root_sha256, version: what a pin would have to name.
        at: when the recall was, by the clock of the machine that made the receipt.
    """

    outcome: str
    key: str
    chosen_by: str
    at: str
    answer: Answer | None
    root_sha256: str
    store_id: str
    version: int | None
    findings: tuple[Finding, ...]
    not_checked: tuple[str, ...]
