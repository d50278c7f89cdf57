"""Codes that still lack a page, a case or an emitter. Empty when the work is done."""

from __future__ import annotations

PENDING_PAGES: frozenset[str] = frozenset()
PENDING_CASES: frozenset[str] = frozenset(['POL001', 'POL002', 'POL003', 'POL004', 'POL005', 'POL006', 'POL007', 'POL008', 'POL009', 'POL010', 'POL011', 'POL012', 'POL013', 'POL014', 'POL015', 'POL016', 'POL017', 'POL018', 'POL019', 'POL020', 'POL021', 'POL022', 'POL023', 'POL024', 'POL025', 'POL030', 'POL031', 'POL040', 'POL041', 'POL042', 'POL043', 'POL044', 'POL045', 'POL050', 'RBK004', 'RBK005', 'RBK009', 'RBK012', 'RBK013', 'RBK015', 'RBK016', 'SIG030', 'SIG031', 'STO008', 'STO009', 'STO010', 'TRG001', 'TRG002', 'TRG003', 'TRG004', 'TRG005', 'TRG006', 'TRG007'])
PENDING_EMITTERS: frozenset[str] = frozenset()
