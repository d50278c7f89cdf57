"""``sync --pull``: fetch, verify, install. And ``draft drop``: go back to what was published."""

from __future__ import annotations

from collections.abc import Callable

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


def drop_drafts(team: Team, agrees: Callable[[tuple[str, ...]], bool]) -> Synced | None:
    """Give up what was committed here and not published. It stays in history, and is in nobody's way.

    Args:
        team: see there.
        agrees: asked with the keys that differ, which are none where only the trust root was changed.

    Returns:
        What was done; None where nobody agreed.

    Raises:
        UsageError: there is nothing to give up, or nothing to go back to.
        StorageError: the published version is not here any more; `sync --pull` fetches it.
    """
    stands = team.folder.index_sha256()
    mine = mine_of(team, stands)
    target = _published(team, mine) if mine is not None else None
    if mine is None or target is None:
        raise UsageError(
            "nothing was ever published, as far as is known here, so there is no version to go back to",
            help="`upheld restore` brings back an earlier text; `upheld sync` publishes what is here",
        )
    given_up = tuple(differing(target.base, mine.base))
    if not agrees(given_up):
        return None
    first_own = common_version(mine, target) + 1
    if first_own <= mine.number:
        team.heads.give_up(mine.store, first_own)
    hold(team, target, stands)
    return synced("received", target, received=given_up)


def _published(team: Team, mine: Version) -> Version | None:
    """Return the version that drafts are given up for, verified; None where none is known."""
    published = team.heads.published()
    if published is None:
        return _branched_off(team, mine)
    if published.sha256 == mine.sha256:
        raise UsageError("there are no drafts here", help="see `upheld history`")
    found = team.archive.find(published.sha256)
    if found is None:
        raise StorageError("the published version is not kept here", help="fetch it with `upheld sync --pull`")
    target = Version(found, team.today)
    check_version(team, target.store)
    return target


def _branched_off(team: Team, mine: Version) -> Version | None:
    """Ask the remote of a place that was pinned by hand and never synced, and so does not know what is everybody's.

    Only a version that went on where ours did otherwise will do. One that ours contains may be an old one put back.
    """
    theirs = fetched(team)
    if theirs is None:
        return None
    number = common_version(mine, theirs)
    check_related(team, mine, theirs, number)
    return theirs if number < min(mine.number, theirs.number) else None
