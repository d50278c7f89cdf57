"""Bind the way back of a store that is gone, or older than what was accepted here, to this user's history and state."""

from __future__ import annotations

import contextlib
import os

from upheld.compose.absent import is_gone
from upheld.compose.gate import gate_for
from upheld.compose.keeping import git_of
from upheld.compose.writing import agreed
from upheld.errors import FaultError
from upheld.model.finding import Finding, worst_first
from upheld.model.reports import Diagnosis
from upheld.model.written import Written
from upheld.ports.person import Ask
from upheld.services.admission import Gate
from upheld.services.bring_back import bring_back, kept_head, may_give_way
from upheld.services.snapshot import read_index
from upheld.stores.directory import DirectoryStore
from upheld.stores.git_history import GitHistory
from upheld.stores.git_plumbing import Git
from upheld.stores.git_store import GitVersion
from upheld.stores.work_folder import WorkFolder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.compose.library import Memory

_NOT_KEPT = "history: the newest version accepted here is not kept on this machine; `upheld sync --pull` may have it"


def returned(memory: Memory, *, fix: bool, ask: Ask | None) -> Diagnosis | None:
    """Say, or with ``fix`` do, what brings the accepted version back; None where it stands in its place.

    Raises:
        NoKeyError: the person said no.
        ConflictError, StorageError: see ``services.bring_back``.
    """
    wrong = _wrong(memory)
    if not wrong:
        return None
    git = git_of(memory.path, os.environ)
    if git is None or not git.exists:
        return Diagnosis(findings=worst_first(wrong), mends=(), not_checked=(_NOT_KEPT,), is_fixed=False)
    with contextlib.ExitStack() as stack:
        history = GitHistory(git, lambda: DirectoryStore(memory.path))
        folder = WorkFolder(memory.path)
        stack.callback(history.close)
        stack.callback(folder.close)
        return _diagnosis(memory, git, history, folder, wrong, fix=fix, ask=ask)


def _diagnosis(
    memory: Memory,
    git: Git,
    history: GitHistory,
    folder: WorkFolder,
    wrong: tuple[Finding, ...],
    *,
    fix: bool,
    ask: Ask | None,
) -> Diagnosis:
    gate = gate_for(GitVersion(git, None), memory.path)
    wanted = _head(gate)
    version = kept_head(gate, history, wanted) if wanted else None
    if version is None:
        return Diagnosis(findings=worst_first(wrong), mends=(), not_checked=(_NOT_KEPT,), is_fixed=False)
    if not fix:
        planned = bring_back(gate, history, folder, version, fix=False)
        return Diagnosis(findings=worst_first(wrong), mends=(planned,), not_checked=(), is_fixed=False)
    note = bring_back(gate, history, folder, version, fix=False).what
    agreed(ask, Written(outcome="planned", verb="doctor", key="", version=0, notes=(f"{memory.path}: {note}",)))
    done = bring_back(gate, history, folder, version, fix=True)
    return Diagnosis(findings=(), mends=(done,), not_checked=(), is_fixed=True)


def _wrong(memory: Memory) -> tuple[Finding, ...]:
    """What is wrong with the index that stands there, if all of it is that it is not the accepted one."""
    if is_gone(memory.path):
        return (Finding(code="RBK004", place=memory.path),)
    if not os.path.isdir(memory.path):
        return ()
    with DirectoryStore(memory.path) as store:
        try:
            refusals = gate_for(store, memory.path, remembers=False).admit(*read_index(store)).refusals
        except FaultError:
            return ()  # `services.doctor` puts a lost index back, and keeps what stands there
    return refusals if may_give_way(refusals) else ()


def _head(gate: Gate) -> str:
    try:
        state = gate.state.load()
    except FaultError:
        return ""
    return state.head.sha256 if state is not None and state.head is not None else ""
