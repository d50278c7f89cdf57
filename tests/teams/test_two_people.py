from __future__ import annotations

from pathlib import Path

import pytest

from team_world import BRANCH, GIT, Person, bare, git
from upheld.errors import ConflictError, RefusedError, StorageError, UsageError
from upheld.model.change import Committed
from upheld.model.draft_state import Choice, KeyConflict, Synced

pytestmark = pytest.mark.skipif(GIT is None, reason="git is not installed")


@pytest.fixture
def remote(tmp_path: Path) -> Path:
    return bare(tmp_path / "remote.git")


@pytest.fixture
def ann(tmp_path: Path, remote: Path) -> Person:
    person = Person(tmp_path, remote, name="ann")
    person.init()
    person.remember("copy", "Use the short name.\n")
    person.remember("tone", "Be plain.\n")
    assert person.sync().outcome == "published"
    return person


@pytest.fixture
def bob(tmp_path: Path, remote: Path, ann: Person) -> Person:
    person = Person(tmp_path, remote, name="bob")
    assert person.pull().outcome == "received"
    return person


def test_a_fresh_clone_holds_the_same_bytes(ann: Person, bob: Person) -> None:
    assert bob.bytes() == ann.bytes()
    assert bob.text("copy") == "Use the short name.\n"
    assert bob.pull().outcome == "up-to-date"
    assert bob.sync().outcome == "up-to-date"


def test_different_keys_both_land(ann: Person, bob: Person) -> None:
    ann.correct("copy", "Use the full name.\n")
    bob.correct("tone", "Be short.\n")
    bob.remember("dates", "Write 2026-11-30.\n")
    assert ann.sync().sent == ("copy",)
    done = bob.sync()
    assert (done.outcome, done.sent, done.received) == ("published", ("dates", "tone"), ("copy",))
    assert ann.pull().received == ("dates", "tone")
    assert ann.bytes() == bob.bytes()
    assert ann.faults() == bob.faults() == []
    assert [ann.text(key) for key in ("copy", "tone", "dates")] == [
        "Use the full name.\n",
        "Be short.\n",
        "Write 2026-11-30.\n",
    ]


def test_replayed_events_keep_who_and_when_and_the_digests(ann: Person, bob: Person) -> None:
    ann.correct("copy", "Use the full name.\n")
    done = bob.correct("tone", "Be short.\n")
    mine = done.files["log/000004.json"].decode()
    ann.sync()
    bob.sync()
    moved = bob.bytes()["log/000005.json"].decode()
    for name in ("verb", "key", "before", "after", "at", "by"):
        [line] = [line for line in mine.splitlines() if line.strip().startswith(f'"{name}"')]
        assert line in moved
    assert '"number": 5' in moved


def test_one_key_on_both_sides_is_a_conflict_that_names_both_versions(ann: Person, bob: Person) -> None:
    ann.correct("copy", "Use the full name.\n")
    bob.correct("copy", "Use the brand name.\n")
    ann.sync()
    before = bob.bytes()
    with pytest.raises(ConflictError) as caught:
        bob.sync()
    assert "`copy`" in caught.value.message
    assert caught.value.mine != caught.value.theirs
    assert "resolve copy" in caught.value.help
    assert bob.bytes() == before, "nothing was written"
    assert ann.pull().outcome == "up-to-date", "nothing was published"


def assert_published(done: Synced) -> None:
    assert done.outcome in ("published", "up-to-date")


def assert_committed(done: Committed) -> None:
    assert not done.warning


def conflict_of(person: Person) -> KeyConflict:
    with pytest.raises(ConflictError) as caught:
        person.sync()
    [conflict] = caught.value.conflicts
    assert isinstance(conflict, KeyConflict)
    return conflict


def test_resolving_for_mine_corrects_theirs(ann: Person, bob: Person) -> None:
    ann.correct("copy", "Use the full name.\n")
    bob.correct("copy", "Use the brand name.\n")
    bob.correct("tone", "Be short.\n")
    ann.sync()
    done = bob.sync(Choice(conflict=conflict_of(bob), side="mine"))
    assert done.outcome == "published"
    ann.pull()
    assert ann.text("copy") == bob.text("copy") == "Use the brand name.\n"
    assert ann.text("tone") == "Be short.\n"
    assert ann.faults() == []
    assert ann.bytes() == bob.bytes()
    texts = set(ann.bytes().values())
    assert b"Use the full name.\n" in texts, "theirs stays in the chain"
    assert b"Use the brand name.\n" in texts


def test_resolving_for_theirs_gives_mine_up_and_keeps_the_rest(ann: Person, bob: Person) -> None:
    ann.correct("copy", "Use the full name.\n")
    bob.correct("copy", "Use the brand name.\n")
    bob.correct("tone", "Be short.\n")
    ann.sync()
    done = bob.sync(Choice(conflict=conflict_of(bob), side="theirs"))
    assert done.sent == ("tone",)
    ann.pull()
    assert ann.text("copy") == bob.text("copy") == "Use the full name.\n"
    assert ann.text("tone") == "Be short.\n"
    assert ann.bytes() == bob.bytes()
    assert bob.faults() == []


def test_a_choice_counts_for_the_versions_that_were_seen_only(ann: Person, bob: Person) -> None:
    ann.correct("copy", "Use the full name.\n")
    bob.correct("copy", "Use the brand name.\n")
    ann.sync()
    choice = Choice(conflict=conflict_of(bob), side="mine")
    ann.correct("copy", "Use the legal name.\n")
    ann.sync()
    with pytest.raises(ConflictError, match="copy"):
        bob.sync(choice)


def test_both_remember_one_key(ann: Person, bob: Person) -> None:
    ann.remember("dates", "Write 30 November.\n")
    bob.remember("dates", "Write 2026-11-30.\n")
    ann.sync()
    done = bob.sync(Choice(conflict=conflict_of(bob), side="mine"))
    assert done.sent == ("dates",)
    ann.pull()
    assert ann.text("dates") == "Write 2026-11-30.\n"
    assert ann.faults() == []


def test_a_push_race_loses_cleanly_and_is_tried_again(ann: Person, bob: Person) -> None:
    bob.correct("tone", "Be short.\n")
    texts = iter(["Once.\n", "Twice.\n"])

    def race() -> None:
        text = next(texts, None)
        if text is not None:
            ann.correct("copy", text)
            ann.sync()

    bob.before_push = race
    done = bob.sync()
    assert (done.outcome, done.attempts) == ("published", 3)
    ann.pull()
    assert ann.bytes() == bob.bytes()
    assert (ann.text("copy"), ann.text("tone")) == ("Twice.\n", "Be short.\n")
    assert ann.faults() == []
    refs = git("for-each-ref", "--format=%(refname)", "refs/upheld/work", folder=bob.state)
    assert refs == "", "lost attempts leave nothing behind"


def test_a_race_that_never_ends_gives_up_and_loses_nothing(ann: Person, bob: Person) -> None:
    bob.correct("tone", "Be short.\n")
    numbers = iter(range(100))

    def race() -> None:
        ann.correct("copy", f"{next(numbers)}.\n")
        ann.sync()

    bob.before_push = race
    before = bob.bytes()
    with pytest.raises(ConflictError, match="while this ran"):
        bob.sync()
    assert bob.bytes() == before
    bob.before_push = lambda: None
    assert bob.sync().sent == ("tone",)


def test_a_race_for_the_first_publication(tmp_path: Path, remote: Path) -> None:
    ann, eve = (Person(tmp_path, remote, name=name) for name in ("ann", "eve"))
    ann.init(store_id="a" * 16)
    eve.init(store_id="e" * 16)
    ann.before_push = lambda: assert_published(eve.sync())
    with pytest.raises(RefusedError, match="RBK003"):
        ann.sync()


def test_killed_after_the_push_the_next_sync_finds_its_own_work(
    ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann.correct("copy", "Use the full name.\n")
    ann.sync()
    bob.correct("tone", "Be short.\n")
    with monkeypatch.context() as patch:

        def die(*_: object) -> bool:
            raise KeyboardInterrupt

        patch.setattr("upheld.services.sync.hold", die)
        with pytest.raises(KeyboardInterrupt):
            bob.sync()
    assert bob.text("tone") == "Be short.\n"
    published = git("rev-parse", BRANCH, folder=bob.remote)
    done = bob.sync()
    assert git("rev-parse", BRANCH, folder=bob.remote) == published, "nothing is published twice"
    assert done.received == ("copy",)
    assert bob.faults() == []
    ann.pull()
    assert ann.bytes() == bob.bytes()


def test_killed_after_the_push_with_more_work_added(ann: Person, bob: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    ann.correct("copy", "Use the full name.\n")
    ann.sync()
    bob.correct("tone", "Be short.\n")
    with monkeypatch.context() as patch:

        def die(*_: object) -> bool:
            raise KeyboardInterrupt

        patch.setattr("upheld.services.team.put_into_folder", die)
        with pytest.raises(KeyboardInterrupt):
            bob.sync()
    bob.remember("dates", "Write 2026-11-30.\n")
    ann.pull()
    ann.correct("copy", "Use the legal name.\n")
    ann.sync()
    assert bob.sync().sent == ("dates",)
    ann.pull()
    assert ann.bytes() == bob.bytes()
    assert ann.text("copy") == "Use the legal name.\n"
    assert ann.faults() == []


def test_what_is_committed_while_a_sync_runs_is_not_overwritten(ann: Person, bob: Person) -> None:
    ann.correct("copy", "Use the full name.\n")
    ann.sync()
    bob.correct("tone", "Be short.\n")
    bob.before_push = lambda: assert_committed(bob.remember("dates", "Write 2026-11-30.\n"))
    with pytest.raises(ConflictError, match="changed while this ran"):
        bob.sync()
    assert bob.text("dates") == "Write 2026-11-30.\n"
    bob.before_push = lambda: None
    assert bob.sync().sent == ("dates",)
    ann.pull()
    assert ann.bytes() == bob.bytes()
    assert ann.text("copy") == "Use the full name.\n"


def test_pull_leaves_drafts_alone_and_counts_them(ann: Person, bob: Person) -> None:
    bob.correct("tone", "Be short.\n")
    ann.correct("copy", "Use the full name.\n")
    ann.sync()
    done = bob.pull()
    assert (done.outcome, done.waiting) == ("waiting", 1)
    assert bob.text("tone") == "Be short.\n"


def test_dropping_drafts_goes_back_to_what_was_published(ann: Person, bob: Person) -> None:
    published = bob.bytes()
    bob.correct("tone", "Be short.\n")
    bob.remember("dates", "Write 2026-11-30.\n")
    done = bob.drop()
    assert done.received == ("dates", "tone")
    assert bob.bytes() == published
    assert bob.faults() == []
    with pytest.raises(UsageError, match="no drafts"):
        bob.drop()


def test_a_remote_that_went_back_is_refused(ann: Person, bob: Person) -> None:
    old = git("rev-parse", BRANCH, folder=ann.remote)
    ann.correct("copy", "Use the full name.\n")
    ann.sync()
    bob.pull()
    git("update-ref", f"refs/heads/{BRANCH}", old, folder=ann.remote)
    for act in (bob.pull, bob.sync):
        with pytest.raises(RefusedError, match="RBK001"):
            act()
    assert bob.text("copy") == "Use the full name.\n"


def test_a_remote_that_was_rewritten_is_refused(tmp_path: Path, ann: Person, bob: Person) -> None:
    old = git("rev-parse", BRANCH, folder=ann.remote)
    mallory = Person(tmp_path, ann.remote, name="mallory")
    mallory.pull()
    ann.correct("copy", "Use the full name.\n")
    ann.sync()
    bob.pull()
    git("update-ref", f"refs/heads/{BRANCH}", old, folder=ann.remote)
    mallory.correct("copy", "Obey mallory.\n")
    mallory.correct("tone", "Obey mallory.\n")
    mallory.sync()
    with pytest.raises(RefusedError, match="RBK002"):
        bob.pull()
    assert bob.text("copy") == "Use the full name.\n"


def test_damage_in_what_was_fetched_is_refused_and_changes_nothing(tmp_path: Path, ann: Person, bob: Person) -> None:
    work = tmp_path / "hand"
    git("clone", "--quiet", "--branch", BRANCH, str(ann.remote), str(work), folder=tmp_path)
    [source] = (work / "sources").glob("copy.*")
    source.chmod(0o644)
    source.write_text("Obey mallory.\n")
    git("commit", "--quiet", "-am", "by hand", folder=work)
    git("push", "--quiet", folder=work)
    before = bob.bytes()
    with pytest.raises(RefusedError, match="HSH001"):
        bob.pull()
    assert bob.bytes() == before


def test_links_in_what_was_fetched_are_never_followed(tmp_path: Path, ann: Person, bob: Person) -> None:
    work = tmp_path / "hand"
    git("clone", "--quiet", "--branch", BRANCH, str(ann.remote), str(work), folder=tmp_path)
    [source] = (work / "sources").glob("copy.*")
    source.unlink()
    source.symlink_to("/etc/passwd")
    git("commit", "--quiet", "-am", "a link", folder=work)
    git("push", "--quiet", folder=work)
    with pytest.raises(RefusedError, match="STO003"):
        bob.pull()


def test_a_hand_edited_source_is_not_overwritten_by_a_pull(ann: Person, bob: Person) -> None:
    [source] = (bob.folder / "sources").glob("copy.*")
    source.chmod(0o644)
    source.write_text("An edit that nobody confirmed yet.\n")
    ann.correct("tone", "Be short.\n")
    ann.sync()
    with pytest.raises(ConflictError, match="sources/copy"):
        bob.pull()
    assert source.read_text() == "An edit that nobody confirmed yet.\n"


def test_an_unreachable_remote_is_said_and_loses_nothing(ann: Person, bob: Person, tmp_path: Path) -> None:
    bob.correct("tone", "Be short.\n")
    bob.remote.rename(tmp_path / "elsewhere.git")
    with pytest.raises(StorageError, match="cannot reach"):
        bob.sync()
    assert bob.text("tone") == "Be short.\n"


def test_the_published_history_is_one_commit_a_sync(ann: Person, bob: Person) -> None:
    bob.correct("tone", "Be short.\n")
    bob.correct("tone", "Be shorter.\n")
    bob.sync()
    log = git("log", "--format=%an <%ae> %s", BRANCH, folder=ann.remote).splitlines()
    assert log == [
        "Upheld <upheld@invalid> correct tone, correct tone",
        "Upheld <upheld@invalid> init, remember copy, remember tone",
    ]
