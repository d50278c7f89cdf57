"""The place whose store is gone: refused where one is pinned (ATTACKS A18c), and where a first one would stand."""

from __future__ import annotations

import os

from upheld.compose.clock import today
from upheld.compose.location import FOLDER, VARIABLE
from upheld.compose.state import state_root
from upheld.model.answer import Refusal
from upheld.model.finding import Finding
from upheld.stores.state_directory import is_pinned_at


def demand_present(path: str) -> None:
    """Refuse a pinned place whose store's folder is gone; any other missing folder is the caller's to report.

    Raises:
        RefusedError: RBK004.
    """
    if is_gone(path):
        Refusal(key="", findings=(Finding(code="RBK004", place=path),), as_of=today()).require()


def is_gone(path: str) -> bool:
    """Whether a store is pinned at a path and its folder is not there."""
    return not os.path.isdir(path) and is_pinned_at(state_root(os.environ), path)


def place_to_fill(named: str | None) -> str | None:
    """Return where the store of a fresh clone will stand: at the top of the work tree here; None where that is unclear.

    Args:
        named: what ``--store`` says, which then is for ``compose.location`` to judge.
    """
    from upheld.stores.git_exclude import work_tree_of

    if named is not None or os.environ.get(VARIABLE):
        return None
    tree = work_tree_of(os.path.join(os.getcwd(), FOLDER))
    return os.path.join(tree.top, FOLDER) if tree is not None else None
