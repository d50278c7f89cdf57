"""Our own frame: a text may not hold what looks like the lines that ``render.frame`` puts round it."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.screen.matched import compiled, hits

_PATTERNS = compiled(
    (
        ("frame line", r"\[\s{0,3}/?\s{0,3}(?:end\s)?upheld[\s:_/-]{1,3}[0-9a-f]{4,64}\b"),
        ("frame line", r"\[\s{0,3}upheld[\s:_/-]{1,3}[0-9a-f]{1,64}\s{0,3}\]\s{0,3}(?:memory|source|data|end)\b"),
        (
            "line of an answer",
            r"\[\s{0,3}upheld\s{0,3}\]\s{0,3}(?:checked|refused|denied|memory could|the memory of|this project has)\b",
        ),
        ("frame line", r"^\W{0,12}(?:begin|end|start)\s(?:of\s)?upheld\b"),
        ("frame line", r"</?\s{0,3}upheld[^<>\n]{0,200}>"),
    )
)


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL015 for each text with such a line."""
    for text in draft.every_text():
        yield from hits("POL015", _PATTERNS, text)
