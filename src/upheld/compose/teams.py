"""Bind history and the shared branch of a store to this user's folders, this place and the remote that was named."""

from __future__ import annotations

import contextlib
import os
import secrets
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from upheld.compose.accepted import accepted_root
from upheld.compose.clock import instant, today
from upheld.compose.gate import gate_for
from upheld.compose.judging import judging
from upheld.compose.keeping import git_of
from upheld.compose.routes import after_sync
from upheld.compose.sealing import sealer_for
from upheld.compose.state import state_root
from upheld.compose.writing import agreed, demand_person
from upheld.errors import RefusedError, StorageError, UsageError
from upheld.model.change import Change
from upheld.model.draft_state import Choice, KeyConflict, Synced
from upheld.model.value import Value
from upheld.model.written import Written
from upheld.ports.person import Ask
from upheld.ports.sealer import Sealer
from upheld.ports.store import ReadableStore
from upheld.ports.team import Heads
from upheld.services.base import Base
from upheld.services.pull import drop_drafts, pull
from upheld.services.screening import LOOK_TWICE, demand, screen_change
from upheld.services.state_heads import StateHeads
from upheld.services.sync import conflicts, sync
from upheld.services.team import Team
from upheld.stores.directory import DirectoryStore
from upheld.stores.git_exclude import exclude, inside_work_tree, origin_of
from upheld.stores.git_heads import GitHeads
from upheld.stores.git_history import GitHistory
from upheld.stores.git_plumbing import Git
from upheld.stores.git_remote import RemoteBranch, branch_of, checked_url
from upheld.stores.git_settings import Settings, read_choices, read_settings, write_choices, write_settings
from upheld.stores.git_store import GitVersion
from upheld.stores.keyrings import KeySources
from upheld.stores.no_history import HELP, NOTE
from upheld.stores.state_directory import StateReader
from upheld.stores.work_folder import WorkFolder

if TYPE_CHECKING:
    from upheld.services.recall import Admit

VERB = "sync"


class Sharing(Value):
    """How a store is to be shared in one call.

    Attributes:
        path: the store's folder.
        remote, branch: what the caller named; None for what was remembered, else the repository's own ``origin``.
        unsealed: the caller accepts a store without a seal.
        by: who is writing, for the log.
        may_ask: ssh may ask the person at the terminal.
        keys: where sealing keys may be; None for a call that must not seal (``--pull``).
        ask: the person, who is asked before a new version is sealed; None where the call itself decides, which
            counts where the trust root's ``automation`` lists ``sync``.
        say: tells the person what was done besides.
    """

    path: str
    remote: str | None = None
    branch: str | None = None
    unsealed: bool = False
    by: str = ""
    may_ask: bool = False
    keys: KeySources | None = None
    ask: Ask | None = None
    say: Callable[[str], None] = lambda _: None


@contextlib.contextmanager
def team_of(sharing: Sharing) -> Iterator[Team]:
    """Open everything that a sync needs.

    Raises:
        UsageError: no remote is known, or it cannot be one.
        StorageError: git is missing.
    """
    git = git_of(sharing.path, os.environ)
    if git is None:
        raise StorageError(NOTE, help=HELP)
    settings = _settings(git, sharing)
    with contextlib.ExitStack() as stack:
        archive = GitHistory(git, lambda: DirectoryStore(sharing.path))
        branch = RemoteBranch(git, settings.remote, settings.branch, may_ask=sharing.may_ask)
        folder = WorkFolder(sharing.path)
        for opened in (archive, branch, folder):
            stack.callback(opened.close)
        heads, admit_of = _heads(git, sharing, archive, settings)
        yield Team(
            branch=branch,
            archive=archive,
            heads=heads,
            folder=folder,
            admit_of=admit_of,
            sealer=lambda keys: _sealer(git, sharing, keys),
            today=today(),
            instant=instant,
            monotonic=time.monotonic,
            by=sharing.by,
            nonce=lambda: secrets.token_hex(2),
            screen=lambda base, change: _screen(git, sharing, base, change),
        )
    if read_settings(git.repository) != settings:
        write_settings(git.repository, settings)
        sharing.say(f"shared at {branch.location}; this is remembered")
    done = exclude(git, sharing.path)
    if done:
        sharing.say(done)


def _settings(git: Git, sharing: Sharing) -> Settings:
    known = read_settings(git.repository)
    remote = sharing.remote or (known.remote if known is not None else None) or origin_of(git, sharing.path)
    if remote is None:
        raise UsageError("no remote is known for this store", help="name one: `upheld sync --remote URL`")
    branch = sharing.branch or (known.branch if known is not None else None)
    return Settings(remote=checked_url(remote), branch=branch or branch_of(inside_work_tree(sharing.path)))


def _heads(
    git: Git, sharing: Sharing, archive: GitHistory, settings: Settings
) -> tuple[Heads, Callable[[ReadableStore], Admit]]:
    state = StateReader(state_root(os.environ), sharing.path).load()
    if state is None or not state.is_pinned:
        return GitHeads(git), lambda store: gate_for(store, sharing.path, unsealed=sharing.unsealed).admit
    # The gate's own store is never read here: each version brings itself.
    heads = StateHeads(gate_for(GitVersion(git, None), sharing.path), archive, settings.remote)
    return heads, heads.admit_of


def _sealer(git: Git, sharing: Sharing, keys: tuple[str, ...]) -> Sealer | None:
    """Ask the person, then unlock what seals. No lock is held yet."""
    state = StateReader(state_root(os.environ), sharing.path).load()
    if state is None or not state.is_pinned:
        return None
    if sharing.keys is None:
        raise UsageError("this call must not seal", help="run `upheld sync`")
    gate = gate_for(GitVersion(git, None), sharing.path)
    demand_person(accepted_root(gate), VERB, sharing.ask)
    named = ", ".join(f"`{key}`" for key in keys) or "the trust root"
    note = f"others published meanwhile; on top of theirs you seal your changes of {named}"
    agreed(
        sharing.ask,
        Written(outcome="planned", verb=VERB, key="", version=state.head.version if state.head else 0, notes=(note,)),
    )
    return sealer_for(gate, sharing.keys)


def _screen(git: Git, sharing: Sharing, base: Base, change: Change) -> None:
    """Insist that what this call would seal passes the screen, as it did when it was written here: rules may differ."""
    with judging(gate_for(GitVersion(git, None), sharing.path), base) as judge:
        judged = screen_change(base, change, judge)
    demand(judged, base.today)
    for note in (note for one in judged for note in one.notes if note.startswith(LOOK_TWICE)):
        sharing.say(note)


def publish(sharing: Sharing, resolve: tuple[str, str] | None = None) -> Synced:
    """Sync a store, with everything that a person has decided about its conflicts.

    Args:
        sharing: see there.
        resolve: a key and ``mine`` or ``theirs``: one more decision, remembered until it is published.

    Raises:
        ConflictError: keys are left that a person has to settle.
        UsageError: the key to resolve is in no conflict.
    """
    git = git_of(sharing.path, os.environ)
    choices = read_choices(git.repository) if git is not None else ()
    if resolve is not None:
        choices = _with(choices, _conflicts(sharing, choices), *resolve)
        if git is not None:
            write_choices(git.repository, choices)
    with team_of(sharing) as team:
        done = sync(team, choices)
    if choices and git is not None:
        write_choices(git.repository, ())
    after_sync(sharing.path)
    return done


def receive(sharing: Sharing) -> Synced:
    """Bring the folder up to what was published (``sync --pull``)."""
    try:
        with team_of(sharing) as team:
            done = pull(team)
        after_sync(sharing.path)
        return done
    except RefusedError as error:
        if any(finding.code == "RBK006" for finding in getattr(error.refusal, "findings", ())):
            _remember_remote(sharing)  # `trust pin` goes on from here
        raise


def _remember_remote(sharing: Sharing) -> None:
    git = git_of(sharing.path, os.environ)
    if git is not None:
        write_settings(git.repository, _settings(git, sharing))


def give_up(sharing: Sharing, agrees: Callable[[tuple[str, ...]], bool]) -> Synced | None:
    """Drop the drafts of a store, if the person who sees their keys agrees; None where they do not."""
    with team_of(sharing) as team:
        done = drop_drafts(team, agrees)
    after_sync(sharing.path)
    return done


def _conflicts(sharing: Sharing, choices: tuple[Choice, ...]) -> tuple[KeyConflict, ...]:
    """Find out what is in conflict, by a sync that stops at it; nothing is sealed and nothing published."""
    with team_of(sharing) as team:
        return conflicts(team, choices)


def _with(choices: tuple[Choice, ...], found: tuple[KeyConflict, ...], key: str, side: str) -> tuple[Choice, ...]:
    for conflict in found:
        if conflict.key == key:
            return (*(choice for choice in choices if choice.conflict.key != key), Choice(conflict=conflict, side=side))
    named = ", ".join(f"`{conflict.key}`" for conflict in found) or "none"
    raise UsageError(f"`{key}` is in no conflict (in conflict: {named})", help="`upheld sync` publishes your changes")
