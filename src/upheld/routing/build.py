"""Build a route index from the rules of a store, whole: pure, from rules to bytes. Never on the read path.

``compact`` and ``change`` (``routing.grow``) come to an index that answers alike, from the segments that are there.
"""

from __future__ import annotations

from upheld.routing.form import UNCALIBRATED
from upheld.routing.head import Head, Part, encode
from upheld.routing.lexicon import Lexicon
from upheld.routing.piece import piece_of, spoken
from upheld.routing.write import write_in_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.route import Rule

__all__ = ["build", "spoken"]

_NO_DIGEST = bytes(32)


def build(
    rules: tuple[Rule, ...],
    *,
    digest: bytes = _NO_DIGEST,
    limit: float = UNCALIBRATED,
    tuned: int = 0,
    lexicon: Lexicon | None = None,
) -> bytes:
    """Build the bytes of a route index of one segment, all in one file.

    Args:
        rules: the rules of one store; their order makes no difference to the bytes.
        digest: the 32 bytes of the digest of the sealed index that the rules were read from.
        limit: the probability from which a text alone is a match (``calibrate``).
        tuned: how many statements there were when that was chosen.
        lexicon: the table of words that scoring will have; None for none.

    Returns:
        The file. Malformed and blanket matchers are left out of the gates and kept by name, so that a reader can
        report them; refusing them at write is ``lint``'s.
    """
    words = lexicon or Lexicon()
    data = write_in_order(piece_of(rule, words) for rule in sorted(rules, key=lambda rule: rule.key))
    part = Part(name=bytes(16), length=len(data), data=data)
    return encode(Head(digest=digest, limit=limit, tuned=tuned, lexicon=words.mark, parts=(part,)))
