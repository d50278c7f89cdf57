"""``sync --pull``: fetch, verify, install. And ``draft drop``: go back to what was published."""

from __future__ import annotations

from upheld.errors import StorageError, UsageError
from upheld.model.draft_state import Synced
from upheld.ports.history import WholeVersion
from upheld.services.ancestry import Version, common_version
from upheld.services.replay import differing
from upheld.services.team import (
    Team,
    all_keys,
    check_related,
    check_version,
    fetched,
    head_of,
    hold,
    mine_of,
    put_into_folder,
    synced,
)


def pull(team: Team) -> Synced:
    """Bring the folder up to what was published. Needs no key and asks nobody. Own drafts stay as they are.

    Raises:
        RefusedError: what was fetched does not verify, or nobody has said yet whose seal to trust.
        UsageError: nothing was ever published there.
        StorageError: the remote or the disk failed.
    """
    stands = team.folder.index_sha256()
    theirs, mine = fetched(team), mine_of(team, stands)
    if theirs is None and mine is None:
        raise UsageError(
            f"no store was published to {team.branch.location} yet",
            help="make one with `upheld init`, then `upheld sync`",
        )
    if mine is None and theirs is not None:
        hold(team, theirs, stands)
        return synced("received", theirs, received=tuple(all_keys(theirs)))
    assert mine is not None
    number = common_version(mine, theirs) if theirs is not None else 0
    if theirs is not None:
        check_related(team, mine, theirs, number)
    if theirs is None or number < mine.number:
        restored = put_into_folder(team, mine, stands)
        if restored:
            team.heads.set_head(mine.store, head_of(mine))
        return synced("restored" if restored else "waiting", mine, waiting=mine.number - number)
    moved = theirs.sha256 != mine.sha256
    restored = hold(team, theirs, stands)
    outcome = "received" if moved else "restored" if restored else "up-to-date"
    return synced(outcome, theirs, received=tuple(differing(mine.base, theirs.base)) if moved else ())


def install_fetched(team: Team, found: WholeVersion) -> Synced:
    """Put a version that was fetched before anybody vouched for it into an empty place.

    Raises:
        RefusedError: it does not verify.
        StorageError: the disk failed.
    """
    theirs = Version(found, team.today)
    check_version(team, theirs.store)
    hold(team, theirs, team.folder.index_sha256())
    return synced("received", theirs, received=tuple(all_keys(theirs)))


def drop_drafts(team: Team) -> Synced:
    """Give up what was committed here and not published. It stays in history, and is in nobody's way.

    Raises:
        UsageError: there is nothing to give up, or nothing to go back to.
        StorageError: the published version is not here any more; `sync --pull` fetches it.
    """
    stands = team.folder.index_sha256()
    mine, published = mine_of(team, stands), team.heads.published()
    if mine is None or published is None:
        raise UsageError(
            "nothing was ever published, as far as is known here, so there is no version to go back to",
            help="`upheld restore` brings back an earlier text; `upheld sync` publishes what is here",
        )
    if published.sha256 == mine.sha256:
        raise UsageError("there are no drafts here", help="see `upheld history`")
    found = team.archive.find(published.sha256)
    if found is None:
        raise StorageError("the published version is not kept here", help="fetch it with `upheld sync --pull`")
    target = Version(found, team.today)
    check_version(team, target.store)
    first_own = common_version(mine, target) + 1
    if first_own <= mine.number:
        team.heads.give_up(mine.store, first_own)
    hold(team, target, stands)
    return synced("received", target, received=tuple(differing(mine.base, target.base)))


def waiting(team: Team) -> tuple[str, ...]:
    """Return the keys that were changed here since the published version, without asking the remote."""
    mine, published = mine_of(team, team.folder.index_sha256()), team.heads.published()
    found = team.archive.find(published.sha256) if published is not None else None
    if mine is None or found is None:
        return ()
    return tuple(differing(Version(found, team.today).base, mine.base))
