"""The branch of a remote repository that holds a published store. Its compare-and-swap is a push with a lease."""

from __future__ import annotations

import contextlib
import secrets

from upheld.errors import ConflictError, FaultError, StorageError, UsageError
from upheld.ports.history import WholeVersion
from upheld.ports.team import SharedBranch
from upheld.stores.git_commit import Work, commit, instant_of, message_of, tip
from upheld.stores.git_plumbing import Git, said
from upheld.stores.git_store import GitStore, GitVersion
from upheld.wire import index as wire

FETCHED = "refs/upheld/fetched"
_WORK = "refs/upheld/work/"
_SCHEMES = ("https://", "ssh://", "file:///")


class RemoteBranch:
    """One branch of one remote.

    Args:
        git: our repository; made when it is needed.
        url: the remote, as ``checked_url`` returned it.
        branch: the branch's name, as ``branch_of`` makes it.
        may_ask: ssh may ask the person at the terminal.
    """

    def __init__(self, git: Git, url: str, branch: str, *, may_ask: bool) -> None:
        self.git = git
        self.location = f"{shown_url(url)}, branch {branch}"
        self._url = url
        self._ref = f"refs/heads/{branch}"
        self._may_ask = may_ask
        self._opened: list[GitVersion] = []

    def close(self) -> None:
        """Forget unfinished work and end the processes that read."""
        for version in self._opened:
            version.close()
            if isinstance(version, GitStore):
                self._forget(version.ref)
        self._opened = []

    def fetch(self) -> GitVersion | None:
        """Bring the published version here. See ``SharedBranch.fetch``."""
        self.git.ensure()
        outcome = self.git.over_network(
            "fetch",
            "--quiet",
            "--no-tags",
            "--no-write-fetch-head",
            "--no-recurse-submodules",
            "--no-auto-maintenance",
            "--refmap=",
            "--",
            self._url,
            f"+{self._ref}:{FETCHED}",
            may_ask=self._may_ask,
        )
        if outcome.code == 0:
            return self._open(GitVersion(self.git, tip(self.git, FETCHED)))
        if self._remote_tip() is None:
            return None
        raise StorageError(
            f"cannot fetch from {self.location}: {said(outcome)}", help="check the remote and its access"
        )

    def over(self, version: WholeVersion) -> GitStore:
        """Begin a new version. See ``SharedBranch.over``."""
        parent = _commit_of(version)
        store = GitStore(self.git, _WORK + secrets.token_hex(8), parent)
        self._opened.append(store)
        return store

    def adopt(self, version: WholeVersion, over: WholeVersion | None) -> GitVersion:
        """Put a version of ours on top of a fetched one. See ``SharedBranch.adopt``."""
        index = version.read(wire.PLACE, wire.MAX_BYTES)
        files, before = version.files(), dict(over.files()) if over is not None else {}
        changed = {name: object_id for name, object_id in files.items() if before.get(name) != object_id}
        events = {name: version.read(name, wire.MAX_BYTES) for name in changed if name.startswith("log/")}
        ref = _WORK + secrets.token_hex(8)
        made = commit(
            self.git,
            Work(
                ref=ref,
                parent=_commit_of(over) if over is not None else None,
                files={},
                known=changed,
                gone=set(before) - set(files),
                message=message_of(index, events),
                instant=instant_of(index),
            ),
        )
        store = GitStore(self.git, ref, made)
        self._opened.append(store)
        return store

    def push(self, version: WholeVersion, over: WholeVersion | None) -> None:
        """Publish. See ``SharedBranch.push``.

        What git says of a failed push is for people and differs from remote to remote, so the remote itself is asked
        what it holds now: our commit (then only the answer was lost), the old one, or another.
        """
        made, expected = _commit_of(version), _commit_of(over) if over is not None else None
        outcome = self.git.over_network(
            "push",
            "--quiet",
            "--no-verify",
            "--no-follow-tags",
            "--recurse-submodules=no",
            "--no-signed",
            f"--force-with-lease={self._ref}:{expected or ''}",
            "--",
            self._url,
            f"{made}:{self._ref}",
            may_ask=self._may_ask,
        )
        if outcome.code == 0:
            return
        now = self._remote_tip()
        if now == made:
            return
        if now != expected:
            raise ConflictError(f"{self.location} moved on", mine=expected or "nothing", theirs=now or "nothing")
        raise StorageError(f"cannot publish to {self.location}: {said(outcome)}", help="check that you may push there")

    def _remote_tip(self) -> str | None:
        outcome = self.git.over_network("ls-remote", "--quiet", "--", self._url, self._ref, may_ask=self._may_ask)
        if outcome.code != 0:
            raise StorageError(f"cannot reach {self.location}: {said(outcome)}", help="check the remote and its access")
        for row in outcome.output.decode("utf-8", "replace").splitlines():
            commit_id, _, ref = row.partition("\t")
            if ref == self._ref:
                return commit_id
        return None

    def _open(self, version: GitVersion) -> GitVersion:
        self._opened.append(version)
        return version

    def _forget(self, ref: str) -> None:
        with contextlib.suppress(StorageError):
            self.git.attempt("update-ref", "-d", "--end-of-options", ref)


def checked_url(url: str) -> str:
    """Return a remote's URL if it is one that git can be given.

    Raises:
        UsageError: it could be taken for an option or a program, or does not say who the other end is.
    """
    reason = _unsafe_url(url)
    if reason:
        raise UsageError(
            f"{url!r:.200} cannot be a remote: {reason}",
            help="use https://, ssh://, user@host:path or an absolute path",
        )
    return url


def _unsafe_url(url: str) -> str:
    if not url or not url.isprintable() or " " in url:
        return "it is empty, or holds spaces or control characters"
    if url.startswith("-") or "::" in url:
        return "git would take it for an option or for a program to run"
    if url.startswith(_SCHEMES):
        host = url.partition("://")[2].partition("/")[0].rpartition("@")[2]
        return "its host looks like an option" if host.startswith("-") else ""
    if "://" in url:
        return "its protocol is not one of https, ssh and file"
    if url.startswith("/") or url[1:3] in (":\\", ":/"):
        return ""
    host, colon, path = url.partition(":")
    if not colon or "/" in host or not path:
        return "it is a relative path, which means another place in every folder"
    return "its host looks like an option" if host.rpartition("@")[2].startswith("-") or path.startswith("-") else ""


def shown_url(url: str) -> str:
    """Return a URL without the password that it may hold."""
    scheme, mark, rest = url.partition("://")
    user, at, host = rest.partition("/")[0].rpartition("@")
    if not mark or not at or ":" not in user:
        return url
    return f"{scheme}://{user.partition(':')[0]}@{rest[len(user) + 1 :]}" if host else url


def branch_of(folder: str) -> str:
    """Return the branch for a store that stands at ``folder``, relative to its work tree, with forward slashes.

    The store of a whole repository (``.upheld``) is ``upheld/store``; any other gets one name of its own: letters,
    digits, ``-`` and ``_`` as they are, ``/`` as ``+``, and every other byte as ``=`` and two hexadecimal digits, so
    that no two folders share a branch and none can be an odd ref.
    """
    if folder == ".upheld":
        return "upheld/store"
    encoded = "".join(
        chr(byte)
        if chr(byte).isascii() and (chr(byte).isalnum() or chr(byte) in "-_")
        else "+"
        if byte == 47
        else f"={byte:02x}"
        for byte in folder.encode("utf-8", "surrogateescape")
    )
    return f"upheld/at/{encoded}"


def _commit_of(version: WholeVersion) -> str:
    if not isinstance(version, GitVersion) or version.commit_id is None:
        raise FaultError("STO006", wire.PLACE, detail="this version is no commit of a repository")
    return version.commit_id


_: type[SharedBranch] = RemoteBranch
