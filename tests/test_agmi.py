"""The nine edits of the public agent memory integrity suite, on ``recall`` itself, in the default configuration.

The suite's exit code forgives what is only reported by an audit and what could not be evaluated, so each verdict is
held to REJECTED here. Its own controls come first in every attack: the untouched store must be served, before and after
a reload, so a build that refuses everything fails.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from deep import THREE_LEVELS, TWO_LEVELS, remember_many

ROOT = Path(__file__).parent.parent

ASSUMPTIONS = {
    "tamper": ("SIG013", "the sealing key is not in the store's folder"),
    "truncate": ("SIG013", "the sealing key is not in the store's folder"),
    "delete_middle": ("SIG013", "the sealing key is not in the store's folder"),
    "reorder": ("SIG013", "the sealing key is not in the store's folder"),
    "forge": ("SIG013", "the sealing key is not in the store's folder"),
    "cross_replay": ("SIG013", "the sealing key is not in the store's folder"),
    "rollback_replay": ("SIG013", "the sealing key is not in the store's folder"),
    "metadata_tamper": ("SIG013", "the sealing key is not in the store's folder"),
    "snapshot_rollback": ("RBK001", "the trusted state is not in the store's folder"),
}
"""What each refusal rests on. Every byte that the attacker restores in the last one is genuine and sealed."""


DEPTHS = [
    *((name, others) for name in ASSUMPTIONS for others in (0, TWO_LEVELS)),
    *((name, THREE_LEVELS) for name in ("tamper", "forge", "snapshot_rollback")),
]
"""Each edit, and how many other keys the store holds: its index is one leaf, or two or three levels deep."""


@pytest.mark.parametrize(("name", "others"), DEPTHS)
def test_an_edit_is_rejected_by_recall(name: str, others: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    check = pytest.importorskip("agmi.check", reason="agent-memory-integrity is not installed (test group)")
    from conformance.agmi.adapter import UpheldAdapter

    attack = next(cls for cls in check.ALL_AT_REST_ATTACKS if cls.name == name)()
    adapter = UpheldAdapter()
    setup = adapter.setup

    def deep_setup() -> None:
        setup()
        if others:
            with pytest.MonkeyPatch.context() as patch:
                patch.delenv("UPHELD_KEY", raising=False)
                patch.delenv("SSH_AUTH_SOCK", raising=False)
                for variable, value in adapter.homes.items():
                    patch.setenv(variable, value)
                remember_many(str(adapter.store), [f"other-key-{number:04}" for number in range(others)])

    monkeypatch.setattr(adapter, "setup", deep_setup)
    result = attack.run(adapter)
    code, assumption = ASSUMPTIONS[name]
    sys.stdout.write(f"{check.LABELS[name]}: {check.verdict(result, adapter)} by {code}, since {assumption}\n")
    assert check.verdict(result, adapter) == "REJECTED", result
    assert set(adapter.refusals) == {code}


def test_the_suite_has_nine_edits_and_all_are_run() -> None:
    check = pytest.importorskip("agmi.check", reason="agent-memory-integrity is not installed (test group)")
    assert {attack.name for attack in check.ALL_AT_REST_ATTACKS} == set(ASSUMPTIONS)
