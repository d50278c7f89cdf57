"""Each verb that writes: what it does to the store, and what it refuses."""

from __future__ import annotations

import json
import os
import shutil
import unicodedata
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from unittest.mock import Mock

import pytest

from article_rules import broken
from keeping import code_of, text_of, tree
from upheld.compose import writing
from upheld.compose.keeping import git_of, history_of
from upheld.compose.library import Memory
from upheld.errors import BusyError, ConflictError, NoStoreError, RefusedError, StorageError, UpheldError, UsageError
from upheld.model.answer import Refusal
from upheld.model.reports import Review
from upheld.model.written import Written
from upheld.ports.history import Kept
from upheld.services.commit import DEADLINE_SECONDS
from upheld.services.gc import GRACE_SECONDS
from upheld.stores.directory_writer import WritableDirectory
from upheld.stores.git_plumbing import find_git

ONE = "# Deploy\n\nDeploy before 15:00 UTC.\n"
TWO = "# Deploy\n\nDeploy before 12:00 UTC.\n"
THREE = "# Deploy\n\nDeploy before 11:00 UTC.\n"


def remember(memory: Memory, key: str = "deploy", text: str = ONE) -> Written:
    return memory.remember(key, text, when="Before deploying.", because="Agreed.")


def is_sound(memory: Memory) -> None:
    assert broken(Path(memory.path)) == []
    assert memory.verify().findings == ()


def record(memory: Memory, key: str = "deploy") -> dict[str, object]:
    index = json.loads((Path(memory.path) / "index.json").read_text())
    entry = next(e for e in [*index["entries"], *index.get("retired", [])] if e["key"] == key)
    found: dict[str, object] = json.loads((Path(memory.path) / entry["target"]).read_text())
    return found


def source_path(memory: Memory, key: str = "deploy") -> Path:
    return Path(memory.path) / str(record(memory, key)["durable_source"])


def edit_in_place(path: Path, text: str) -> None:
    path.chmod(0o644)
    path.write_text(text)


class Past:
    """A history that holds the files that it was shown."""

    location = "a test"

    def __init__(self, memory: Memory) -> None:
        self.files = {(n, sha256(d).hexdigest()): d for n, d in tree(memory.path).items()}
        self.index = sha256((Path(memory.path) / "index.json").read_bytes()).hexdigest()

    def versions(self) -> tuple[Kept, ...]:
        return (Kept(version=1, index_sha256=self.index, at="2026-01-01T00:00:00Z"),)

    def read(self, name: str, sha256: str) -> bytes | None:
        return self.files.get((name, sha256))

    def beside(self, index_sha256: str, folders: tuple[str, ...]) -> dict[str, bytes]:
        return {}


def test_a_correction_supersedes_and_both_ends_say_so(memory: Memory) -> None:
    first = remember(memory)
    second = memory.correct("deploy", TWO, because="The rota changed.")
    assert text_of(memory, "deploy") == TWO
    new = record(memory)
    assert new["supersedes"] == first.record_id
    old = json.loads(
        (Path(memory.path) / f"records/{first.record_id}.{str(new['supersedes_sha256'])[:12]}.json").read_text()
    )
    assert (old["status"], old["superseded_by"]) == ("superseded", second.record_id)
    is_sound(memory)


def test_a_correction_from_a_base_that_moved_is_a_conflict_naming_both_versions(memory: Memory) -> None:
    first = remember(memory)
    second = memory.correct("deploy", TWO, because="x")
    before = tree(memory.path)
    with pytest.raises(ConflictError) as conflict:
        memory.correct("deploy", THREE, because="x", base=first.record_sha256)
    assert (conflict.value.mine, conflict.value.theirs) == (first.record_sha256, second.record_sha256)
    assert second.record_id in conflict.value.message
    assert tree(memory.path) == before


def test_a_change_that_lands_while_a_person_decides_is_a_conflict(memory: Memory) -> None:
    remember(memory)

    class Slow:
        def agrees(self, planned: Written) -> bool:
            memory.correct("deploy", TWO, because="somebody else")
            return True

        is_person = False

        def secret(self, prompt: str) -> str | None:
            return None

    with pytest.raises(ConflictError):
        memory.correct("deploy", THREE, because="x", ask=Slow())
    assert text_of(memory, "deploy") == TWO
    is_sound(memory)


def test_another_key_that_moves_while_a_person_decides_is_no_conflict(memory: Memory) -> None:
    remember(memory)

    class Slow:
        def agrees(self, planned: Written) -> bool:
            remember(memory, "other")
            return True

        is_person = False

        def secret(self, prompt: str) -> str | None:
            return None

    memory.correct("deploy", TWO, because="x", ask=Slow())
    assert (text_of(memory, "deploy"), text_of(memory, "other")) == (TWO, ONE)


def test_correcting_an_unknown_key_never_makes_one(memory: Memory) -> None:
    with pytest.raises(UsageError, match="no pointer has the key"):
        memory.correct("deploy", TWO, because="x")
    assert code_of(memory, "deploy") == "PTR001"


def test_an_unchanged_text_is_no_correction(memory: Memory) -> None:
    remember(memory)
    with pytest.raises(UsageError, match="says this already"):
        memory.correct("deploy", ONE, because="x")


def test_a_correction_keeps_the_window_and_the_owner(memory: Memory) -> None:
    first = memory.remember("deploy", ONE, when="w", because="b", volatility="volatile", owner="Grace")
    second = memory.correct("deploy", TWO, because="x")
    assert (second.review_on, second.expires_on) == (first.review_on, first.expires_on)
    assert record(memory)["owner"] == "Grace"


def test_a_correction_names_siblings_that_say_nearly_the_same(memory: Memory) -> None:
    remember(memory, "deploy", "Deploy the billing service before 15:00 UTC on weekdays.\n")
    remember(memory, "rollout", "Deploy the payment service before 15:00 UTC on weekdays.\n")
    remember(memory, "tone", "Write to customers in their own language.\n")
    planned = memory.correct("deploy", TWO, because="x", dry_run=True)
    assert [note.rpartition(": ")[2] for note in planned.notes] == ["rollout"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("---\ntitle: x\n---\n\nDo it.\n", "POL021"),
        ("<!-- note -->\nDo it.\n", "POL022"),
        ("#urgent\n\nDo it.\n", "POL023"),
        ("Half of a\nwrapped paragraph.\n", "POL025"),
        ("# Only a heading\n", "POL020"),
        ("Do it.\x07\n", "FMT009"),
        ("<<<<<<< mine\nDo it.\n=======\nDo that.\n>>>>>>> theirs\n", "FMT011"),
        ("\ufeffDo it.\n", "FMT002"),
        ("x" * (256 * 1024 + 1), "STO005"),
    ],
)
def test_a_text_that_could_not_be_served_as_meant_is_not_written(memory: Memory, text: str, code: str) -> None:
    before = tree(memory.path)
    with pytest.raises(RefusedError) as refused:
        remember(memory, text=text)
    assert isinstance(refused.value.refusal, Refusal)
    assert refused.value.refusal.code == code
    assert tree(memory.path) == before


def test_a_refused_text_comes_with_the_mended_one(memory: Memory) -> None:
    with pytest.raises(RefusedError) as refused:
        remember(memory, text="Half of a\nwrapped paragraph.\n")
    assert isinstance(refused.value.refusal, Refusal)
    assert ("mended", "Half of a wrapped paragraph.") in refused.value.refusal.findings[0].facts


@pytest.mark.parametrize("words", ["", "two\nlines", "a\x1b[31m", "x" * 5000])
def test_words_that_a_record_should_not_hold_are_refused(memory: Memory, words: str) -> None:
    with pytest.raises(UsageError):
        memory.remember("deploy", ONE, when="w", because=words)


def test_a_review_shows_what_there_is_to_judge(memory: Memory) -> None:
    remember(memory)
    review = memory.review("deploy")
    assert isinstance(review, Review)
    assert (review.state, review.text, review.age, review.evidence, review.owner) == ("current", ONE, 0, None, "Ada")


def test_a_confirmation_moves_the_dates_and_records_who_and_on_what(memory: Memory) -> None:
    remember(memory)
    source = source_path(memory)
    done = memory.review("deploy", confirm=True, evidence="Compared with page 4.", volatility="stable")
    assert isinstance(done, Written)
    now = record(memory)
    assert (now["evidence"], now["reviewed_by"]) == ("Compared with page 4.", "Ada")
    assert done.review_on == now["review_on"]
    assert source_path(memory) == source
    is_sound(memory)


def test_a_confirmation_without_evidence_is_refused(memory: Memory) -> None:
    remember(memory)
    with pytest.raises(UsageError, match="evidence"):
        memory.review("deploy", confirm=True)


def without_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where git is missing, nothing is kept of a store's past."""
    monkeypatch.setenv("PATH", "/nonexistent")


def test_a_changed_source_is_shown_and_cannot_be_confirmed(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    without_git(monkeypatch)
    remember(memory)
    edit_in_place(source_path(memory), TWO)
    review = memory.review("deploy")
    assert isinstance(review, Review)
    assert (review.state, review.text, review.now) == ("changed", None, TWO)
    with pytest.raises(UsageError, match="not what was verified"):
        memory.review("deploy", confirm=True, evidence="looked")


def test_a_confirmed_edit_closes_the_old_record_over_a_tombstone_where_its_bytes_are_lost(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_git(monkeypatch)
    remember(memory)
    memory.review("deploy", confirm=True, evidence="looked")  # two versions now share the one source
    edited = source_path(memory)
    edit_in_place(edited, TWO)
    assert code_of(memory, "deploy") == "HSH001"
    memory.correct("deploy", because="The edit is meant.")
    assert text_of(memory, "deploy") == TWO
    assert not edited.exists()
    is_sound(memory)
    comparison = memory.diff("deploy", "1", "3")
    assert "is lost" in (comparison.old.text or "")
    with pytest.raises(UsageError, match="lost"):
        memory.restore("deploy", to="1", because="x")


def test_a_confirmed_edit_takes_the_old_bytes_from_history(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(memory)
    past = Past(memory)
    monkeypatch.setattr(writing, "history_for", lambda _: past)
    edit_in_place(source_path(memory), TWO)
    memory.correct("deploy", because="The edit is meant.")
    is_sound(memory)
    assert memory.diff("deploy").old.text == ONE
    memory.restore("deploy", to="1", because="Back.")
    assert text_of(memory, "deploy") == ONE
    is_sound(memory)


def test_a_missing_source_can_be_corrected_away(memory: Memory) -> None:
    remember(memory)
    source_path(memory).unlink()
    with pytest.raises(UsageError, match="is gone"):
        memory.correct("deploy", because="x")
    memory.correct("deploy", TWO, because="It was lost.")
    assert text_of(memory, "deploy") == TWO
    is_sound(memory)


def test_retiring_refuses_the_key_by_name_and_the_source_says_so(memory: Memory) -> None:
    remember(memory)
    memory.retire("deploy", because="Continuous now.")
    assert code_of(memory, "deploy") == "PTR005"
    assert record(memory)["change_reason"] == "Continuous now."
    assert "Do not act on `deploy`" in source_path(memory).read_text()
    is_sound(memory)
    with pytest.raises(UsageError, match="was retired") as refused:
        remember(memory)
    assert "upheld restore deploy" in refused.value.help
    with pytest.raises(UsageError, match="was retired"):
        memory.correct("deploy", TWO, because="x")


def test_restoring_brings_a_retired_key_back_with_its_trigger_sentence(memory: Memory) -> None:
    remember(memory)
    memory.retire("deploy", because="x")
    with pytest.raises(UsageError, match="retired"):
        memory.restore("deploy", to="2", because="x")  # the tombstone is no instruction
    memory.restore("deploy", to="1", because="It applies again.")
    assert text_of(memory, "deploy") == ONE
    outcome = memory.recall("deploy")
    assert not isinstance(outcome, Refusal)
    assert outcome.read_when == "Before deploying."
    is_sound(memory)


def test_restoring_is_a_new_version(memory: Memory) -> None:
    first = remember(memory)
    memory.correct("deploy", TWO, because="x")
    restored = memory.restore("deploy", to=first.record_id, because="Back.")
    assert text_of(memory, "deploy") == ONE
    assert restored.record_id.startswith("deploy-v3-")
    is_sound(memory)


@pytest.mark.parametrize("wanted", ["0", "9", "none", "dep", ""])
def test_a_version_that_is_not_there_is_named_with_those_that_are(memory: Memory, wanted: str) -> None:
    first = remember(memory)
    with pytest.raises(UsageError) as refused:
        memory.restore("deploy", to=wanted, because="x")
    assert first.record_id in refused.value.help


def test_a_version_is_found_by_the_beginning_of_its_digest(memory: Memory) -> None:
    remember(memory)
    memory.correct("deploy", TWO, because="x")
    digest = sha256(ONE.encode()).hexdigest()
    memory.restore("deploy", to=digest[:12], because="x")
    assert text_of(memory, "deploy") == ONE


def test_renaming_moves_no_date_and_leaves_a_sign(memory: Memory) -> None:
    remember(memory)
    before = record(memory)
    memory.rename("deploy", "release", because="Everybody says so.")
    after = record(memory, "release")
    dates = ("recorded_on", "last_verified", "review_on", "expires_on")
    assert [after[name] for name in dates] == [before[name] for name in dates]
    assert text_of(memory, "release") == ONE
    outcome = memory.recall("deploy")
    assert isinstance(outcome, Refusal)
    assert (outcome.code, outcome.findings[0].facts) == ("PTR008", (("renamed to", "release"),))
    is_sound(memory)
    memory.correct("release", TWO, because="x")
    is_sound(memory)


def test_a_name_comes_back_to_its_own_instruction_only(memory: Memory) -> None:
    remember(memory)
    remember(memory, "other")
    memory.rename("deploy", "release", because="x")
    with pytest.raises(UsageError, match="was renamed"):
        memory.rename("other", "deploy", because="x")
    with pytest.raises(UsageError, match="goes by the name"):
        memory.restore("deploy", to="1", because="x")
    memory.rename("release", "deploy", because="x")
    assert (text_of(memory, "deploy"), code_of(memory, "release")) == (ONE, "PTR008")
    is_sound(memory)


def test_redacting_leaves_no_byte_of_the_text_in_the_store(memory: Memory) -> None:
    secret = "Use the password hunter2-hunter2.\n"
    remember(memory, text=secret)
    memory.correct("deploy", TWO, because="A secret got in.")
    memory.rename("deploy", "release", because="x")
    memory.correct("release", THREE, because="x")
    proposals = Path(memory.path) / "proposals"
    proposals.mkdir()
    (proposals / "a.json").write_text(json.dumps({"text": f"# P\n\n{secret}"}))
    (proposals / "b.json").write_text(json.dumps({"text": "# P\n\nSomething else.\n"}))
    done = memory.redact("release", "1")
    assert [name for name, data in tree(memory.path).items() if b"hunter2" in data] == []
    assert not (proposals / "a.json").exists()
    assert (proposals / "b.json").exists()
    assert any("git" in note for note in done.notes)
    assert any("backups" in note for note in done.notes)
    assert (text_of(memory, "release"), code_of(memory, "deploy")) == (THREE, "PTR008")
    is_sound(memory)
    with pytest.raises(UsageError, match="redacted"):
        memory.restore("release", to="1", because="x")


def objects_in_history(memory: Memory) -> bytes:
    """Everything that the bare repository of a store holds, reachable or not."""
    git = git_of(memory.path, os.environ)
    assert git is not None
    return git.run("cat-file", "--batch-all-objects", "--batch")


@pytest.mark.skipif(find_git(os.environ) is None, reason="git is not installed")
def test_redacting_takes_the_text_out_of_our_own_history_too(memory: Memory) -> None:
    remember(memory, text="Use the password hunter2-hunter2.\n")
    memory.correct("deploy", TWO, because="A secret got in.")
    assert b"hunter2" in objects_in_history(memory)
    before = [kept.what for kept in history_of(memory.path).versions()]
    done = memory.redact("deploy", "1")
    assert b"hunter2" not in objects_in_history(memory)
    assert done.warning == ""
    assert any(note.startswith("gone too") for note in done.notes)
    assert [kept.what for kept in history_of(memory.path).versions()] == ["redact deploy", *before]
    memory.correct("deploy", THREE, because="x")
    kept = history_of(memory.path).versions()
    assert kept[0].what == "correct deploy"
    assert kept[0].index_sha256 == sha256(Path(memory.path, "index.json").read_bytes()).hexdigest()
    whole = tree(memory.path)
    shutil.rmtree(memory.path)
    memory.doctor(fix=True)
    assert tree(memory.path) == whole


@pytest.mark.skipif(find_git(os.environ) is None, reason="git is not installed")
def test_history_that_a_remote_shares_is_not_written_anew(memory: Memory) -> None:
    remember(memory, text="Use the password hunter2-hunter2.\n")
    memory.correct("deploy", TWO, because="A secret got in.")
    git = git_of(memory.path, os.environ)
    assert git is not None
    git.run("update-ref", "refs/upheld/published", "refs/upheld/history")
    done = memory.redact("deploy", "1")
    assert any("a remote shares it" in note for note in done.notes)
    assert b"hunter2" in objects_in_history(memory)


@pytest.mark.skipif(find_git(os.environ) is None, reason="git is not installed")
def test_a_history_that_cannot_be_written_anew_is_said(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(memory, text="Use the password hunter2-hunter2.\n")
    memory.correct("deploy", TWO, because="A secret got in.")
    monkeypatch.setattr("upheld.stores.git_history.purge", Mock(side_effect=StorageError("the disk is full")))
    done = memory.redact("deploy", "1")
    assert "the disk is full" in done.warning
    assert not any(b"hunter2" in data for data in tree(memory.path).values())


def test_redacting_takes_every_version_with_that_text_and_names_others_that_hold_a_line(memory: Memory) -> None:
    secret = "The password is hunter2-hunter2."
    remember(memory, text=f"{secret}\n")
    memory.review("deploy", confirm=True, evidence="looked")
    memory.correct("deploy", f"Ask Grace.\n\n{secret}\n", because="x")
    memory.correct("deploy", TWO, because="x")
    done = memory.redact("deploy", "1")
    assert any(note.startswith("redacted: version 1") and "version 2" in note for note in done.notes)
    assert any(note.startswith("still holds a line of it: deploy-v3-") for note in done.notes)
    assert memory.verify().findings == ()


def test_redacting_reasons_is_asked_for(memory: Memory) -> None:
    memory.remember("deploy", ONE, when="w", because="hunter2-hunter2 it was")
    memory.correct("deploy", TWO, because="x")
    memory.redact("deploy", "1")
    assert any(b"hunter2" in data for data in tree(memory.path).values())
    memory.correct("deploy", THREE, because="x")
    memory.redact("deploy", "1", with_reasons=True)
    assert not any(b"hunter2" in data for data in tree(memory.path).values())
    is_sound(memory)


def test_the_text_that_applies_is_not_redacted(memory: Memory) -> None:
    remember(memory)
    with pytest.raises(UsageError, match="says now"):
        memory.redact("deploy", "1")
    memory.retire("deploy", because="x")
    memory.redact("deploy", "1")
    assert code_of(memory, "deploy") == "PTR005"
    is_sound(memory)


def test_a_bound_file_owns_its_text(memory: Memory) -> None:
    policy = Path(memory.path).parent / "docs" / "policy.md"
    policy.parent.mkdir()
    policy.write_text(ONE)
    memory.remember("deploy", source=str(policy), when="w", because="b")
    assert record(memory)["bound_source"] == "docs/policy.md"
    policy.write_text(TWO)
    assert code_of(memory, "deploy") == "SRC001"
    with pytest.raises(UsageError, match=r"owned by docs/policy\.md"):
        memory.correct("deploy", THREE, because="x")
    memory.correct("deploy", because="The file changed.")
    assert text_of(memory, "deploy") == TWO
    policy.write_text(ONE)
    assert code_of(memory, "deploy") == "SRC002"
    memory.restore("deploy", to="1", because="x")
    assert text_of(memory, "deploy") == ONE
    with pytest.raises(UsageError, match="does not hold that text"):
        memory.restore("deploy", to="2", because="x")
    policy.unlink()
    assert code_of(memory, "deploy") == "SRC004"
    memory.correct("deploy", THREE, because="x", unbind=True)
    assert text_of(memory, "deploy") == THREE
    is_sound(memory)


@pytest.mark.parametrize("source", ["../outside.md", ".upheld/README.md", "missing.md"])
def test_a_file_that_cannot_own_a_text_is_refused(memory: Memory, source: str) -> None:
    Path("../outside.md").write_text(ONE)
    with pytest.raises((UsageError, RefusedError)):
        memory.remember("deploy", source=source, when="w", because="b")


def test_keys_that_one_file_system_takes_for_one_are_refused(memory: Memory) -> None:
    for key in ("Deploy", "DEPLOY", "déploy", unicodedata.normalize("NFD", "déploy"), "con", "a/b", "-a", "a" * 65):
        with pytest.raises(UsageError, match="cannot be a key"):
            remember(memory, key)


def test_a_file_whose_name_differs_only_in_case_has_the_same_bytes_and_is_named_by_doctor(memory: Memory) -> None:
    """File names carry the digest of their bytes, so that such a namesake can be no other text (ATTACKS D4)."""
    digest = sha256(ONE.encode()).hexdigest()[:12]
    (Path(memory.path) / "sources").mkdir()
    (Path(memory.path) / f"sources/DEPLOY.{digest}.md").write_text(ONE)
    remember(memory)
    assert memory.recall("deploy").outcome == "verified"
    assert any(f"DEPLOY.{digest}.md" in str(finding) for finding in memory.doctor().findings)


def test_an_article_store_is_read_and_not_written(tmp_path: Path, memory: Memory) -> None:
    (tmp_path / "article").mkdir()
    (tmp_path / "article" / "index.json").write_text('{"schema_version": "1.0", "entries": []}\n')
    article = Memory(path=str(tmp_path / "article"), why="a test", unsealed=True)
    with pytest.raises(UsageError, match="of the article's form"):
        article.remember("deploy", ONE, when="w", because="b", dry_run=True)
    with pytest.raises(UsageError, match=r"migrate|trusted") as refused:
        remember(article)
    assert "migrate" in refused.value.help


def test_every_dry_run_writes_nothing_and_shows_the_index(memory: Memory) -> None:
    remember(memory)
    memory.correct("deploy", TWO, because="x")
    before = tree(memory.path)
    plans = [
        memory.remember("other", ONE, when="w", because="b", dry_run=True),
        memory.correct("deploy", THREE, because="b", dry_run=True),
        memory.review("deploy", confirm=True, evidence="e", dry_run=True),
        memory.retire("deploy", because="b", dry_run=True),
        memory.restore("deploy", to="1", because="b", dry_run=True),
        memory.rename("deploy", "release", because="b", dry_run=True),
        memory.redact("deploy", "1", dry_run=True),
    ]
    assert tree(memory.path) == before
    for plan in plans:
        assert isinstance(plan, Written)
        assert (plan.outcome, plan.version, plan.changes[-1].name) == ("planned", 4, "index.json")
        assert plan.changes[-1].before == before["index.json"] != plan.changes[-1].after


def test_init_makes_a_store_once_and_never_in_a_folder_with_something_else(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="store here already"):
        memory.init()
    other = Memory(path=str(tmp_path / "new" / "store"), why="a test")
    assert other.init(dry_run=True).outcome == "planned"
    assert not (tmp_path / "new").exists()
    other.init()
    assert (tmp_path / "new/store/.gitattributes").read_text().splitlines()[-1] == "* -text"
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "main.py").write_text("")
    with pytest.raises(UsageError, match="not empty"):
        Memory(path=str(tmp_path / "full"), why="a test").init()


def test_init_at_a_link_a_file_or_where_nothing_can_be_made_is_refused(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for name, wrong in (("file", UsageError), ("link", UsageError), ("file/below", StorageError)):
        with pytest.raises(wrong):
            Memory(path=str(tmp_path / name), why="a test").init()
    assert list((tmp_path / "real").iterdir()) == []


def test_redacting_a_retired_key_that_moved_meanwhile_is_a_conflict(memory: Memory) -> None:
    remember(memory)
    memory.retire("deploy", because="x")

    class Slow:
        def agrees(self, planned: Written) -> bool:
            memory.restore("deploy", to="1", because="x")
            memory.retire("deploy", because="again")
            return True

        is_person = False

        def secret(self, prompt: str) -> str | None:
            return None

    with pytest.raises(ConflictError):
        memory.redact("deploy", "1", ask=Slow())
    with pytest.raises(ConflictError):
        memory.restore("deploy", to="1", because="x", ask=Slow())
    is_sound(memory)


def test_writing_to_no_store_says_so(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(NoStoreError):
        remember(Memory(path=str(tmp_path / "nowhere"), why="a test"))


def test_a_store_that_is_not_trusted_here_is_not_written(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another"))
    before = tree(memory.path)
    for unsealed in (False, True):
        with pytest.raises((RefusedError, UsageError)):
            remember(memory.replace(unsealed=unsealed))
    assert tree(memory.path) == before


def test_writing_as_of_another_day_is_refused(memory: Memory) -> None:
    with pytest.raises(UsageError, match="another day"):
        remember(memory.replace(as_of="2020-01-01"))


def test_a_store_that_somebody_else_writes_is_busy(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upheld.services.commit.LOCK_SECONDS", 0.05)
    with WritableDirectory(memory.path) as other, other.lock(1), pytest.raises(BusyError):
        remember(memory)


def test_due_lists_soonest_first_of_how_many(memory: Memory) -> None:
    for key, volatility in (("late", "stable"), ("soon", "volatile"), ("mid", "normal")):
        memory.remember(key, ONE, when="w", because="b", volatility=volatility)
    found = memory.due(within=100)
    assert ([one.key for one in found.keys], found.total) == (["soon", "mid"], 3)
    assert memory.due().keys == ()
    expired = memory.replace(as_of="2099-01-01").due()
    assert [(one.key, one.state) for one in expired.keys] == [(key, "expired") for key in ("soon", "mid", "late")]


def test_due_says_what_it_could_not_judge(memory: Memory) -> None:
    remember(memory)
    target = next((Path(memory.path) / "records").iterdir())
    target.write_bytes(target.read_bytes().replace(b"2027", b"2029").replace(b"2028", b"2029"))
    assert [finding.code for finding in memory.due(within=4000).unread] == ["HSH002"]


def test_gc_removes_old_orphans_and_nothing_that_is_named(memory: Memory) -> None:
    remember(memory)
    remember(memory, "other")
    memory.correct("deploy", TWO, because="x")
    memory.rename("other", "another", because="x")
    kept = tree(memory.path)
    root = Path(memory.path)
    old = [root / "sources/stray.0123456789ab.md", root / "records/.new-x.json-12", root / "log/000099.json"]
    young = root / "records/young.json"
    for path in (*old, young):
        path.write_text("{}")
    for path in root.rglob("*"):
        os.utime(path, (1, 1))
    os.utime(young)
    names = sorted(path.relative_to(root).as_posix() for path in old)
    assert sorted(memory.gc(dry_run=True).removed) == names
    assert all(path.exists() for path in old)
    done = memory.gc()
    assert (sorted(done.removed), done.young) == (names, ("records/young.json",))
    young.unlink()
    assert tree(memory.path) == kept
    assert GRACE_SECONDS > DEADLINE_SECONDS


def test_gc_leaves_a_damaged_store_alone(memory: Memory) -> None:
    remember(memory)
    memory.correct("deploy", TWO, because="x")
    first = next(path for path in (Path(memory.path) / "records").iterdir() if "-v1-" in path.name)
    first.write_text("{}")
    stray = Path(memory.path) / "sources/stray.md"
    stray.write_text("x")
    os.utime(stray, (1, 1))
    with pytest.raises(RefusedError):
        memory.gc()
    assert stray.exists()


def test_doctor_names_everything_and_deletes_nothing(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    without_git(monkeypatch)
    remember(memory)
    root = Path(memory.path)
    (root / ".gitattributes").unlink()
    (root / "sources/Stray.md").write_text("x")
    (root / "sources/stray.md").write_text("x")
    root.chmod(0o777)
    edit_in_place(source_path(memory), "<<<<<<< a\nDo x.\n=======\nDo y.\n>>>>>>> b\n")
    before = tree(root)
    found = memory.doctor()
    assert {f.code for f in found.findings} >= {"HSH001", "STO007", "STO008", "STO009", "STO010"}
    assert next(f for f in found.findings if f.code == "HSH001").cause == "it holds the markers of an unfinished merge"
    assert [(mend.place, mend.done) for mend in found.mends] == [(".gitattributes", False)]
    assert tree(root) == before
    fixed = memory.doctor(fix=True)
    assert [(mend.place, mend.done) for mend in fixed.mends] == [(".gitattributes", True)]
    after = tree(root)
    assert {name: after[name] for name in before} == before
    assert after[".gitattributes"].splitlines()[-1] == b"* -text"


def test_doctor_puts_bytes_back_from_history_and_keeps_the_damaged_ones(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember(memory)
    memory.correct("deploy", TWO, because="x")
    past = Past(memory)
    whole = {name: data for name, data in tree(memory.path).items() if not name.startswith(".")}
    monkeypatch.setattr("upheld.compose.verbs.history_for", lambda _: past)
    root = Path(memory.path)
    edit_in_place(source_path(memory), "Evil.\n")
    for path in (root / "records").iterdir():
        path.unlink()
    (root / "index.json").write_text("<<<<<<< not an index")
    fixed = memory.doctor(fix=True)
    assert all(mend.done for mend in fixed.mends)
    now = tree(root)
    assert {name: now[name] for name in whole} == whole
    assert sorted(data for name, data in now.items() if "/.damaged-" in f"/{name}") == [
        b"<<<<<<< not an index",
        b"Evil.\n",
    ]
    assert text_of(memory, "deploy") == TWO
    is_sound(memory)


def lose_seals(store: Path) -> None:
    shutil.rmtree(store / "seals")


def spoil_a_seal(store: Path) -> None:
    [seal] = (store / "seals").iterdir()
    edit_in_place(seal, "no seal\n")


def lose_the_root(store: Path) -> None:
    (store / "trust" / "1.json").unlink()


def edit_the_log(store: Path) -> None:
    event = store / "log" / "000002.json"
    edit_in_place(event, event.read_text().replace("remember", "correct"))


@pytest.mark.skipif(find_git(os.environ) is None, reason="git is not installed")
@pytest.mark.parametrize("harm", [lose_seals, spoil_a_seal, lose_the_root, edit_the_log])
def test_doctor_brings_back_what_the_index_was_sealed_with(memory: Memory, harm: Callable[[Path], None]) -> None:
    remember(memory)
    whole = tree(memory.path)
    harm(Path(memory.path))
    assert memory.verify().findings != ()
    assert [mend.done for mend in memory.doctor().mends] != [], "what it would do is said"
    memory.doctor(fix=True)
    assert memory.verify().findings == ()
    now = tree(memory.path)
    assert {name: now.get(name) for name in whole} == whole


def test_doctor_takes_no_bytes_that_are_not_those_asked_for(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    remember(memory)
    past = Past(memory)
    past.files = dict.fromkeys(past.files, b"Evil.\n")
    monkeypatch.setattr("upheld.compose.verbs.history_for", lambda _: past)
    source_path(memory).unlink()
    assert memory.doctor(fix=True).mends == ()
    assert code_of(memory, "deploy") == "STO001"


def test_every_error_of_a_verb_is_ours(memory: Memory) -> None:
    with pytest.raises(UpheldError):
        memory.diff("nothing")
