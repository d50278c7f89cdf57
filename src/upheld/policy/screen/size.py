"""Size: no text is larger than its kind may be, and no trigger has more examples than the policy allows."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.model.draft import Draft, Hit


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL002 for each text over its limit (bytes of UTF-8) and for too many examples."""
    limits = dict(draft.policy.limits)
    for text in draft.every_text():
        kind = "example" if "[" in text.field else text.field
        limit = limits.get(kind, limits.get("", 1_000))
        size = len(text.text.encode("utf-8", "surrogatepass"))
        if size > limit:
            yield Hit(
                code="POL002", field=text.field, facts=(("size", f"{size:,} bytes"), ("limit", f"{limit:,} bytes"))
            )
    for name, listed in (
        ("trigger", draft.trigger),
        ("examples", draft.examples),
        ("counterexamples", draft.counterexamples),
    ):
        if len(listed) > draft.policy.max_examples:
            facts = (("count", f"{len(listed):,}"), ("limit", f"{draft.policy.max_examples:,}"))
            yield Hit(code="POL002", field=name, facts=facts)
