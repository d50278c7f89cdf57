"""The trust commands on a disk, from first contact to a threshold of two, and what they refuse."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from unittest.mock import Mock

import click
import pytest

from sealed_home import Home, days_ahead
from upheld.cli.trust.group import COMMANDS, command
from upheld.wire.digest import sha256_hex


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Home:
    made = Home(tmp_path, monkeypatch, capsys)
    made.seal("trust")
    return made


def root_version(home: Home) -> int:
    return int(home.said("trust", "show")["root_version"])


# --- show and pin ---------------------------------------------------------------------------------------------------


def test_show_prints_what_a_colleague_and_a_build_need(home: Home) -> None:
    view = home.said("trust", "show")
    digest = sha256_hex((home.store / "trust/1.json").read_bytes())
    assert view["pinned"] is True
    assert view["pin"] == f"{digest}@2"
    assert view["pin_command"] == f"upheld trust pin {digest}"
    assert [key["standing"] for key in view["keys"]] == ["usable"]
    assert home.run("trust", "show") == 0


def test_a_store_does_not_vouch_for_itself(home: Home) -> None:
    home.move_to("elsewhere")
    view = home.said("trust", "show")
    assert view["pinned"] is False
    assert view["pin"] == view["pin_command"] == ""


def test_first_contact_is_refused_then_pinned_by_the_digest(home: Home) -> None:
    digest = home.said("trust", "show")["root_sha256"]
    home.move_to("elsewhere")
    assert home.recalled() == "RBK006"
    assert home.run("trust", "pin", digest, "--dry-run") == 0
    assert home.recalled() == "RBK006"
    assert home.run("trust", "pin", digest) == 0
    assert home.recalled() == "verified"


def test_without_a_terminal_a_digest_is_required(home: Home) -> None:
    home.move_to("elsewhere")
    assert home.run("trust", "pin") == 2
    assert "DIGEST is required" in home.complaint()


def test_a_person_compares_at_a_terminal(home: Home) -> None:
    home.move_to("elsewhere")
    home.answer("n")
    assert home.run("trust", "pin") == 130
    assert home.recalled() == "RBK006"
    home.answer("y")
    assert home.run("trust", "pin") == 0
    assert home.recalled() == "verified"


def test_a_wrong_digest_pins_nothing(home: Home) -> None:
    home.move_to("elsewhere")
    assert home.run("trust", "pin", "0" * 64) == 4
    assert home.run("trust", "pin", "not-a-digest") == 2
    assert home.recalled() == "RBK006"


def test_an_older_copy_is_not_pinned_over_a_newer_one(home: Home, tmp_path: Path) -> None:
    shutil.copytree(home.store, tmp_path / "old")
    home.remember("another", "# Another\n\nDo it.\n")
    digest = home.said("trust", "show")["root_sha256"]
    shutil.rmtree(home.store)
    shutil.copytree(tmp_path / "old", home.store)
    assert home.run("trust", "pin", digest) == 4
    assert "RBK001" in home.complaint()
    home.answer("y")
    assert home.run("trust", "forget") == 0
    assert home.run("trust", "pin", digest) == 0
    assert home.recalled() == "verified"


@pytest.mark.parametrize("harm", ["garbage", "gone", "writable by others", "hard link", "folder writable by others"])
def test_a_state_that_cannot_be_trusted_is_pinned_anew(home: Home, harm: str) -> None:
    digest = home.said("trust", "show")["root_sha256"]
    [file] = (home.state / "places").glob("*.json")
    match harm:
        case "garbage":
            file.write_bytes(b"\x00\xff{")
        case "gone":
            file.unlink()
        case "writable by others":
            file.chmod(0o666)
        case "hard link":
            os.link(file, home.folder / "second-name")
        case _:
            file.parent.chmod(0o777)
    assert home.recalled() == "RBK005"
    view = home.said("trust", "show")
    assert "RBK005" in [finding["code"] for finding in view["findings"]]
    done = home.said("trust", "pin", digest)
    assert any("RBK005" in note for note in done["notes"])
    assert home.recalled() == "verified"


def test_a_path_mark_that_cannot_be_read_is_pinned_anew(home: Home) -> None:
    digest = home.said("trust", "show")["root_sha256"]
    [mark] = (home.state / "paths").iterdir()
    mark.chmod(0o666)
    assert home.recalled() == "RBK005"
    assert home.run("trust", "pin", digest) == 0
    assert home.recalled() == "verified"


# --- changing the root ----------------------------------------------------------------------------------------------


def test_renewing_moves_the_end(home: Home) -> None:
    assert home.run("trust", "renew", "--days", "100", "--dry-run") == 0
    assert root_version(home) == 1
    assert home.run("trust", "renew", "--days", "100", "--yes") == 0
    view = home.said("trust", "show")
    assert (view["root_version"], view["root_expires_on"]) == (2, days_ahead(100))
    assert home.recalled() == "verified"
    assert home.run("verify") == 0


def test_a_rotation_is_one_commit_sealed_by_the_new_key(home: Home) -> None:
    new = home.key_file("new")
    before = int(home.said("trust", "show")["version"])
    assert home.run("trust", "rotate", "--to", new, "--yes") == 0
    view = home.said("trust", "show")
    assert view["version"] == before + 1
    [key] = view["keys"]
    [seal] = (home.store / "seals").iterdir()
    assert key["key_id"] in seal.name
    assert home.run("verify") == 0
    assert (
        home.run("trust", "renew", "--days", "9", "--yes") == 12
    )  # the old key, which is found first, may not sign any more


def test_two_holders_sign_by_passing_a_file_on(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    bob = home.key_file("bob")
    file = home.folder / "root.json"
    assert home.run("trust", "add-key", f"{bob}.pub", "--name", "bob", "--threshold", "2", "--yes", "--out", file) == 0
    assert root_version(home) == 1
    assert home.run("trust", "apply", file, "--yes") == 2
    before = file.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr("os.replace", Mock(side_effect=OSError(28, "No space left on device")))
        assert home.run("trust", "sign", file, "--key", bob, "--yes") == 70
    assert file.read_bytes() == before, "signatures that others gave are not lost with a write that fails"
    assert list(file.parent.glob("root.json.*")) == []
    assert home.run("trust", "sign", file, "--key", bob, "--yes") == 0
    assert home.run("trust", "apply", file, "--yes", "--dry-run") == 0
    assert home.run("trust", "apply", file, "--yes") == 0
    assert root_version(home) == 2
    # From now on neither can change the root alone.
    assert home.run("trust", "policy", "--freshness", "30", "--yes", "--out", home.folder / "next.json") == 0
    assert home.run("trust", "apply", home.folder / "next.json", "--yes") == 2
    assert home.run("verify") == 0


def test_a_pending_root_that_was_edited_is_not_signed_blindly(home: Home) -> None:
    bob = home.key_file("bob")
    file = home.folder / "root.json"
    home.run("trust", "add-key", f"{bob}.pub", "--name", "bob", "--yes", "--out", file)
    fields = json.loads(file.read_text())
    fields["root"] = fields["root"].replace('"threshold": 1', '"threshold": 2')
    file.write_text(json.dumps(fields))
    assert home.run("trust", "apply", file, "--yes") == 2
    changes = [fact["text"] for fact in home.said("trust", "sign", file, "--dry-run")["facts"]]
    assert "threshold: 1 -> 2" in changes
    assert root_version(home) == 1


def test_a_pending_root_of_another_version_is_refused(home: Home) -> None:
    file = home.folder / "root.json"
    assert home.run("trust", "renew", "--days", "30", "--yes", "--out", file) == 0
    assert home.run("trust", "renew", "--days", "31", "--yes") == 0
    assert home.run("trust", "apply", file, "--yes") == 2
    assert "3 would be next" in home.complaint()


def test_a_revoked_key_cannot_seal_and_the_only_key_cannot_be_revoked(home: Home) -> None:
    bob = home.key_file("bob")
    assert home.run("trust", "revoke", "ada", "--yes") == 2
    assert home.run("trust", "add-key", f"{bob}.pub", "--name", "bob", "--yes") == 0
    assert home.run("trust", "revoke", "bob", "--yes") == 0
    assert [key["standing"] for key in home.said("trust", "show")["keys"]] == ["usable", "revoked"]
    assert home.run("trust", "renew", "--days", "5", "--key", bob, "--yes") == 12


def test_the_policy_is_set_field_by_field(home: Home) -> None:
    assert home.run("trust", "policy", "--freshness", "30", "--branch", "main", "--yes") == 0
    policy = home.said("trust", "show")["policy"]
    assert (policy["freshness"], policy["branch of bound sources"]) == ("30 days", "main")
    assert policy["answered by --yes"] == "trust"
    assert home.run("trust", "policy", "--freshness", "none", "--automation", "none", "--yes") == 0
    assert home.run("trust", "policy", "--freshness", "30", "--yes") == 2
    assert "--yes does not answer" in home.complaint()
    assert home.run("trust", "policy") == 2


def test_without_a_terminal_and_without_yes_nothing_changes(home: Home) -> None:
    assert home.run("trust", "renew", "--days", "7") == 2
    home.answer("no")
    assert home.run("trust", "renew", "--days", "7") == 130
    assert root_version(home) == 1
    home.answer("y")
    assert home.run("trust", "renew", "--days", "7") == 0
    assert root_version(home) == 2


def test_an_expired_root_is_renewed(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    late = days_ahead(400)
    for module in ("upheld.compose.gate", "upheld.compose.sealing", "upheld.compose.clock"):
        monkeypatch.setattr(f"{module}.today", lambda: late)
    for module in ("upheld.compose.gate", "upheld.compose.sealing", "upheld.compose.trusting"):
        monkeypatch.setattr(f"{module}.instant", lambda: f"{late}T00:00:00Z")
    assert home.run("verify") == 1
    assert home.run("trust", "policy", "--freshness", "9", "--yes") == 2
    assert "renew it first" in home.complaint()
    assert home.run("trust", "renew", "--yes") == 0
    assert "SIG022" not in [finding["code"] for finding in home.said("verify")["findings"]]


# --- this machine's memory ------------------------------------------------------------------------------------------


def test_forgetting_needs_a_person(home: Home) -> None:
    assert home.run("trust", "forget") == 2
    assert home.run("trust", "forget", "--dry-run") == 0
    assert home.recalled() == "verified"
    home.answer("y")
    assert home.run("trust", "forget") == 0
    assert home.recalled() == "RBK006"


def test_a_store_that_is_gone_can_be_forgotten(home: Home) -> None:
    shutil.rmtree(home.store)
    assert home.recalled() == "RBK004"
    home.answer("y")
    assert home.run("trust", "forget") == 0
    assert home.run("recall", "deploys") == 10


def test_the_clock_is_shown_and_reset_by_a_person(home: Home) -> None:
    assert home.recalled() == "verified"
    facts = {fact["label"]: fact["text"] for fact in home.said("trust", "clock")["facts"]}
    assert facts["mark"] == facts["today"]
    [file] = (home.state / "places").glob("*.json")
    fields = json.loads(file.read_text())
    file.write_text(json.dumps({**fields, "clock_mark": days_ahead(9)}))
    assert home.recalled() == "RBK009"
    assert home.run("trust", "clock", "--reset") == 2
    home.answer("y")
    assert home.run("trust", "clock", "--reset") == 0
    assert home.recalled() == "verified"


def test_a_place_is_read_unsealed_only_by_name_and_never_once_pinned(home: Home, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    shutil.copytree(home.store, plain)
    index = json.loads((plain / "index.json").read_text())
    (plain / "index.json").write_text(json.dumps({**{k: v for k, v in index.items() if k != "root"}, "store_id": "x"}))
    assert home.run("recall", "deploys", "--store", plain) == 4
    assert home.run("trust", "allow-unsealed", "--store", plain) == 2
    home.answer("y")
    assert home.run("trust", "allow-unsealed", "--store", plain) == 0
    assert home.run("recall", "deploys", "--store", plain) == 0
    assert home.run("trust", "allow-unsealed", "--store", plain, "--off") == 0
    assert home.run("recall", "deploys", "--store", plain) == 4
    assert home.run("trust", "allow-unsealed") == 2


def test_a_finding_is_accepted_by_its_full_name(home: Home) -> None:
    from upheld.compose.sealing import key_to_start_with
    from upheld.compose.trusting import probed

    found = key_to_start_with(None, lambda _: None, passphrase=False)
    probed(str(home.store), found)
    name = f"SIG030:{found.identity.key.key_id}"
    assert [notice["code"] for notice in home.said("recall", "deploys")["notices"]] == ["SIG030"]
    assert home.run("trust", "accept", "SIG030:0000000000000000", "--yes") == 2
    assert home.run("trust", "accept", name, "--yes", "--dry-run") == 0
    assert home.run("trust", "accept", name, "--yes") == 0
    assert home.said("recall", "deploys")["notices"] == []
    assert home.run("trust", "accept", name, "--yes") == 2


# --- the group ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    context = click.Context(command)
    found = command.get_command(context, name)
    assert found is not None
    assert f"upheld trust {name}" in (found.help or "")
    assert found.name == name


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"show"}))
def test_every_command_that_writes_has_a_dry_run(name: str) -> None:
    found = command.get_command(click.Context(command), name)
    assert found is not None
    assert "dry_run" in [parameter.name for parameter in found.params]


def test_the_screen_is_set_check_by_check_and_character_by_character(home: Home) -> None:
    change = ("trust", "policy", "--screen", "POL045=allow", "--allow-character", "U+E000-U+E0FF", "--yes")
    assert home.run(*change) == 0
    assert home.said("trust", "show")["policy"]["screen"] == "POL045 allow, U+E000-U+E0FF passes"
    assert home.run(*change) == 2
    assert home.run("trust", "policy", "--screen", "POL045=default", "--yes") == 0
    assert home.run("trust", "policy", "--disallow-character", "U+E000-U+E0FF", "--yes") == 0
    assert home.said("trust", "show")["policy"]["screen"] == "as it comes"


@pytest.mark.parametrize(
    "words",
    [
        ("--screen", "POL001=allow"),
        ("--screen", "POL045=ignore"),
        ("--screen", "HSH001=allow"),
        ("--allow-character", "all"),
        ("--allow-character", "U+E0FF-U+E000"),
        ("--disallow-character", "U+200C"),
    ],
)
def test_a_screen_that_cannot_be_read_is_not_set(home: Home, words: tuple[str, str]) -> None:
    assert home.run("trust", "policy", *words, "--yes") == 2
    assert root_version(home) == 1
