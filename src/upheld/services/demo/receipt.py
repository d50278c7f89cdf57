"""The receipt of one run: what was read, by what, with which result. It binds bytes by digest, and says when."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from upheld.model.value import Value
from upheld.services.demo.run import Trial, digests
from upheld.wire.digest import sha256_hex


class Circumstances(Value):
    """Where and when a run took place."""

    version: str
    python: str
    platform: str
    instant: str
    today: str


def receipt(trials: Iterable[Trial], stores: Iterable[Path], printed: str, around: Circumstances) -> dict[str, object]:
    """Return the receipt as plain values.

    Args:
        trials: what each new process did.
        stores: the unspoilt stores.
        printed: all that the run printed up to its result.
        around: where and when.
    """
    cases = [_case(trial) for trial in trials]
    return {
        "receipt": "upheld demo",
        "form": 2,
        "made_at": around.instant,
        "as_of": around.today,
        "upheld": around.version,
        "python": around.python,
        "platform": around.platform,
        "program_sha256": program_digest(),
        "stores": {store.name: digests(store) for store in stores},
        "cases": cases,
        "passed": sum(case["result"] == "PASS" for case in cases),
        "failed": sum(case["result"] == "FAIL" for case in cases),
        "skipped": sum(case["result"] == "SKIP" for case in cases),
        "printed_sha256": sha256_hex(printed.encode("utf-8")),
    }


def result(trial: Trial) -> str:
    """Return ``PASS``, ``FAIL`` or ``SKIP``."""
    return "SKIP" if trial.skipped else "FAIL" if trial.problem else "PASS"


def program_digest() -> str:
    """Return one digest over every source file of this package, by name and digest, in order of name."""
    files = digests(Path(__file__).parents[2])
    lines = [f"{digest}  {name}\n" for name, digest in files.items() if name.endswith(".py")]
    return sha256_hex("".join(lines).encode())


def _case(trial: Trial) -> dict[str, object]:
    return {
        "case": trial.case.name,
        "did": trial.case.did,
        "key": trial.case.key,
        "command": trial.command,
        "home": f"cases/{trial.case.name}/home",
        "expected": trial.case.expect or "served",
        "result": result(trial),
        "problem": trial.problem or trial.skipped,
        "outcome": trial.outcome,
        "code": trial.code,
        "exit_code": trial.exit_code,
        "inputs": trial.inputs,
        "output_sha256": sha256_hex(trial.output),
    }
