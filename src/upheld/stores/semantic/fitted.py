"""A scorer for one version of one store; its vectors and its limit are kept in the user's state folder."""

from __future__ import annotations

import json
import os
from contextlib import suppress

from upheld.routing.form import UNCALIBRATED
from upheld.stores.place import mark_of
from upheld.stores.route_file import FOLDER, mapped
from upheld.stores.semantic.calibrate import Chosen, choose
from upheld.stores.semantic.facts import Facts, said_by
from upheld.stores.semantic.fused import FusedScorer
from upheld.stores.semantic.kept_vectors import KeptVectors
from upheld.stores.state_writer import write_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.route import Rule
    from upheld.stores.semantic.onnx_encoder import OnnxEncoder

FORM = 1
"""Goes up whenever the same rules and vectors would come to another limit."""

MOST_FITTED = 10_000
"""Statements up to which a scorer is fitted at all: minutes of one core."""

TOO_MANY = f"it is not fitted to more than {MOST_FITTED:,} statements"


def fitted(
    rules: tuple[Rule, ...], encoder: OnnxEncoder, *, place: str, digest: str, root: str | None
) -> FusedScorer | str:
    """Fit a scorer and its limit.

    Args:
        rules: the rules of the store.
        encoder: what encodes.
        place: the place of the store (``stores.place``).
        digest: the digest of the index that the rules were read from.
        root: the user's state folder; None to keep nothing.

    Returns:
        The scorer; or why texts cannot match by it, in words.
    """
    ordered = tuple(sorted(rules, key=lambda rule: rule.key))
    statements = tuple(text for rule in ordered for text in (*said_by(rule), *rule.nots))
    if len(statements) > MOST_FITTED:
        return TOO_MANY
    stem = None if root is None else os.path.join(root, FOLDER, mark_of(place))
    kept = KeptVectors(encoder, None if stem is None else f"{stem}.vectors")
    record = {"digest": digest, "encoder": encoder.identity, "form": FORM}
    chosen = None if stem is None else _known(f"{stem}.semantic", record)
    if chosen is None:
        chosen = choose(ordered, kept.statements)
        kept.save(statements)
        if stem is not None:
            kept_as = {**record, "limit": chosen.limit, "why": chosen.why}
            with suppress(OSError):
                write_private(f"{stem}.semantic", json.dumps(kept_as, sort_keys=True).encode())
    if chosen.limit >= UNCALIBRATED:
        return chosen.why
    return FusedScorer(Facts(ordered, kept.statements), kept.tasks, chosen.limit)


def _known(file: str, record: dict[str, object]) -> Chosen | None:
    """What was chosen for exactly these, if anything was; never a lower limit than is ever chosen."""
    from upheld.routing.calibrate import LOWEST

    raw = mapped(file)
    try:
        fields = {} if raw is None else json.loads(bytes(raw[:4_096]))
    except ValueError:
        return None
    if not isinstance(fields, dict) or {name: fields.get(name) for name in record} != record:
        return None
    limit, why = fields.get("limit"), fields.get("why")
    if not isinstance(limit, float) or not isinstance(why, str) or not LOWEST <= limit <= UNCALIBRATED:
        return None
    return Chosen(limit=limit, why=why[:200])
