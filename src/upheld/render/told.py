"""What an agent is told of a route: the framed text, the candidates, the refusal, or that nothing governs the task."""

from __future__ import annotations

from upheld.model.answer import Answer, Refusal
from upheld.model.route import AMBIGUOUS, MATCH, UNCHECKED
from upheld.render import wording
from upheld.render.frame import framed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.route import Routed


def told(routed: Routed | Refusal) -> str:
    """Return the lines to put in front of a model, each of ours marked ``[upheld``.

    Args:
        routed: what ``Memory.route(..., load=True)`` returned. The texts of a match are those that it loaded; without
            ``load`` its keys are named and no text is given.
    """
    if isinstance(routed, Refusal):
        return wording.refused(routed)
    if routed.outcome == MATCH:
        return _loaded(routed)
    if routed.outcome == AMBIGUOUS:
        return wording.ambiguous(routed.choices)
    return wording.fault(wording.UNROUTED) if routed.outcome == UNCHECKED else wording.CHECKED


def _loaded(routed: Routed) -> str:
    if not routed.loaded:
        return "".join(wording.unshown(key) for key in routed.keys)
    texts = [framed(one) if isinstance(one, Answer) else wording.refused(one) for one in routed.loaded]
    served = any(isinstance(one, Answer) for one in routed.loaded)
    codes = [notice.code for one in routed.loaded if isinstance(one, Answer) for notice in one.notices]
    head = wording.match(routed.keys, routed.by) if served else ""
    return head + "".join(texts) + wording.notices(codes)
