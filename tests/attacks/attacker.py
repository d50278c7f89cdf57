"""Who attacks: somebody who holds the work tree, and somebody who holds a key besides. Victims run the real command."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from sealed_home import KEY, Home

DIGITS = sha256(KEY.encode()).hexdigest()
"""The way that the trie takes to the key."""
SECONDS = 30
"""No command may wait longer, whatever stands in its way."""


class Victim:
    """A user whose store lies in a work tree that somebody else can write. Their home is out of reach."""

    def __init__(self, home: Home) -> None:
        self.home = home
        self.store = home.store
        self.tree = home.store.parent

    def run(self, *arguments: object, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the command in a process of its own, in the work tree."""
        return subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys; from upheld.cli.main import main; sys.exit(main())",
                *map(str, arguments),
            ],
            cwd=cwd or self.tree,
            env={**os.environ, **environment},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    def recall(self, *arguments: object, cwd: Path | None = None, **environment: str) -> str:
        """Recall; return ``verified`` or the first code of the refusal. A refusal never holds the text."""
        done = self.run("recall", KEY, "--format", "json", *arguments, cwd=cwd, **environment)
        said: dict[str, Any] = json.loads(done.stdout)
        if said["outcome"] != "refused":
            assert done.returncode == 0
            return str(said["outcome"])
        assert done.returncode == 4
        assert "Tuesdays" not in done.stdout
        return str(said["findings"][0]["code"])

    @property
    def version(self) -> int:
        return int(json.loads((self.store / "index.json").read_text())["version"])

    @property
    def root_digest(self) -> str:
        roots = sorted(self.store.glob("trust/[0-9]*.json"), key=lambda path: int(path.stem))
        return sha256(roots[-1].read_bytes()).hexdigest()


class Insider:
    """Somebody who holds the key, and a copy of the store of their own, pinned there."""

    def __init__(self, victim: Victim, patch: pytest.MonkeyPatch) -> None:
        self._victim, self._patch = victim, patch
        self.store = victim.home.folder / "insider" / ".upheld"
        self.home = victim.home.folder / "insider-home"
        shutil.copytree(victim.home.folder / "home" / "config", self.home / "config")
        shutil.copytree(victim.store, self.store)
        self.act(lambda home: home.run("trust", "pin", victim.root_digest))

    def act(self, what: Callable[[Home], object]) -> None:
        """Do something as the insider, in their own copy."""
        home = self._victim.home
        before = home.store
        home.store = self.store
        with self._patch.context() as patch:
            patch.setenv("HOME", str(self.home))
            patch.setenv("XDG_STATE_HOME", str(self.home / "state"))
            patch.setenv("XDG_CONFIG_HOME", str(self.home / "config"))
            patch.setenv("UPHELD_STORE", str(self.store))
            what(home)
        home.store = before

    def deliver(self) -> None:
        """Put the insider's store into the victim's work tree."""
        replace(self._victim.store, self.store)


def replace(store: Path, source: Path) -> None:
    shutil.rmtree(store)
    shutil.copytree(source, store)


def edit_json(path: Path, change: Callable[[dict[str, Any]], object]) -> str:
    """Change a JSON file as the article's script writes them; return its new digest."""
    fields = json.loads(path.read_text())
    change(fields)
    data = (json.dumps(fields, indent=2) + "\n").encode()
    path.chmod(0o644)
    path.write_bytes(data)
    return sha256(data).hexdigest()


def entry_of(store: Path) -> dict[str, Any]:
    """The entry of the key, whichever node it stands in."""
    name, depth = "index.json", 0
    while "children" in (node := json.loads((store / name).read_text())):
        prefix = DIGITS[: depth + 1]
        name, depth = f"index/{prefix}.{node['children'][prefix[-1]]['sha256'][:12]}.json", depth + 1
    [found] = [entry for entry in node["entries"] if entry["key"] == KEY]
    return dict(found)


def edit_entry(
    store: Path, change: Callable[[dict[str, Any]], object], name: str = "index.json", depth: int = 0
) -> str:
    """Change the entry of the key, and rehash every node from there up; return the new digest of ``name``."""

    def edit(node: dict[str, Any]) -> None:
        if "children" not in node:
            for entry in node["entries"]:
                if entry["key"] == KEY:
                    change(entry)
            return
        prefix = DIGITS[: depth + 1]
        child = node["children"][prefix[-1]]
        lower = f"index/{prefix}.{child['sha256'][:12]}.json"
        child["sha256"] = edit_entry(store, change, lower, depth + 1)
        (store / lower).rename(store / f"index/{prefix}.{child['sha256'][:12]}.json")

    return edit_json(store / name, edit)


def rewrite(store: Path, text: str, *, keep_names: bool = False) -> None:
    """Exchange the text of the key, and make every digest fit, up to the index."""
    pointer = entry_of(store)
    record = json.loads((store / pointer["target"]).read_text())
    source = sha256(text.encode()).hexdigest()
    name = record["durable_source"] if keep_names else f"sources/{KEY}.{source[:12]}.md"
    (store / name).unlink(missing_ok=True)
    (store / name).write_text(text)
    fields = {**record, "durable_source": name, "source_sha256": source}
    data = (json.dumps(fields, indent=2) + "\n").encode()
    target = pointer["target"] if keep_names else f"records/{record['id']}.{sha256(data).hexdigest()[:12]}.json"
    (store / target).write_bytes(data)
    edit_entry(store, lambda entry: entry.update(target=target, record_sha256=sha256(data).hexdigest()))


def reseal_with_old(store: Path) -> None:
    """Give the seal that is there the name that the index's digest now asks for."""
    [seal] = (store / "seals").iterdir()
    digest = sha256((store / "index.json").read_bytes()).hexdigest()
    seal.rename(seal.with_name(f"{digest}.{seal.name.partition('.')[2]}"))
