"""Codes that still lack a page, a case or an emitter. Empty when the work is done."""

from __future__ import annotations

PENDING_PAGES: frozenset[str] = frozenset()
PENDING_CASES: frozenset[str] = frozenset()
PENDING_EMITTERS: frozenset[str] = frozenset()
