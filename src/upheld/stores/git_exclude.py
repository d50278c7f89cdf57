"""Keep a store's folder out of the repository around it: one line in ``.git/info/exclude``, which nobody commits.

git is never run in that repository: its own configuration could make git execute something. Whether the folder is
tracked or ignored is asked with a configuration of ours, of the work tree's index and files.
"""

from __future__ import annotations

import os

from upheld.errors import StorageError
from upheld.stores.git_plumbing import Git
from upheld.stores.place import common_directory

_LIMIT = 1024 * 1024


class WorkTree:
    """The git work tree around a path.

    Attributes:
        top: its top folder. common: the git common directory. own: the git directory of this work tree.
    """

    def __init__(self, top: str, common: str, own: str) -> None:
        self.top = top
        self.common = common
        self.own = own


def work_tree_of(path: str) -> WorkTree | None:
    """Return the work tree that a store's folder stands in, or None where there is none."""
    here = os.path.dirname(os.path.realpath(path))
    while True:
        found = common_directory(here)
        if found:
            return WorkTree(top=here, common=found, own=_own(here, found))
        above = os.path.dirname(here)
        if above == here:
            return None
        here = above


def exclude(git: Git, path: str) -> str:
    """Name a store's folder in the exclude file of the repository around it, if that is wanted and not done yet.

    Args:
        git: a repository of ours, to ask with.
        path: the store's folder.

    Returns:
        What was done, for people; empty where nothing was.

    Raises:
        StorageError: the file cannot be written.
    """
    tree = work_tree_of(path)
    if tree is None:
        return ""
    inside = os.path.relpath(os.path.realpath(path), tree.top).replace(os.sep, "/")
    file = os.path.join(tree.common, "info", "exclude")
    line = f"/{_escaped(inside)}/"
    text = _text(file)
    if line in text.splitlines() or _is_tracked(git, tree, inside) or _is_ignored(git, tree, inside):
        return ""
    try:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "a", encoding="utf-8", errors="surrogateescape") as out:
            out.write(f"{'' if not text or text.endswith(chr(10)) else chr(10)}{line}\n")
    except OSError as error:
        raise StorageError(f"{file} cannot be written: {os.strerror(error.errno or 0)}") from None
    return f"{inside}/ is now named in {file}, so that the repository's own commits leave it alone"


def origin_of(git: Git, path: str) -> str | None:
    """Return the URL of the remote ``origin`` of the repository around a store, as its own file says; None for none."""
    tree = work_tree_of(path)
    if tree is None:
        return None
    git.ensure()
    config = os.path.join(tree.common, "config")
    outcome = git.attempt("config", "--no-includes", "--file", config, "--get", "remote.origin.url")
    return outcome.output.decode("utf-8", "replace").rstrip("\n") if outcome.code == 0 else None


def inside_work_tree(path: str) -> str:
    """Return where a store stands relative to its work tree, with forward slashes; its own name outside of git."""
    tree = work_tree_of(path)
    real = os.path.realpath(path)
    return os.path.relpath(real, tree.top).replace(os.sep, "/") if tree is not None else os.path.basename(real)


def _is_tracked(git: Git, tree: WorkTree, inside: str) -> bool:
    index = os.path.join(tree.own, "index")
    if not os.path.isfile(index):
        return False
    git.ensure()
    asked = git.attempt("ls-files", "-z", "--", f":(top,literal){inside}", also={"GIT_INDEX_FILE": index})
    return asked.code == 0 and bool(asked.output)


def _is_ignored(git: Git, tree: WorkTree, inside: str) -> bool:
    git.ensure()
    asked = git.attempt("check-ignore", "--quiet", "--no-index", "--", f"{inside}/x", also={"GIT_WORK_TREE": tree.top})
    return asked.code == 0


def _own(top: str, common: str) -> str:
    mark = os.path.join(top, ".git")
    if os.path.isdir(mark):
        return mark
    target = _text(mark).partition("\n")[0].removeprefix("gitdir: ").rstrip("\r")
    return os.path.realpath(os.path.join(top, target)) if target else common


def _text(file: str) -> str:
    try:
        with open(file, encoding="utf-8", errors="surrogateescape") as opened:
            return opened.read(_LIMIT)
    except OSError:
        return ""


def _escaped(path: str) -> str:
    """Write a path so that an ignore pattern means nothing but it."""
    return "".join(f"\\{character}" if character in "\\*?[ " else character for character in path)
