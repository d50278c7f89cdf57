"""sync: fetch, verify, put own drafts on top, seal, publish, install.

The steps are numbered as in docs/explanation/history.md.
"""

from __future__ import annotations

from collections.abc import Iterable

from upheld.errors import ConflictError, StorageError
from upheld.model.change import Change
from upheld.model.draft_state import Choice, KeyConflict, Merge, Synced
from upheld.model.names import short
from upheld.model.value import Value
from upheld.services.ancestry import Version, common_version
from upheld.services.base import Base
from upheld.services.commit import Writer, commit
from upheld.services.pull import pull
from upheld.services.replay import ROOT_KEY, differing, merge, plan_replay
from upheld.services.team import Team, all_keys, check_related, check_version, fetched, hold, mine_of, synced

ATTEMPTS = 5
"""How often a sync begins again when others publish while it runs."""


def sync(team: Team, choices: Iterable[Choice] = ()) -> Synced:
    """Publish what was committed here on top of what others published, and hold the result in the folder.

    Args:
        team: see there.
        choices: what a person decided about conflicts that an earlier sync named.

    Raises:
        ConflictError: a key was changed on both sides, or others published through every attempt.
        RefusedError: what was fetched, or what would be published, does not verify.
        StorageError: the remote or the disk failed. Whatever was published is found by the next sync.
        NoKeyError: a new version has to be sealed and nobody did.
    """
    stands = team.folder.index_sha256()
    mine = mine_of(team, stands)
    if mine is None:
        return pull(team)
    for attempt in range(1, ATTEMPTS + 1):
        # 1 and 2. Fetch, and verify as a store of its own.
        theirs = fetched(team)
        made = _made(team, mine, theirs, tuple(choices))
        if made.is_new:
            check_version(team, made.version.store)
            try:
                # 6. Publish, if the remote is still where it was.
                team.branch.push(made.version.store, theirs.store if theirs is not None else None)
            except ConflictError:
                continue
        return _settled(team, mine, stands, made, attempt)
    raise ConflictError(
        f"others published to {team.branch.location} while this ran, {ATTEMPTS} times", help="run `upheld sync` again"
    )


def conflicts(team: Team, choices: Iterable[Choice] = ()) -> tuple[KeyConflict, ...]:
    """Return which keys a person has to settle before own drafts can be published; nothing is written.

    Raises:
        RefusedError: what was fetched does not verify.
    """
    mine, theirs = mine_of(team, team.folder.index_sha256()), fetched(team)
    if mine is None or theirs is None:
        return ()
    number = common_version(mine, theirs)
    check_related(team, mine, theirs, number)
    if number in (mine.number, theirs.number):
        return ()
    return merge(_common(team, mine, theirs, number), mine, theirs, choices).conflicts


class _Made(Value):
    """The version that everybody is to have: whether it must be published, and how it came about."""

    version: Version
    is_new: bool
    sent: tuple[str, ...] = ()


def _made(team: Team, mine: Version, theirs: Version | None, choices: tuple[Choice, ...]) -> _Made:
    # 3. How are they related?
    if theirs is None:
        adopted = team.branch.adopt(mine.store, None)
        return _Made(version=Version(adopted, team.today), is_new=True, sent=tuple(all_keys(mine)))
    number = common_version(mine, theirs)
    check_related(team, mine, theirs, number)
    if mine.sha256 == theirs.sha256 or number == mine.number:
        return _Made(version=theirs, is_new=False)
    sent = tuple(differing(theirs.base, mine.base))
    if number == theirs.number:
        # Nobody else published: our version, with its own seal, is the next one.
        return _Made(version=Version(team.branch.adopt(mine.store, theirs.store), team.today), is_new=True, sent=sent)
    # 4. Both went on: own keys on top of theirs.
    base = _common(team, mine, theirs, number)
    merged = merge(base, mine, theirs, choices)
    _check_conflicts(team, merged)
    if not (merged.taken or merged.corrected or merged.takes_root):
        return _Made(version=theirs, is_new=False)
    # 5. Seal.
    return _Made(
        version=_replayed(team, base, mine, theirs, merged), is_new=True, sent=(*merged.taken, *merged.corrected)
    )


def _replayed(team: Team, base: Version, mine: Version, theirs: Version, merged: Merge) -> Version:
    working = team.branch.over(theirs.store)
    writer = Writer(
        store=working,
        admit=team.admit_of(working),
        sealer=team.sealer((*merged.taken, *merged.corrected)),
        today=team.today,
        instant=team.instant,
        monotonic=team.monotonic,
        by=team.by,
    )
    replay = plan_replay(base, mine, merged, nonce=team.nonce())

    def plan(current: Base) -> Change:
        change = replay(current)
        team.screen(current, change)
        return change

    commit(writer, plan)
    return Version(working, team.today)


def _settled(team: Team, mine: Version, stands: str | None, made: _Made, attempt: int) -> Synced:
    # 7. Remember, then install.
    restored = hold(team, made.version, stands)
    received = tuple(key for key in differing(mine.base, made.version.base) if key not in made.sent)
    outcome = "published" if made.is_new else "received" if received else "restored" if restored else "up-to-date"
    return synced(outcome, made.version, sent=made.sent, received=received, attempts=attempt if made.is_new else 0)


def _common(team: Team, mine: Version, theirs: Version, number: int) -> Version:
    found = team.archive.find_logged(number, mine.log_head_at(number))
    if found is None:
        raise StorageError(
            f"version {number}, which your changes and the published ones both come from, is not kept here",
            help="give your changes up with `upheld draft drop`, then make them again",
        )
    base = Version(found, team.today)
    if common_version(base, theirs) != number or base.number != number:
        raise StorageError(f"what is kept here as version {number} is something else")
    return base


def _check_conflicts(team: Team, merged: Merge) -> None:
    if not merged.conflicts:
        return
    named = [
        f"`{conflict.key or 'the trust root'}` (yours {short(conflict.mine) or 'none'}, "
        f"theirs {short(conflict.theirs) or 'none'})"
        for conflict in merged.conflicts
    ]
    first = merged.conflicts[0]
    help_ = (
        "give up your change of the trust root with `upheld draft drop`, then make it again"
        if first.key == ROOT_KEY
        else f"see `upheld history {first.key}`, then `upheld resolve {first.key} --mine` or `--theirs`"
    )
    raise ConflictError(
        f"changed here and by others: {', '.join(named)}; nothing was published",
        mine=first.mine,
        theirs=first.theirs,
        help=help_,
        conflicts=merged.conflicts,
    )
