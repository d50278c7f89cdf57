"""The cases of ``conformance/commands``: what only a sequence of commands can show (state, clock, drafts, keys).

Each case is a JSON file whose steps are carried out in a fresh folder that is also the person's home, with the state in
``state/``. The last step prints JSON; the case's code must be among its refusal, findings and notices.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CASES = Path(__file__).parent.parent / "conformance" / "commands"


@pytest.mark.parametrize("case", sorted(CASES.glob("*.json")), ids=lambda path: path.stem)
def test_a_case_shows_its_code(case: Path, tmp_path: Path) -> None:
    steps = json.loads(case.read_bytes())["steps"]
    said = ""
    for step in steps:
        said = _carry_out(step, tmp_path)
    assert case.stem.partition("-")[0] in _codes(json.loads(said)), said


def test_there_are_cases() -> None:
    assert len(list(CASES.glob("*.json"))) >= 10


def _carry_out(step: dict[str, Any], home: Path) -> str:
    match step:
        case {"upheld": [*words]}:
            command = [sys.executable, "-m", "upheld", *(word.replace("{home}", str(home)) for word in words)]
            return _run(command, step, home, exits=step.get("exit", 0))
        case {"git": [*words]}:
            return _run(["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.com", *words], step, home, exits=0)
        case {"remove": pattern}:
            for path in _paths(home, pattern):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        case {"copy": source, "to": target}:
            shutil.rmtree(home / target, ignore_errors=True)
            shutil.copytree(home / source, home / target)
        case {"write": name, "text": text}:
            (home / name).write_text(text.replace("{home}", str(home)), encoding="utf-8")
        case {"chmod": pattern, "mode": mode}:
            for path in _paths(home, pattern):
                path.chmod(int(mode, 8))
        case {"json": pattern, "set": fields}:
            for path in _paths(home, pattern):
                path.write_text(json.dumps({**json.loads(path.read_bytes()), **fields}))
        case _:
            raise AssertionError(f"no such step: {step}")
    return ""


def _run(command: list[str], step: dict[str, Any], home: Path, *, exits: int) -> str:
    folder = home / step.get("in", ".")
    folder.mkdir(parents=True, exist_ok=True)
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CONFIG_HOME": str(home / "config"),
    }
    done = subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False
    )
    assert done.returncode == exits, (command, done.returncode, done.stdout, done.stderr)
    return done.stdout


def _paths(home: Path, pattern: str) -> list[Path]:
    found = sorted(home.glob(pattern))
    assert found, f"nothing is at {pattern}"
    return found


def _codes(said: dict[str, Any]) -> set[str]:
    listed = [*said.get("findings", ()), *said.get("notices", ())]
    return {str(said.get("code", "")), *(str(finding["code"]) for finding in listed)}
