"""Without ``fcntl`` and ``openat``, as on Windows: the same is served and the same is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from demo_store import make_store

HIDDEN = """
import os, sys
sys.modules["fcntl"] = None
os.supports_dir_fd = set()
os.supports_fd = set()
for name in ("O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC"):
    if hasattr(os, name):
        delattr(os, name)
from upheld.cli.main import main
from upheld.stores import files
assert not files.HAS_OPENAT
sys.exit(main(sys.argv[1:]))
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", HIDDEN, *arguments], capture_output=True, text=True, check=False)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return make_store(tmp_path / "store")


@pytest.mark.parametrize("verb", [["recall", "release-notes"], ["verify"], ["history", "release-notes"], ["index"]])
def test_a_sound_store_is_read(store: Path, verb: list[str]) -> None:
    done = run(*verb, "--unsealed", "--store", str(store))
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("place", ["sources/release-notes-v2.md", "records/release-notes-v2.json", "index.json"])
def test_a_link_is_refused(store: Path, place: str) -> None:
    elsewhere = store.parent / "elsewhere"
    (store / place).rename(elsewhere)
    (store / place).symlink_to(elsewhere)
    done = run("recall", "release-notes", "--unsealed", "--store", str(store), "--format", "concise")
    assert done.returncode == 4
    assert "STO003 symbolic-link" in done.stdout


def test_a_linked_folder_is_refused(store: Path) -> None:
    (store / "sources").rename(store.parent / "elsewhere")
    (store / "sources").symlink_to(store.parent / "elsewhere")
    done = run("recall", "release-notes", "--unsealed", "--store", str(store), "--format", "concise")
    assert done.returncode == 4
    assert "STO003 symbolic-link" in done.stdout


def test_a_name_that_leads_out_is_refused(store: Path) -> None:
    index = store / "index.json"
    index.write_bytes(index.read_bytes().replace(b"records/release-notes-v2.json", b"records/../../x.json"))
    done = run("recall", "release-notes", "--unsealed", "--store", str(store), "--format", "concise")
    assert done.returncode == 4
    assert "STO002 unsafe-path" in done.stdout
