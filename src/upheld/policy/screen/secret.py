"""Secrets: refused, and shown by kind, line and a hint only."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.secrets import find_secrets


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL004 for each secret."""
    for text in draft.every_text():
        for secret in find_secrets(text.text):
            facts = (("kind", secret.kind), ("line", str(secret.line)), ("begins", secret.hint))
            yield Hit(code="POL004", field=text.field, facts=facts, spans=((secret.start, secret.end),))
