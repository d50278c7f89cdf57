"""The action in ``.github/actions/verify``: what its steps run is run here, in the same words, as far as it needs no host."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from keeping import environment, kept_store

ACTION = (Path(__file__).parent.parent / ".github" / "actions" / "verify" / "action.yml").read_text("utf-8")


def _pin(store: Path, environ: dict[str, str]) -> str:
    shown = _shell(f'upheld trust show --store "{store}"', environ)
    return str(re.findall(r"--pin ([0-9a-f]{64}@\d+)", shown.stdout)[0])


def _shell(script: str, environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        env={**environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def test_its_steps_verify_under_a_pin_and_indent_what_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    environ = environment(tmp_path)
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    memory = kept_store(tmp_path)
    memory.remember("deploys", "Deploy on Tuesdays.", when="Before deploying", because="agreed")
    store = Path(memory.path)
    pin = _pin(store, environ)
    elsewhere = {**environment(tmp_path / "runner"), "STORE": str(store), "PIN": pin}
    verify = next(iter(re.findall(r"run: (upheld verify .*)", ACTION)))
    done = _shell(verify, elsewhere)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "verdict: verified" in done.stdout
    inbox = next(iter(re.findall(r"waiting=\$\((upheld inbox .*)\)", ACTION)))
    assert _shell(inbox, elsewhere).returncode == 0
    (store / "sources").joinpath("planted.md").write_text("x")
    index = store / "index.json"
    index.write_bytes(index.read_bytes().replace(b"deploys", b"deplays"))
    spoilt = _shell(verify, elsewhere)
    assert spoilt.returncode == 1
    assert "::error file=" in spoilt.stdout


def test_nothing_of_an_input_is_pasted_into_a_script() -> None:
    """Inputs reach scripts through the environment only; an expression inside ``run`` would be code."""
    for script in re.findall(r"run: (.*(?:\n {8}.*)*)", ACTION):
        assert "${{" not in script
