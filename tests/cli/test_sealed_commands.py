"""Sealed stores through the other commands: --pin, receipts, log, verify, migrate, and attackers in the work tree."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from sealed_home import KEY, Home
from upheld.testing.builder import StoreBuilder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Home:
    made = Home(tmp_path, monkeypatch, capsys)
    made.seal("trust")
    return made


def pin(home: Home) -> str:
    return str(home.said("trust", "show")["pin"])


def codes(home: Home, *arguments: object) -> set[str]:
    return {finding["code"] for finding in home.said(*arguments)["findings"]}


# --- --pin ----------------------------------------------------------------------------------------------------------


def test_a_pin_reads_where_nothing_is_remembered_and_writes_nothing(home: Home) -> None:
    given = pin(home)
    home.move_to("build")
    assert home.run("recall", KEY) == 4
    assert home.run("recall", KEY, "--pin", given) == 0
    assert home.run("--pin", given, "recall", KEY) == 0
    assert home.run("verify", "--pin", given) == 0
    assert not (home.folder / "build").exists()


def test_a_pin_of_another_root_or_a_later_version_is_refused(home: Home) -> None:
    digest, _, version = pin(home).partition("@")
    home.move_to("build")
    assert home.run("recall", KEY, "--pin", f"{digest}@{int(version) + 1}") == 4
    assert home.run("recall", KEY, "--pin", f"{'0' * 64}@1") == 4
    assert home.run("recall", KEY, "--pin", "nonsense") == 2


def test_a_pin_against_the_one_that_stands_is_refused(home: Home) -> None:
    assert codes(home, "recall", KEY, "--pin", f"{'0' * 64}@1") == {"RBK014"}


# --- receipts -------------------------------------------------------------------------------------------------------


def test_a_receipt_is_verified_without_store_and_state(home: Home) -> None:
    file, given = home.folder / "receipt.json", pin(home)
    assert home.run("recall", KEY, "--receipt", file) == 0
    shutil.rmtree(home.store)
    home.move_to("elsewhere")
    assert home.run("receipt", "verify", file, "--pin", given) == 0
    assert home.run("receipt", "verify", file) == 3
    assert home.run("receipt", "verify", file, "--pin", f"{'0' * 64}@1") == 4
    file.write_text(file.read_text().replace("Tuesdays", "Sundays"))
    assert codes(home, "receipt", "verify", file, "--pin", given) == {"SIG031"}
    file.write_text("{")
    assert home.run("receipt", "verify", file, "--pin", given) == 4


def test_a_receipt_records_that_the_key_was_chosen_after_an_ambiguous_route(home: Home) -> None:
    file, given = home.folder / "receipt.json", pin(home)
    assert home.run("recall", KEY, "--receipt", file, "--chosen-by", "ambiguous") == 0
    assert home.run("receipt", "verify", file, "--pin", given) == 0
    assert json.loads(file.read_bytes())["predicate"]["asked"] == {"key": KEY, "chosen_by": "ambiguous"}


def test_how_a_key_was_chosen_is_asked_for_only_with_a_receipt(home: Home) -> None:
    assert home.run("recall", KEY, "--chosen-by", "ambiguous") == 2
    assert home.run("recall", KEY, "--receipt", home.folder / "receipt.json", "--chosen-by", "chance") == 2


def test_a_receipt_is_never_written_over_a_file_nor_of_a_hypothetical_answer(home: Home) -> None:
    file = home.folder / "receipt.json"
    assert home.run("recall", KEY, "--receipt", file, "--as-of", "2020-01-01") == 2
    file.write_text("mine")
    assert home.run("recall", KEY, "--receipt", file) == 2
    assert file.read_text() == "mine"


def test_a_receipt_whose_seal_is_gone_is_not_handed_out(home: Home) -> None:
    assert home.recalled() == "verified"
    shutil.rmtree(home.store / "seals")
    assert home.recalled() == "verified"  # the fast path
    assert home.run("recall", KEY, "--receipt", home.folder / "receipt.json") == 2
    assert not (home.folder / "receipt.json").exists()


# --- log and verify -------------------------------------------------------------------------------------------------


def test_the_log_says_who_did_what_and_when(home: Home) -> None:
    home.run("trust", "renew", "--days", "5", "--yes")
    said = home.said("log", "show")
    assert said["outcome"] == "verified"
    assert [event["verb"] for event in said["events"]] == ["trust", "remember", "init"]
    assert {event["by"] for event in said["events"]} == {"ada"}
    assert said["events"][1]["key"] == KEY
    assert [event["verb"] for event in home.said("log", "show", "--key", KEY)["events"]] == ["remember"]
    assert len(home.said("log", "show", "--limit", "1")["events"]) == 1
    assert home.run("log", "verify") == 0


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [(b'"by": "ada"', b'"by": "eve"', "LOG002"), (b'"number": 1', b'"number": 2', "LOG002"), (b"{", b"[", "FMT")],
)
def test_a_bad_event_fails_the_log_and_verify_but_no_recall(home: Home, old: bytes, new: bytes, expected: str) -> None:
    event = home.store / "log/000001.json"
    event.write_bytes(event.read_bytes().replace(old, new, 1))
    assert home.run("log", "verify") == 1
    assert home.run("verify") == 1
    assert any(code.startswith(expected) for code in codes(home, "log", "verify"))
    assert home.recalled() == "verified"


def test_missing_events_are_said_not_to_be_checked(home: Home) -> None:
    (home.store / "log/000001.json").unlink()
    assert home.run("log", "verify") == 3
    verdict = home.said("verify")
    assert verdict["outcome"] == "verified"
    assert any("event 1" in said for said in verdict["not_checked"])


def test_verify_counts_seals_roots_and_events(home: Home) -> None:
    home.run("trust", "renew", "--days", "5", "--yes")
    checked = home.said("verify")["checked"]
    assert (checked["seals"], checked["roots"], checked["events"]) == (1, 2, 3)


@pytest.mark.parametrize("name", ["seals/left.sig", "trust/2.json", "trust/1.0000000000000000.sig", "log/000009.json"])
def test_verify_reports_files_that_nothing_accounts_for(home: Home, name: str) -> None:
    (home.store / name).write_text("left over")
    verdict = home.said("verify")
    assert [finding["place"] for finding in verdict["findings"]] == [name]
    assert {finding["code"] for finding in verdict["findings"]} == {"STO007"}


def test_verify_checks_the_seal_that_a_warm_recall_does_not_look_at(home: Home) -> None:
    [seal] = (home.store / "seals").iterdir()
    seal.unlink()
    assert home.recalled() == "verified"
    assert codes(home, "verify") == {"RBK010"}


# --- migrate --------------------------------------------------------------------------------------------------------


def test_an_unsealed_store_is_migrated_and_pinned(home: Home, tmp_path: Path) -> None:
    store = tmp_path / "article"
    builder = StoreBuilder(closed=False)
    builder.remember(
        "customer-copy", "# Copy\n\nShort.\n", "# Copy\n\nLong.\n", review_on="2090-01-01", expires_on="2091-01-01"
    )
    builder.write(store)
    assert home.run("migrate", "--store", store, "--dry-run") == 0
    assert home.run("recall", "customer-copy", "--store", store) == 4
    assert home.run("migrate", "--store", store) == 2  # nobody to ask, and no key named
    assert home.run("migrate", "--store", store, "--key", home.key_file("key"), "--automation", "review") == 0
    assert home.run("recall", "customer-copy", "--store", store) == 0
    assert home.said("trust", "show", "--store", store)["policy"]["answered by --yes"] == "review"
    assert home.run("verify", "--store", store) == 0
    assert home.run("migrate", "--store", store, "--dry-run") == 2


def test_a_key_without_a_passphrase_is_mentioned_by_every_recall(home: Home, tmp_path: Path) -> None:
    store = tmp_path / "article"
    builder = StoreBuilder(closed=False)
    builder.remember("customer-copy", review_on="2090-01-01", expires_on="2091-01-01")
    builder.write(store)
    home.run("migrate", "--store", store, "--key", home.key_file("key"))
    notices = home.said("recall", "customer-copy", "--store", store)["notices"]
    assert [notice["code"] for notice in notices] == ["SIG030"]


# --- attackers who hold the work tree ---------------------------------------------------------------------------------


def replaced(home: Home, source: Path) -> None:
    shutil.rmtree(home.store)
    shutil.copytree(source, home.store)


def test_an_older_copy_put_back_is_refused(home: Home, tmp_path: Path) -> None:
    shutil.copytree(home.store, tmp_path / "old")
    home.remember("another", "# Another\n\nDo it.\n")
    replaced(home, tmp_path / "old")
    assert home.recalled() == "RBK001"
    assert home.run("recall", KEY, "--unsealed") == 4


def test_a_planted_git_file_does_not_move_the_store_to_another_place(home: Home, tmp_path: Path) -> None:
    shutil.copytree(home.store, tmp_path / "old")
    home.remember("another", "# Another\n\nDo it.\n")
    fake = home.store.parent / "fake"
    fake.mkdir()
    (fake / "HEAD").write_text("ref: refs/heads/main\n")
    (home.store.parent / ".git").write_text(f"gitdir: {fake}\n")
    assert home.recalled() == "verified"
    replaced(home, tmp_path / "old")
    assert home.recalled() == "RBK001"


def test_a_planted_git_directory_does_not_either(home: Home, tmp_path: Path) -> None:
    shutil.copytree(home.store, tmp_path / "old")
    home.remember("another", "# Another\n\nDo it.\n")
    subprocess.run(["git", "init", "-q", str(home.store.parent)], check=True)
    replaced(home, tmp_path / "old")
    assert home.recalled() == "RBK001"


def test_a_pin_that_the_project_brings_counts_for_nothing(home: Home) -> None:
    given = pin(home)
    home.move_to("elsewhere")
    for name in ("pin.json", "pins.d/a.json", "config.json", "settings.json"):
        for folder in (home.store, home.store.parent, home.store.parent / ".config/upheld"):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps({"pin": given, "root_sha256": given[:64], "path": str(home.store)}))
    assert home.recalled() == "RBK006"


def test_another_pinned_store_in_this_place_is_refused(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    first = home.store
    from upheld.compose import sealing

    other = home.folder / "other" / ".upheld"
    found = sealing.key_to_start_with(None, lambda _: None, passphrase=False)
    sealing.init_sealed(str(other), found, by="ada")
    shutil.rmtree(first)
    shutil.copytree(other, first)
    assert home.recalled() == "RBK003"


def test_a_store_that_was_removed_is_not_no_store(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UPHELD_STORE")
    monkeypatch.chdir(home.store.parent)
    (home.folder / ".upheld").mkdir()  # a store further up must not step in
    shutil.rmtree(home.store)
    assert home.run("recall", KEY) == 4
    assert codes(home, "recall", KEY) == {"RBK004"}


def test_everything_of_ours_stripped_off_is_refused_whatever_flag_is_given(home: Home) -> None:
    path = home.store / "index.json"
    fields = json.loads(path.read_text())
    for name in ("root", "version", "store_id", "log", "issued_at"):
        fields.pop(name)
    path.write_text(json.dumps(fields))
    for name in ("seals", "trust", "log"):
        shutil.rmtree(home.store / name)
    assert codes(home, "recall", KEY, "--unsealed") == {"RBK010"}
    assert home.run("verify", "--unsealed") == 1


def test_a_store_copied_elsewhere_is_pinned_there_and_bound_to_its_own_place(home: Home, tmp_path: Path) -> None:
    digest = home.said("trust", "show")["root_sha256"]
    copy = tmp_path / "copy"
    shutil.copytree(home.store, copy)
    assert home.run("recall", KEY, "--store", copy) == 4
    assert home.run("trust", "pin", digest, "--store", copy) == 0
    assert home.run("recall", KEY, "--store", copy) == 0
    os.link(copy / "index.json", tmp_path / "backup.json")  # a hard-linked backup harms nothing
    assert home.run("recall", KEY, "--store", copy) == 0
