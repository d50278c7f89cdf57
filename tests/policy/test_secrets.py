"""Secrets: every kind of the sample file is caught and masked, nothing harmless is. The samples are built at run time."""

from __future__ import annotations

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from upheld.model.draft import Draft, Text
from upheld.policy.screen import run
from upheld.policy.secrets import find_secrets


def _samples() -> ModuleType:
    path = Path(__file__).parents[2] / "benchmarks" / "secret_samples.py"
    spec = importlib.util.spec_from_file_location("secret_samples", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["secret_samples"] = module
    spec.loader.exec_module(module)
    return module


SAMPLES = _samples()


@pytest.mark.parametrize("kind", SAMPLES.KEYS)
def test_every_kind_of_secret_is_refused_and_never_shown(kind: str) -> None:
    rng = random.Random(kind)
    for _ in range(20):
        value = SAMPLES.KEYS[kind](rng)
        draft = Draft(key="deploy", texts=(Text(field="evidence", text=f"It is here:\n{value}\nand there."),))
        screening = run(draft, now=lambda: 0.0)
        assert screening.refused
        assert screening.findings[0].code == "POL004"
        shown = repr(screening.findings)
        assert value not in shown
        assert all(value[n : n + 16] not in shown for n in range(8, len(value) - 16, 16))


@pytest.mark.parametrize("seed", range(3))
def test_digests_identifiers_and_placeholders_are_no_secrets(seed: int) -> None:
    assert [text for _, text in SAMPLES.harmless(random.Random(seed)) if list(find_secrets(text))] == []


def test_the_place_is_given_and_the_hint_is_the_public_prefix() -> None:
    token = "gh" + "p_" + "a1B2c3D4e5F6" * 3
    (found,) = find_secrets(f"one\ntwo {token}\n")
    assert (found.kind, found.line, found.hint) == ("github token", 2, "gh" + "p_…")
    (found,) = find_secrets("pass" + "word = 'hunter2Hunter3!'")
    assert found.hint == "…"
