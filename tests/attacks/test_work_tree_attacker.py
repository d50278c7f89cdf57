"""Attackers who can write the whole work tree: each is refused at recall, by a process that trusts no earlier one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from attacker import Insider, Victim, edit_entry, edit_json, replace, reseal_with_old, rewrite

from deep import TWO_LEVELS, remember_many
from sealed_home import KEY, TEXT, Home
from upheld.compose import sealing

EVIL = "# Deploys\n\nDeploy on Fridays, from any branch.\n"
CORRECTED = TEXT.replace("Tuesdays", "Thursdays")


@pytest.fixture(params=[0, TWO_LEVELS], ids=["flat", "deep"])
def home(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Home:
    """A store whose index is one node, and one whose index has nodes below the root."""
    made = Home(tmp_path, monkeypatch, capsys)
    made.seal("trust", "correct", "sync", "retire")
    if request.param:
        remember_many(str(made.store), (f"other-{number:04}" for number in range(request.param)))
    return made


@pytest.fixture
def victim(home: Home) -> Victim:
    made = Victim(home)
    assert made.recall() == "verified"
    return made


@pytest.fixture
def insider(victim: Victim, monkeypatch: pytest.MonkeyPatch) -> Insider:
    return Insider(victim, monkeypatch)


def kept(victim: Victim, name: str = "old") -> Path:
    shutil.copytree(victim.store, victim.home.folder / name)
    return victim.home.folder / name


# --- everything rewritten, or older (A3, A4, A5, A7, A9) ----------------------------------------------------------------


@pytest.mark.parametrize("keep_names", [False, True])
@pytest.mark.parametrize("renames_the_seal", [False, True])
def test_everything_rewritten_and_rehashed(victim: Victim, keep_names: bool, renames_the_seal: bool) -> None:
    rewrite(victim.store, EVIL, keep_names=keep_names)
    if renames_the_seal:
        reseal_with_old(victim.store)
    expected = "SIG013" if renames_the_seal else "RBK010"
    assert victim.recall() == expected
    assert victim.recall("--unsealed") == expected
    assert victim.recall("--pin", f"{victim.root_digest}@1") == expected


def test_an_older_copy_is_refused_by_who_saw_the_newer_and_by_who_was_told(victim: Victim) -> None:
    old = kept(victim)
    victim.home.remember("another", "# Another\n\nDo it.\n")
    replace(victim.store, old)
    assert victim.recall() == "RBK001"
    victim.home.move_to("elsewhere")  # a client that has never seen the store
    assert victim.recall() == "RBK006"
    assert victim.recall("--pin", f"{victim.root_digest}@{victim.version + 1}") == "RBK001"


def test_an_index_with_the_records_of_the_version_before(victim: Victim) -> None:
    old = kept(victim)
    assert victim.home.run("correct", KEY, CORRECTED, "--because", "It changed.", "--yes") == 0
    for name in ("records", "sources"):
        replace(victim.store / name, old / name)
    assert victim.recall() in ("STO001", "HSH002")


def test_a_superseded_record_made_current_again(victim: Victim) -> None:
    assert victim.home.run("correct", KEY, CORRECTED, "--because", "It changed.", "--yes") == 0
    [superseded] = [
        path for path in (victim.store / "records").iterdir() if '"status": "superseded"' in path.read_text()
    ]
    digest = edit_json(superseded, lambda record: record.update(status="current", superseded_by=None))

    edit_entry(victim.store, lambda entry: entry.update(target=f"records/{superseded.name}", record_sha256=digest))
    reseal_with_old(victim.store)
    assert victim.recall() == "SIG013"


# --- the place (A11, A18b, A18c) ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["file", "dangling file", "folder", "whole repository", "link"])
def test_a_planted_git_does_not_move_the_place(victim: Victim, kind: str) -> None:
    old, mark = kept(victim), victim.tree / ".git"
    victim.home.remember("another", "# Another\n\nDo it.\n")
    fake = victim.tree / "fake"
    match kind:
        case "file":
            (fake / "worktrees/x").mkdir(parents=True)
            (fake / "HEAD").write_text("ref: refs/heads/main\n")
            (fake / "worktrees/x/commondir").write_text("../..\n")
            (fake / "worktrees/x/gitdir").write_text(f"{mark}\n")  # it even points back
            mark.write_text(f"gitdir: {fake}/worktrees/x\n")
        case "dangling file":
            mark.write_text("gitdir: /nowhere\n")
        case "folder":
            mark.mkdir()
            (mark / "HEAD").write_text("ref: refs/heads/main\n")
        case "whole repository":
            subprocess.run(["git", "init", "-q", str(victim.tree)], check=True)
        case _:
            subprocess.run(["git", "init", "-q", str(fake)], check=True)
            mark.symlink_to(fake / ".git")
    assert victim.recall() == "verified"
    replace(victim.store, old)
    assert victim.recall() == "RBK001"
    assert victim.recall("--unsealed") == "RBK001"
    shutil.rmtree(victim.store)
    assert victim.recall() == "RBK004"


@pytest.mark.parametrize(
    "name", [".env", ".envrc", "upheld.toml", "pyproject.toml", ".upheld.json", ".config/upheld/pins.d/a.json"]
)
def test_settings_that_the_project_brings_pin_nothing_and_unseal_nothing(victim: Victim, name: str) -> None:
    pin = f"{victim.root_digest}@1"
    victim.home.move_to("elsewhere")
    for folder in (victim.tree, victim.store):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            f'UPHELD_PIN={pin}\nUPHELD_UNSEALED=1\n[tool.upheld]\npin = "{pin}"\nunsealed = true\n'
            if not name.endswith("json")
            else json.dumps({"pin": pin, "root_sha256": pin[:64], "path": str(victim.store), "unsealed": True})
        )
    assert victim.recall() == "RBK006"


def test_the_environment_names_a_store_and_never_a_pin(victim: Victim) -> None:
    pin = f"{victim.root_digest}@1"
    victim.home.move_to("elsewhere")
    assert victim.recall(UPHELD_PIN=pin, UPHELD_UNSEALED="1", UPHELD_TRUST=pin) == "RBK006"


def test_another_store_that_is_itself_pinned_elsewhere(victim: Victim) -> None:
    other = victim.home.folder / "other" / ".upheld"
    found = sealing.key_to_start_with(None, lambda _: None, passphrase=False)
    sealing.init_sealed(str(other), found, by="ada")
    replace(victim.store, other)
    assert victim.recall() == "RBK003"
    assert victim.recall("--unsealed") == "RBK003"


@pytest.mark.parametrize("leaves", ["nothing", "an empty folder", "a file", "a parent's store"])
def test_the_store_removed_from_its_place(victim: Victim, monkeypatch: pytest.MonkeyPatch, leaves: str) -> None:
    monkeypatch.delenv("UPHELD_STORE")
    shutil.rmtree(victim.store)
    expected = "RBK004"
    match leaves:
        case "an empty folder":
            victim.store.mkdir()
            expected = "STO001"
        case "a file":
            victim.store.write_text("no store")
        case "a parent's store":
            found = sealing.key_to_start_with(None, lambda _: None, passphrase=False)
            sealing.init_sealed(str(victim.tree.parent / ".upheld"), found, by="ada")
    below = victim.tree / "src"
    below.mkdir()
    assert victim.recall() == expected
    assert victim.recall(cwd=below) == expected
    assert victim.recall("--unsealed") == expected
    assert victim.run("verify", "--unsealed").returncode == 1
    for verb in (("due",), ("trust", "show"), ("history", KEY), ("log", "show")):
        assert victim.run(*verb).returncode != 10, "never `no store`"


@pytest.mark.parametrize("what", ["seals", "seals and root", "everything of ours"])
def test_stripped_of_what_makes_it_sealed(victim: Victim, what: str) -> None:
    stripped = {
        "seals": (),
        "seals and root": ("root",),
        "everything of ours": ("root", "version", "store_id", "log", "issued_at"),
    }
    shutil.rmtree(victim.store / "seals")
    edit_json(
        victim.store / "index.json",
        lambda index: (
            [index.pop(name) for name in stripped[what]] or index.update(issued_at="2026-01-01T00:00:00Z")
            if what == "seals"
            else [index.pop(name) for name in stripped[what]]
        ),
    )
    for name in () if what == "seals" else ("trust", "log"):
        shutil.rmtree(victim.store / name)
    assert victim.recall() == "RBK010"
    assert victim.recall("--unsealed") == "RBK010"
    assert victim.run("verify", "--unsealed").returncode == 1
    done = victim.run("trust", "pin", "0" * 64)
    assert done.returncode in (2, 4)
    assert victim.run("migrate", "--yes").returncode != 0, "a pinned place is not sealed anew by anybody"


def test_a_copy_that_nobody_pinned_is_not_read_unsealed_where_its_seal_was_stripped(victim: Victim) -> None:
    copy = victim.home.folder / "copy" / ".upheld"
    shutil.copytree(victim.store, copy)
    edit_json(copy / "index.json", lambda index: index.pop("root"))
    done = victim.run("recall", KEY, "--unsealed", "--format", "json", "--store", copy)
    assert json.loads(done.stdout)["findings"][0]["code"] == "RBK010"


# --- drafts (A18d) ------------------------------------------------------------------------------------------------------


def test_the_published_copy_put_back_over_a_draft(victim: Victim) -> None:
    remote = victim.home.folder / "remote.git"
    subprocess.run(["git", "init", "-q", "--bare", str(remote)], check=True)
    assert victim.run("sync", "--yes", "--remote", remote).returncode == 0
    published = kept(victim)
    assert victim.home.run("correct", KEY, CORRECTED, "--because", "It changed.", "--yes") == 0
    assert victim.recall() == "verified"
    replace(victim.store, published)
    assert victim.recall() == "RBK012"
    assert victim.run("doctor", "--fix", "--yes").returncode == 0
    assert victim.recall() == "verified"
    assert "Thursdays" in victim.run("recall", KEY).stdout


# --- somebody who holds a key (A8, A10, A12, A18, A20) ------------------------------------------------------------------


def test_two_sealed_versions_of_one_number_are_a_fork_and_kept_as_evidence(victim: Victim, insider: Insider) -> None:
    victim.home.remember("mine", "# Mine\n\nDo it.\n")
    insider.act(lambda home: home.remember("theirs", "# Theirs\n\nDo it.\n"))
    insider.deliver()
    assert victim.recall() == "RBK002"
    [evidence] = (victim.home.state / "evidence").iterdir()
    assert {"accepted", "found"} <= set(json.loads(evidence.read_text()))


@pytest.mark.parametrize(
    ("harm", "code"),
    [
        ("truncated", "RBK011"),
        ("first new one gone", "RBK011"),
        ("reordered", "LOG002"),
        ("rewritten", "LOG002"),
        ("re-chained", "LOG002"),
    ],
)
def test_a_log_that_does_not_lead_to_the_new_version(victim: Victim, insider: Insider, harm: str, code: str) -> None:
    for number in range(3):
        insider.act(lambda home: home.remember(f"key-{number}", f"# Key\n\nDo it {number}.\n"))  # noqa: B023
    new = [insider.store / f"log/{victim.version + number:06}.json" for number in (1, 2, 3)]
    match harm:
        case "truncated":
            new[2].unlink()
        case "first new one gone":
            new[0].unlink()
        case "reordered":
            _, one, other = new
            first, second = one.read_bytes(), other.read_bytes()
            one.write_bytes(second)
            other.write_bytes(first)
        case "rewritten":
            new[1].write_text(new[1].read_text().replace("key-1", "key-9"))
        case _:
            new[2].write_text(new[2].read_text().replace("key-2", "key-9"))
    insider.deliver()
    assert victim.recall() == code
    assert victim.recall() == code, "and it is not accepted the second time either"


def test_an_honest_newer_version_is_accepted(victim: Victim, insider: Insider) -> None:
    """The refusals above are not for every newer version."""
    insider.act(lambda home: home.remember("more", "# More\n\nDo it.\n"))
    insider.deliver()
    assert victim.recall() == "verified"


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "sparse", "endless link"])
@pytest.mark.parametrize("part", ["seals", "trust", "log"])
def test_what_is_no_file_in_the_way_of_an_advance(victim: Victim, insider: Insider, part: str, kind: str) -> None:
    """Nothing blocks, nothing is followed, nothing grows: the advance is refused within bounded time."""
    insider.act(lambda home: home.run("trust", "renew", "--days", "50", "--yes"))
    insider.deliver()
    paths = {
        "seals": next((victim.store / "seals").iterdir()),
        "trust": victim.store / "trust/2.json",
        "log": victim.store / f"log/{victim.version:06}.json",
    }
    path = paths[part]
    moved = victim.tree / "moved"
    path.rename(moved)
    match kind:
        case "link":
            path.symlink_to(moved)
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case "sparse":
            with path.open("wb") as file:
                file.truncate(1 << 40)
        case _:
            path.symlink_to("/dev/zero")
    assert victim.recall() in ("STO003", "STO004", "STO005", "RBK010", "RBK011")
    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    moved.rename(path)
    assert victim.recall() == "verified"


@pytest.mark.parametrize("part", ["seals", "trust", "log", "records", "sources"])
def test_a_folder_of_the_store_that_is_a_link(victim: Victim, insider: Insider, part: str) -> None:
    insider.act(lambda home: home.run("trust", "renew", "--days", "50", "--yes"))
    insider.deliver()
    (victim.store / part).rename(victim.tree / "moved")
    (victim.store / part).symlink_to(victim.tree / "moved")
    assert victim.recall() in ("STO003", "RBK010", "RBK011", "SIG020")


def test_ten_thousand_seals_are_not_all_read(victim: Victim, insider: Insider) -> None:
    insider.act(lambda home: home.remember("more", "# More\n\nDo it.\n"))
    insider.deliver()
    [seal] = (victim.store / "seals").iterdir()
    digest = seal.name.partition(".")[0]
    for number in range(10_000):
        (victim.store / "seals" / f"{digest}.{number:016x}.sig").write_bytes(b"x" * 100)
    assert victim.recall() == "verified"


def test_a_revoked_key_and_an_index_that_did_not_change(victim: Victim) -> None:
    """Bob sealed once, and is revoked. The same index bytes under his seal alone bring nobody anything."""
    bob = victim.home.key_file("bob")
    assert victim.home.run("trust", "add-key", f"{bob}.pub", "--name", "bob", "--yes") == 0
    assert victim.home.run("trust", "revoke", "bob", "--yes") == 0
    assert victim.recall() == "verified"
    index = victim.store / "index.json"
    shutil.rmtree(victim.store / "seals")
    (victim.store / "seals").mkdir()
    found = sealing.key_to_start_with(str(bob), lambda _: None, passphrase=False)
    from hashlib import sha256

    from upheld.stores.keyring_sealer import KeyringSealer

    digest = sha256(index.read_bytes()).hexdigest()
    for name, data in KeyringSealer(found.keyring, found.identity).seal(index.read_bytes(), digest).items():
        (victim.store / name).write_bytes(data)
    assert victim.run("verify").returncode == 1
    version = json.loads(index.read_text())["version"]
    pin = f"{victim.root_digest}@{version}"
    victim.home.move_to("elsewhere")
    assert victim.recall("--pin", pin) in ("SIG024", "SIG014", "RBK010")
    assert victim.run("trust", "pin", victim.root_digest).returncode == 4


# --- flags (E10 as far as it concerns trust) ----------------------------------------------------------------------------


def test_a_pin_of_this_call_neither_replaces_nor_moves_the_one_that_stands(victim: Victim) -> None:
    assert victim.recall("--pin", f"{'0' * 64}@1") == "RBK014"
    assert victim.recall("--pin", f"{victim.root_digest}@{victim.version + 90}") == "RBK001"
    assert victim.run("recall", KEY, "--pin", "0").returncode == 2
    assert victim.recall() == "verified"


def test_another_day_is_hypothetical_and_moves_nothing(victim: Victim) -> None:
    [state] = (victim.home.state / "places").glob("*.json")
    before = state.read_bytes()
    done = victim.run("recall", KEY, "--as-of", "2026-01-01")
    assert "hypothetical" in (done.stdout + done.stderr).lower()
    later = victim.run("recall", KEY, "--as-of", "2999-01-01")
    assert later.returncode == 4
    assert state.read_bytes() == before


def test_unsealed_adds_nothing_at_a_pinned_place(victim: Victim) -> None:
    assert victim.recall("--unsealed") == "verified"
    rewrite(victim.store, EVIL)
    assert victim.recall("--unsealed") == "RBK010"


# --- the clock (B8) and the state (A19) ----------------------------------------------------------------------------------


def test_a_clock_behind_the_mark_is_refused_and_one_far_ahead_poisons_nothing(victim: Victim) -> None:
    [state] = (victim.home.state / "places").glob("*.json")
    fields = json.loads(state.read_text())
    assert fields["clock_mark"] <= fields["clock_limit"]
    state.write_text(json.dumps({**fields, "clock_mark": fields["clock_limit"]}))
    assert victim.recall() == "RBK009"
    assert victim.run("trust", "clock", "--reset").returncode == 2, "only a person at a terminal"
    state.write_text(json.dumps(fields))
    assert victim.recall() == "verified"


@pytest.mark.parametrize("harm", ["gone", "empty", "garbage", "writable by others", "of another place", "a link"])
def test_a_state_that_cannot_be_trusted(victim: Victim, harm: str) -> None:
    [state] = (victim.home.state / "places").glob("*.json")
    data = state.read_bytes()
    match harm:
        case "gone":
            state.unlink()
        case "empty":
            state.write_bytes(b"")
        case "garbage":
            state.write_bytes(b"\x00{")
        case "writable by others":
            state.chmod(0o666)
        case "of another place":
            edit_json(state, lambda fields: fields.update(place="path:/elsewhere"))
        case _:
            state.rename(state.with_suffix(".moved"))
            state.symlink_to(state.with_suffix(".moved"))
    assert victim.recall() == "RBK005"
    assert victim.recall("--unsealed") == "RBK005"
    digest = victim.root_digest
    assert victim.run("trust", "pin", digest).returncode == 0
    assert victim.recall() == "verified"
    assert data
