"""Codes that still lack a page, a case or an emitter. Empty when the work is done."""

from __future__ import annotations

PENDING_PAGES: frozenset[str] = frozenset([])
PENDING_CASES: frozenset[str] = frozenset(
    [
        "RBK004",
        "RBK005",
        "RBK009",
        "RBK012",
        "RBK013",
        "RBK015",
        "RBK016",
        "SIG030",
        "SIG031",
        "STO008",
        "STO009",
        "STO010",
    ]
)
PENDING_EMITTERS: frozenset[str] = frozenset()
