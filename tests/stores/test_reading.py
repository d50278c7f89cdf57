"""What stands where a file of the store should be, and what a reader makes of it (ATTACKS C8, D1-D5)."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from upheld.compose.library import open as open_memory
from upheld.errors import FaultError
from upheld.model.answer import Answer
from upheld.stores import files as module
from upheld.stores.files import Files
from upheld.testing.builder import DAY, StoreBuilder

LIMIT = 1000
POSIX = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this platform has no named pipes")


@pytest.fixture(params=["openat", "lstat"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one file, read with ``openat`` and as on a platform that has none."""
    if request.param == "lstat":
        monkeypatch.setattr(module, "HAS_OPENAT", False)
    elif not module.HAS_OPENAT:
        pytest.skip("this platform has no openat")
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "a.md").write_bytes(b"text")
    return tmp_path


def code(folder: Path, name: str = "sources/a.md") -> str:
    with Files(str(folder)) as files, pytest.raises(FaultError) as caught:
        files.read(name, LIMIT)
    return caught.value.code


def replaced(folder: Path) -> Path:
    path = folder / "sources" / "a.md"
    path.unlink()
    return path


def test_a_plain_file_and_a_hard_link_to_it(folder: Path) -> None:
    os.link(folder / "sources" / "a.md", folder / "beside")
    with Files(str(folder)) as files:
        assert files.read("sources/a.md", LIMIT) == b"text"
        assert files.list("sources") == ("sources/a.md",)
        assert files.list("none") == ()


def test_a_link_is_not_followed_at_any_step(folder: Path) -> None:
    (folder / "elsewhere").mkdir()
    (folder / "elsewhere" / "a.md").write_bytes(b"other")
    (folder / "linked").symlink_to("elsewhere")
    assert code(folder, "linked/a.md") == "STO003"
    replaced(folder).symlink_to("../elsewhere/a.md")
    assert code(folder) == "STO003"
    with Files(str(folder)) as files, pytest.raises(FaultError, match="STO003"):
        files.list("linked")


def test_a_folder_a_missing_file_and_a_file_for_a_folder(folder: Path) -> None:
    replaced(folder).mkdir()
    assert code(folder) == "STO004"
    assert code(folder, "sources/b.md") == "STO001"
    (folder / "file").write_bytes(b"")
    assert code(folder, "file/a.md") == "STO004"


@POSIX
def test_a_pipe_does_not_block(folder: Path) -> None:
    os.mkfifo(replaced(folder))
    assert code(folder) == "STO004"


@POSIX
def test_a_socket(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(replaced(folder).parent)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("a.md")
        assert code(folder) == "STO004"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no /dev/zero")
def test_a_device_is_never_read() -> None:
    assert code(Path("/dev"), "zero") == "STO004"


def test_a_sparse_file_of_a_terabyte(folder: Path) -> None:
    with replaced(folder).open("wb") as file:
        try:
            file.truncate(1 << 40)
        except OSError:
            pytest.skip("this file system has no sparse files of that size")
    assert code(folder) == "STO005"


def test_a_file_that_grows_while_it_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def growing(descriptor: int, size: int) -> bytes:
        return b"x" * size

    monkeypatch.setattr(os, "read", growing)
    assert code(folder) == "STO005"


def test_short_reads_are_continued(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.read

    def short(descriptor: int, size: int) -> bytes:
        return real(descriptor, 1)

    monkeypatch.setattr(os, "read", short)
    with Files(str(folder)) as files:
        assert files.read("sources/a.md", LIMIT) == b"text"


def test_a_refused_open_and_a_failing_read_are_unreadable(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> bytes:
        raise OSError(5, "Input/output error")

    with Files(str(folder)) as files:
        files.read("sources/a.md", LIMIT)
        with monkeypatch.context() as patch:
            patch.setattr(os, "read", fails)
            with pytest.raises(FaultError, match="STO006"):
                files.read("sources/a.md", LIMIT)
        with monkeypatch.context() as patch:
            patch.setattr(os, "open", fails)
            with pytest.raises(FaultError, match="STO006"):
                files.read("sources/a.md", LIMIT)


UNSAFE = [
    *("", "/etc/passwd", "../a", "a/../b", "a//b", "./a", "a\\b", "C:a", "a:b", "\\\\host\\share", "a\0b", "a\n"),
    *("nul", "a/COM1.md", "con.txt/a", "a.", "a ", "a./b", "x" * 256, "a/" * 600 + "a", "\u202ea"),
]


@pytest.mark.parametrize("name", UNSAFE)
def test_an_unsafe_name_makes_no_system_call(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Files(str(folder)) as files:

        def never(*_: object, **__: object) -> int:
            raise AssertionError("a system call was made")

        monkeypatch.setattr(os, "open", never)
        monkeypatch.setattr(os, "lstat", never)
        with pytest.raises(FaultError, match="STO002"):
            files.read(name, LIMIT)
        monkeypatch.undo()


def test_what_is_returned_is_what_was_hashed_even_if_the_file_is_swapped_meanwhile(tmp_path: Path) -> None:
    builder = StoreBuilder()
    (made,) = builder.remember("alpha", "Right.\n")
    store = builder.write(tmp_path / "store")
    real = Files.read
    reads: list[str] = []

    def swapping(self: Files, name: str, limit: int) -> bytes:
        data = real(self, name, limit)
        reads.append(name)
        if name == made.source_place:
            (store / name).write_bytes(b"Wrong.\n")
        return data

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Files, "read", swapping)
        answer = open_memory(store, unsealed=True, as_of=DAY).recall("alpha")
    assert isinstance(answer, Answer)
    assert answer.text == "Right.\n"
    assert reads.count(made.source_place) == 1


HIDDEN = """
import os, sys
sys.modules["fcntl"] = None
for name in ("O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "fork"):
    if hasattr(os, name):
        delattr(os, name)
os.supports_dir_fd = os.supports_fd = os.supports_follow_symlinks = set()
from upheld.cli.main import main
from upheld.stores import files
assert not files.HAS_OPENAT
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def hidden(tmp_path: Path) -> tuple[Path, Callable[..., subprocess.CompletedProcess[str]]]:
    builder = StoreBuilder(closed=False)
    builder.remember("alpha", "Old.\n", "New.\n")
    store = builder.write(tmp_path / "store")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", HIDDEN, *arguments, "--store", str(store), "--unsealed", "--as-of", DAY]
        environment = {**os.environ, "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
        return subprocess.run(
            command, capture_output=True, text=True, encoding="utf-8", check=False, timeout=60, env=environment
        )

    return store, run


def test_a_platform_without_openat_and_fcntl_reads_and_refuses_all_the_same(
    hidden: tuple[Path, Callable[..., subprocess.CompletedProcess[str]]],
) -> None:
    store, run = hidden
    served = run("recall", "alpha")
    assert served.returncode == 0, served.stderr
    assert "New." in served.stdout
    assert run("verify").returncode == 0
    source = store / "sources" / "alpha-v2.md"
    source.rename(store / "moved.md")
    source.symlink_to("../moved.md")
    refused = run("recall", "alpha")
    assert refused.returncode == 4
    assert "STO003" in refused.stdout + refused.stderr
