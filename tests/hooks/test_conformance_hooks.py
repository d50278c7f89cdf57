"""The cases of ``conformance/hooks``: a store, an event of a client, and the code that the answer must name.

The steps are those of ``conformance/commands``; the last is a call of ``upheld hook`` with what the client sends.
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

CASES = Path(__file__).parent.parent.parent / "conformance" / "hooks"


@pytest.mark.parametrize("case", sorted(CASES.glob("*.json")), ids=lambda path: path.stem)
def test_an_answer_names_the_code_of_its_case(case: Path, tmp_path: Path) -> None:
    said = ""
    for step in json.loads(case.read_bytes())["steps"]:
        said = _carry_out(step, tmp_path)
    specific = json.loads(said)["hookSpecificOutput"]
    assert case.stem.partition("-")[0] in specific.get("additionalContext", specific.get("permissionDecisionReason"))
    assert "Deploy on Tuesdays" not in said


def _carry_out(step: dict[str, Any], home: Path) -> str:
    if "remove" in step:
        shutil.rmtree(home / step["remove"])
        return ""
    folder = home / step["in"]
    folder.mkdir(parents=True, exist_ok=True)
    folders = {"HOME": home, "XDG_STATE_HOME": home / "state", "XDG_CONFIG_HOME": home / "config"}
    given = {name: text.replace("{home}", str(home)) for name, text in step.get("environ", {}).items()}
    environ = {"PATH": os.environ["PATH"], **{name: str(path) for name, path in folders.items()}, **given}
    command = [sys.executable, "-m", "upheld", *step["upheld"]]
    sent = step.get("stdin", "").replace("{home}", str(home)).encode()
    with subprocess.Popen(
        command, cwd=folder, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        if step.get("held_open"):
            out, err = process.stdout.read(), process.stderr.read()
        else:
            out, err = process.communicate(sent)
    assert process.returncode == 0, (command, out, err)
    return out.decode()
