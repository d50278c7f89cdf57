"""For programs: everything that is known, as one JSON object in ASCII."""

from __future__ import annotations

from upheld.render import plain
from upheld.render.jsontext import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.answer import Answer, Refusal
    from upheld.model.done import Done
    from upheld.model.history import History
    from upheld.model.log_view import LogView
    from upheld.model.page import Page
    from upheld.model.receipt_check import ReceiptCheck
    from upheld.model.route import Routed
    from upheld.model.trust_view import TrustView
    from upheld.model.verdict import Verdict


def answer(answer: Answer) -> str:
    """Render an answer with its whole text."""
    return dumps(plain.answer(answer)) + "\n"


def refusal(refusal: Refusal) -> str:
    """Render a refusal with every finding."""
    return dumps(plain.refusal(refusal)) + "\n"


def routed(routed: Routed) -> str:
    """Render a route with what was loaded."""
    return dumps(plain.routed(routed)) + "\n"


def verdict(verdict: Verdict) -> str:
    """Render a verdict with every finding."""
    return dumps(plain.verdict(verdict)) + "\n"


def history(history: History) -> str:
    """Render every version of a key."""
    return dumps(plain.history(history)) + "\n"


def page(page: Page) -> str:
    """Render the keys that fit the budget."""
    return dumps(plain.page(page)) + "\n"


def trustview(view: TrustView) -> str:
    """Render the trust in a store."""
    return dumps(plain.trust(view)) + "\n"


def done(done: Done) -> str:
    """Render what a command did."""
    return dumps(plain.done(done)) + "\n"


def logview(view: LogView) -> str:
    """Render the log."""
    return dumps(plain.log(view)) + "\n"


def receiptcheck(check: ReceiptCheck) -> str:
    """Render a checked receipt."""
    return dumps(plain.receipt(check)) + "\n"
