"""Set up one case of the conformance corpus in a temporary folder, as its README says."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from upheld.compose.trusting import gate_at
from upheld.services.snapshot import read_index
from upheld.services.trust_pin import trust_pin

CORPUS = Path(__file__).parent.parent / "conformance"
CASES = sorted(path.parent for path in CORPUS.glob("*/case.json"))


def set_up(case: Path, work: Path) -> tuple[dict[str, Any], Path]:
    """Copy a case into ``work`` and prepare it; return what case.json says and the store's folder."""
    said: dict[str, Any] = json.loads((case / "case.json").read_text("utf-8"))
    if (case / "repository").exists():
        shutil.copytree(case / "repository", work, dirs_exist_ok=True)
    work.mkdir(exist_ok=True)
    (work / ".git").mkdir()  # ends the search for the repository that bound sources are relative to
    store = work / "store"
    if (case / "accepted").exists():
        shutil.copytree(case / "accepted", store)
        _accept(store)
        shutil.rmtree(store)
    shutil.copytree(case / "store", store)
    for step in said.get("prepare", []):
        _prepare(step, store, work)
    return said, store


def _accept(store: Path) -> None:
    """Pin the store under the root that its index names, so that it is the newest that this client has accepted."""
    with gate_at(str(store)) as gate:
        trust_pin(gate, read_index(gate.store)[1].root_sha256 or "")


def _prepare(step: dict[str, Any], store: Path, work: Path) -> None:
    path = store / step["name"]
    match step["op"]:
        case "symbolic-link":
            moved = work / f"moved-{path.name}"
            path.rename(moved)
            path.symlink_to(moved)
        case "hard-link":
            os.link(store / step["to"], work / step["name"])
        case "pipe":
            path.unlink()
            os.mkfifo(path)
        case "folder":
            path.unlink()
            path.mkdir()
        case "sparse":
            with path.open("wb") as file:
                file.truncate(step["size"])
        case "unreadable":
            if not hasattr(os, "geteuid") or os.geteuid() == 0:
                pytest.skip("the superuser reads everything; tests/stores covers this with a refused open")
            path.chmod(0)
        case unknown:
            raise AssertionError(f"unknown step {unknown}")
