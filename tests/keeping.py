"""Make a store to write to. The one place that says how: sealed or not is decided here."""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path
from unittest import mock

from upheld.cli.main import main
from upheld.compose.library import Memory
from upheld.model.answer import Answer
from upheld.model.value import Value
from upheld.services.seal_store import SEALING_VERBS

OPTIONS: tuple[str, ...] = ()
"""What a command needs to be given to read and write the stores of these tests."""


def environment(home: Path) -> dict[str, str]:
    """The environment of a person whose home is a folder of the test."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": str(home), "XDG_STATE_HOME": str(home / "state"), "UPHELD_OWNER": "Ada"}


def unmade(folder: Path) -> Memory:
    """A memory whose store is not made yet."""
    return Memory(path=str(folder / ".upheld"), why="a test")


def kept_store(folder: Path) -> Memory:
    """A new, empty store in ``folder/.upheld``, sealed by a key that is made for it, every verb automated."""
    memory = unmade(folder)
    memory.init(passphrase=False, automation=SEALING_VERBS, accept=("SIG030",))
    return memory


def text_of(memory: Memory, key: str) -> str:
    """The text that a recall serves; a refusal fails the test."""
    outcome = memory.recall(key)
    assert isinstance(outcome, Answer), outcome
    return outcome.text


def code_of(memory: Memory, key: str) -> str:
    """The code that a recall is refused with."""
    outcome = memory.recall(key)
    assert not isinstance(outcome, Answer)
    return outcome.code


def tree(folder: str | Path) -> dict[str, bytes]:
    """Every file below a folder, by its relative name."""
    root = Path(folder)
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


class Ran(Value):
    """What a command did."""

    code: int
    out: str
    err: str


class _Input(io.TextIOWrapper):
    """Standard input that is not a terminal."""


def run(*arguments: str, stdin: bytes = b"") -> Ran:
    """Run one command in this process, as with its output in a pipe."""
    out, err = io.StringIO(), io.StringIO()
    given = _Input(io.BytesIO(stdin), encoding="utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), mock.patch("sys.stdin", given):
        code = main([*OPTIONS, *arguments])
    return Ran(code=code, out=out.getvalue(), err=err.getvalue())
