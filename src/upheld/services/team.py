"""What sync, pull and draft drop share: our own version, the published one, and moving from one to the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from upheld.errors import StorageError, UsageError
from upheld.model.change import Change
from upheld.model.draft_state import Synced
from upheld.model.finding import Finding
from upheld.model.names import short
from upheld.model.trusted import Head
from upheld.model.value import Value
from upheld.ports.sealer import Sealer
from upheld.ports.store import ReadableStore
from upheld.ports.team import Archive, Folder, Heads, SharedBranch
from upheld.services.ancestry import Version, refuse
from upheld.services.base import Base
from upheld.services.install import install
from upheld.services.leaves import Start, keys_of, walk
from upheld.services.snapshot import read_index
from upheld.services.verify import verify

if TYPE_CHECKING:
    from upheld.services.recall import Admit

HARMLESS = frozenset({"DAT001", "DAT002", "DAT005", "SRC001", "SRC002", "SRC004"})
"""What is true of a sound store too: a review that is due, a day that has come where it was written and not yet here,
and live files of this work tree that are not as bound. A recall refuses these by key."""


class Team(Value):
    """Everything a sync needs from outside.

    Attributes:
        branch: where the store is shared. archive: every version recorded or fetched here. heads: what is remembered.
        folder: the store in the work tree.
        admit_of: for a store, what decides whether its index may be used, judged against the *published* version (an
            own draft must not make what others published look like a fork).
        sealer: gives an unlocked signer for own changes of these keys; asked only when a new version has to be sealed,
            before any lock is taken.
        today, instant, monotonic, by: as in ``services.commit.Writer``.
        nonce: gives four hexadecimal digits.
        screen: insists that nothing which a new version brings is refused, before it is sealed.
    """

    branch: SharedBranch
    archive: Archive
    heads: Heads
    folder: Folder
    admit_of: Callable[[ReadableStore], Admit]
    sealer: Callable[[tuple[str, ...]], Sealer | None]
    today: str
    instant: Callable[[], str]
    monotonic: Callable[[], float]
    by: str
    nonce: Callable[[], str]
    screen: Callable[[Base, Change], None]


def mine_of(team: Team, stands: str | None) -> Version | None:
    """Our own newest version, from history; the folder is recorded first where history has missed it.

    Args:
        team: see there.
        stands: the digest of the index in the folder; None where there is none. Then what history holds counts.
    """
    head = team.heads.head()
    wanted = head.sha256 if head is not None else stands or team.archive.newest()
    if wanted is None:
        return None
    found = team.archive.find(wanted)
    if found is None and stands == wanted:
        team.archive.record_folder()
        found = team.archive.find(wanted)
    if found is None and head is not None and head == team.heads.published():
        return None  # nothing of our own is lost: the published version is fetched again
    if found is None:
        raise StorageError(
            "the newest version of this store is neither in its folder nor in history",
            help="restore the folder from a backup; if it is lost, `upheld trust pin` begins from what was published",
        )
    mine = Version(found, team.today)
    if mine.base.index.version is None:
        raise UsageError("a store without a log cannot be shared", help="seal it with `upheld migrate` first")
    return mine


def fetched(team: Team) -> Version | None:
    """Fetch the published version and verify it; None where nothing was published."""
    found = team.branch.fetch()
    if found is None:
        return None
    theirs = Version(found, team.today)
    check_version(team, theirs.store)
    _check_published(team, theirs)
    return theirs


def check_version(team: Team, store: ReadableStore) -> None:
    """Refuse a version that is damaged, or whose index may not be used."""
    verdict = verify(store, as_of=team.today, today=team.today, admit=team.admit_of(store))
    wrong = [found for found in verdict.findings if found.severity == "error" and found.code not in HARMLESS]
    # `verify` reports a missing seal as a gap, not as an error; here it decides.
    said = {(found.code, found.place) for found in wrong}
    wrong += [
        found for found in team.admit_of(store)(*read_index(store)).refusals if (found.code, found.place) not in said
    ]
    if wrong:
        refuse(team.today, *wrong)


def _check_published(team: Team, theirs: Version) -> None:
    """What was published once must be contained in what is published now."""
    published = team.heads.published()
    if published is None or published.sha256 == theirs.sha256:
        return
    facts = (
        ("published before", f"version {published.version} ({short(published.sha256)})"),
        ("now", f"version {theirs.number} ({short(theirs.sha256)}) at {team.branch.location}"),
    )
    if theirs.number <= published.version:
        code = "RBK001" if theirs.number < published.version else "RBK002"
        refuse(team.today, Finding(code=code, place="index.json", facts=facts))
    known = team.archive.find(published.sha256)
    if known is None:
        return  # `admit_of` judges the log against the trusted state
    if theirs.log_head_at(published.version) != Version(known, team.today).base.index.log_head:
        refuse(team.today, Finding(code="RBK002", place="index.json", facts=facts))


def check_related(team: Team, mine: Version, theirs: Version, number: int) -> None:
    """Refuse a published version that is another store's, or whose log contradicts ours.

    Raises:
        RefusedError: it is.
    """
    ours, others = mine.base.index, theirs.base.index
    facts = (
        ("here", f"store {ours.store_id or 'without an id'}, version {mine.number} ({short(mine.sha256)})"),
        ("there", f"store {others.store_id or 'without an id'}, version {theirs.number} ({short(theirs.sha256)})"),
    )
    if ours.store_id != others.store_id:
        refuse(team.today, Finding(code="RBK003", place="index.json", path="store_id", facts=facts))
    is_fork = number == 0 or (mine.number == theirs.number == number and mine.sha256 != theirs.sha256)
    if is_fork or mine.log_head_at(number) != theirs.log_head_at(number):
        refuse(team.today, Finding(code="RBK002", place="index.json", facts=facts))


def hold(team: Team, version: Version, stands: str | None) -> bool:
    """Remember a published version, put it into the folder, and remember that too; return whether files changed.

    Args:
        team: see there.
        version: what everybody has.
        stands: the digest of the index that stood in the folder when this began. What was committed there meanwhile is
            not overwritten: the next sync publishes it.

    Raises:
        ConflictError: something was.
    """
    head = head_of(version)
    if team.heads.published() != head:
        team.heads.set_published(version.store, head)
    changed = put_into_folder(team, version, stands)
    if changed or team.heads.head() != head:
        team.heads.set_head(version.store, head)
    if changed:
        team.archive.record_folder()
    return changed


def put_into_folder(team: Team, version: Version, stands: str | None) -> bool:
    """Make the folder hold a version; return whether files changed. See ``services.install``."""
    replaces = team.archive.find(stands) if stands is not None else None
    return install(version.store, team.folder.open(), stands, replaces)


def head_of(version: Version) -> Head:
    """Return the head that a version stands for."""
    index = version.base.index
    return Head(root_version=index.root_version or 0, version=index.version or 0, sha256=version.sha256)


def all_keys(version: Version) -> list[str]:
    """Return every current key of a version."""
    start = [Start(node=version.base.index.node)]
    return sorted(key for step in walk(version.store, start) if step.node is not None for key in keys_of(step.node))


def synced(outcome: str, version: Version, **more: object) -> Synced:
    """Say what was done, about the version that the folder holds now."""
    return Synced(outcome=outcome, version=version.number, index_sha256=version.sha256, **more)  # type: ignore[arg-type]
