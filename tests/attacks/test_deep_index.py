"""Attacks on the nodes below the root, by somebody who holds the work tree: each reader refuses, with one code."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from attacker import DIGITS, Victim, edit_entry, edit_json, entry_of

from deep import TWO_LEVELS, keys_under, remember_many
from sealed_home import KEY, Home

CHILD = DIGITS[0]
"""The child of the root that leads to the key."""
BESIDE = "0" if CHILD != "0" else "1"


@pytest.fixture
def victim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Victim:
    home = Home(tmp_path, monkeypatch, capsys)
    home.seal("correct", "retire")
    # Under the key's own digit there are too many for one leaf, so that two nodes lie between the root and the key.
    remember_many(str(home.store), [*keys_under(CHILD, TWO_LEVELS), *keys_under(BESIDE, 20, prefix="beside")])
    made = Victim(home)
    assert made.recall() == "verified"
    return made


def node_at(store: Path, prefix: str) -> Path:
    [path] = (store / "index").glob(f"{prefix}.*.json")
    return path


def leaf_of_key(store: Path) -> Path:
    return node_at(store, DIGITS[:2])


def swapped(store: Path) -> None:
    one, other = leaf_of_key(store), node_at(store, BESIDE)
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)


def older(store: Path) -> None:
    """The node as it was before the last correction, under the name that it has now."""
    leaf_of_key(store).write_bytes((store.parent / "old.json").read_bytes())


def gone(store: Path) -> None:
    leaf_of_key(store).unlink()


def renamed(store: Path) -> None:
    path = leaf_of_key(store)
    path.rename(path.with_name(f"{DIGITS[:2]}.{'0' * 12}.json"))


def emptied(store: Path) -> None:
    leaf_of_key(store).write_text('{\n  "entries": []\n}\n')


def one_byte(store: Path) -> None:
    path = leaf_of_key(store)
    path.write_bytes(path.read_bytes().replace(b'"read_when"', b'"read_When"', 1))


def linked(store: Path) -> None:
    path = leaf_of_key(store)
    path.rename(store.parent / "moved.json")
    path.symlink_to(store.parent / "moved.json")


def huge(store: Path) -> None:
    with leaf_of_key(store).open("r+b") as file:
        file.truncate(1 << 40)


def folder(store: Path) -> None:
    leaf_of_key(store).unlink()
    leaf_of_key_path = store / "index" / f"{DIGITS[:2]}.{'0' * 12}.json"
    leaf_of_key_path.mkdir()


def its_own_child(store: Path) -> None:
    """The node between holds itself under the key's digit: a cycle, for whoever follows names."""
    between = node_at(store, CHILD)
    leaf_of_key(store).write_bytes(between.read_bytes())


def pipe(store: Path) -> None:
    import os

    path = leaf_of_key(store)
    path.unlink()
    os.mkfifo(path)


HARMS: dict[str, Callable[[Path], None]] = {
    harm.__name__: harm
    for harm in (swapped, older, gone, renamed, emptied, one_byte, linked, huge, folder, its_own_child, pipe)
}


def codes(victim: Victim, *arguments: str) -> tuple[int, set[str]]:
    done = victim.run(*arguments, "--format", "json")
    said: dict[str, Any] = json.loads(done.stdout)
    return done.returncode, {finding["code"] for finding in said["findings"]}


@pytest.mark.parametrize("harm", HARMS)
def test_a_spoilt_node_is_refused_alike_by_every_reader(victim: Victim, harm: str) -> None:
    """The index itself is untouched, so its seal holds: only the digests below it can tell."""
    shutil.copy(leaf_of_key(victim.store), victim.tree / "old.json")
    assert victim.home.run("correct", KEY, "# Deploys\n\nDeploy on Mondays.\n", "--because", "So.", "--yes") == 0
    HARMS[harm](victim.store)
    code = victim.recall()
    assert code in ("HSH004", "STO001", "STO003", "STO004", "STO005")
    status, found = codes(victim, "verify")
    assert status != 0
    assert code in found
    status, found = codes(victim, "history", KEY)
    assert (status, found) == (4, {code})
    hook = victim.run("hook", "--client", "claude", "prompt", cwd=victim.tree)
    assert "Mondays" not in hook.stdout
    # What lies beside the spoilt node is served: one bad node refuses the keys below it, and no others.
    other = victim.run("recall", keys_under(BESIDE, 20, prefix="beside")[0])
    assert other.returncode == (4 if harm == "swapped" else 0)


def rehashed(store: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the leaf of the key, and make every digest and name above it fit; the seal cannot."""

    def climb(name: str, depth: int) -> str:
        if depth == 2:
            return edit_json(store / name, change)

        def edit(node: dict[str, Any]) -> None:
            prefix = DIGITS[: depth + 1]
            child = node["children"][prefix[-1]]
            lower = f"index/{prefix}.{child['sha256'][:12]}.json"
            child["sha256"] = climb(lower, depth + 1)
            (store / lower).rename(store / f"index/{prefix}.{child['sha256'][:12]}.json")

        return edit_json(store / name, edit)

    climb("index.json", 0)


FORGERIES: dict[str, Callable[[dict[str, Any]], object]] = {
    "an entry less": lambda leaf: leaf["entries"].pop(),
    "an entry twice": lambda leaf: leaf["entries"].append(leaf["entries"][0]),
    "a key that belongs elsewhere": lambda leaf: leaf["entries"][0].update(key=f"{leaf['entries'][0]['key']}-x"),
    "children as well": lambda leaf: leaf.update(children={}),
    "no entries": lambda leaf: leaf.pop("entries"),
    "no list": lambda leaf: leaf.update(entries={}),
}


@pytest.mark.parametrize("forgery", FORGERIES)
@pytest.mark.parametrize("is_sealed", [True, False])
def test_a_forged_node_with_every_digest_in_place_is_refused(victim: Victim, forgery: str, is_sealed: bool) -> None:
    """Sealed, the seal says so. Where nobody vouches for the store, the node's own shape and counts do."""
    rehashed(victim.store, FORGERIES[forgery])
    if not is_sealed:
        victim.home.move_to("elsewhere")
        for part in ("seals", "trust"):
            shutil.rmtree(victim.store / part)
        edit_json(victim.store / "index.json", lambda index: index.pop("root"))
    if is_sealed:
        assert victim.recall() in ("RBK010", "SIG013")
        return
    _, found = codes(victim, "verify", "--unsealed")
    assert found & {"PTR002", "PTR005", "PTR006", "PTR007", "FMT007", "FMT008"}, found
    if forgery != "a key that belongs elsewhere":  # which spoils itself, and not those beside it
        assert victim.recall("--unsealed") in found


def test_the_helpers_of_this_attacker_reach_the_key(victim: Victim) -> None:
    assert entry_of(victim.store)["key"] == KEY
    assert len(json.loads((victim.store / "index.json").read_text())["children"]) > 1
    before = sha256((victim.store / "index.json").read_bytes()).hexdigest()
    assert edit_entry(victim.store, lambda entry: None) == before
