"""The layers (docs/reference/layers.md): imports point down, and the pure layers can reach no clock, disk or network.

import-linter and ruff do the enforcing, in ``make lint``. These tests hold the two configurations to the tree, and
show that each of them can fail.
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "upheld"
PURE = ("checks", "trust", "routing", "policy", "wire", "model")
CONFIG: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]

# One spelling or more for each thing that a pure layer may not touch; what is banned and not here fails a test below.
IMPURE = {
    "builtins": "import builtins\nbuiltins.open('x')",
    "codecs.open": "import codecs\ncodecs.open('x')",
    "datetime.date.today": "import datetime as d\nd.date.today()",
    "datetime.datetime.now": "from datetime import datetime, timezone\ndatetime.now(timezone.utc)",
    "datetime.datetime.today": "from datetime import datetime as D\nD.today()",
    "datetime.datetime.utcnow": "import datetime\ndatetime.datetime.utcnow()",
    "asyncio": "import asyncio",
    "ctypes": "import ctypes",
    "fcntl": "import fcntl",
    "getpass": "from getpass import getuser",
    "glob": "import glob",
    "http": "import http.client",
    "importlib": "from importlib import import_module",
    "io.open": "from io import open as read",
    "mmap": "import mmap",
    "nt": "import nt",
    "os": "def f() -> None:\n    from os.path import exists",
    "pathlib": "from pathlib import Path",
    "platform": "import platform",
    "posix": "import posix",
    "random": "import random",
    "secrets": "import secrets",
    "select": "import select",
    "shutil": "import shutil",
    "signal": "import signal",
    "socket": "import socket as s",
    "sqlite3": "import sqlite3",
    "ssl": "import ssl",
    "subprocess": "from subprocess import run",
    "tempfile": "import tempfile",
    "time": "from time import time",
    "urllib.request": "from urllib import request",
    "uuid": "import uuid",
}


# Built-ins that reach outside, or hide from a linter what is reached. Ruff's ban does not see them.
IMPURE_BUILTINS = {"open", "input", "print", "breakpoint", "__import__", "exec", "eval", "compile", "globals"}


def contract() -> dict[str, Any]:
    [layers] = [entry for entry in CONFIG["importlinter"]["contracts"] if entry["type"] == "layers"]
    return dict(layers)


def layer_names() -> set[str]:
    return {name.strip(" ()") for line in contract()["layers"] for name in line.split("|")}


def bans_found(source: str, filename: str) -> list[str]:
    """What ruff's ban says of this source, were it the file of that name in the project."""
    run = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--no-cache", "--select=TID251", "--output-format=json",
         "--stdin-filename", filename, "-"],
        input=source, capture_output=True, text=True, cwd=ROOT, check=False,
    )  # fmt: skip
    return [fault["message"] for fault in json.loads(run.stdout)]


def test_the_contract_is_exhaustive_and_without_exceptions() -> None:
    assert contract()["exhaustive"] is True
    assert contract()["containers"] == ["upheld"]
    assert not {"ignore_imports", "exhaustive_ignores"} & contract().keys()


def test_the_contract_names_every_part_of_the_package() -> None:
    parts = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    parts |= {path.stem for path in PACKAGE.glob("*.py") if path.name != "__init__.py"}
    assert parts <= layer_names()


def test_only_layers_that_a_later_version_brings_are_optional() -> None:
    required = {
        name.strip()
        for line in contract()["layers"]
        for name in line.split("|")
        if not re.fullmatch(r"\s*\(.+\)\s*", name)
    }
    missing = {name for name in required if not (PACKAGE / name).is_dir() and not (PACKAGE / f"{name}.py").is_file()}
    assert missing == set()


def test_every_directory_of_the_package_says_it_is_one() -> None:
    """A directory without ``__init__.py`` would be outside what import-linter walks."""
    bare = [path.parent for path in PACKAGE.rglob("*.py") if not (path.parent / "__init__.py").exists()]
    assert bare == []


@pytest.mark.parametrize(
    ("place", "line", "broken"),
    [
        ("model/spoilt.py", "from upheld.wire import anything", "upheld.model is not allowed to import upheld.wire"),
        (
            "checks/spoilt.py",
            "from upheld.trust import anything",
            "upheld.checks is not allowed to import upheld.trust",
        ),
        ("unlisted/__init__.py", "", "upheld.unlisted"),
        ("model/spoilt.py", "from upheld import __version__", "upheld.model is not allowed to import upheld.compose"),
    ],
    ids=["upward", "sideways", "unlisted package", "upward through the lazy root"],
)
def test_import_linter_reports_an_import_that_breaks_the_layers(
    tmp_path: Path, place: str, line: str, broken: str
) -> None:
    shutil.copytree(PACKAGE, tmp_path / "upheld", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "upheld/compose/library.py").touch()  # what the root imports lazily
    spoilt = tmp_path / "upheld" / place
    spoilt.parent.mkdir(exist_ok=True)
    spoilt.write_text(line + "\n", "utf-8")
    # The copy comes before the installed package on the path, which a console script could not arrange.
    code = "import sys; sys.path.insert(0, '.'); from importlinter import cli; cli.lint_imports_command()"
    run = subprocess.run(
        [sys.executable, "-c", code, "--no-cache"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 1, run.stdout + run.stderr
    assert broken in " ".join(run.stdout.split())


def test_every_ban_has_a_spelling_that_shows_it_works() -> None:
    assert IMPURE.keys() == CONFIG["ruff"]["lint"]["flake8-tidy-imports"]["banned-api"].keys()


@pytest.mark.parametrize("layer", PURE)
def test_ruff_bans_every_impure_thing_in_a_pure_layer(layer: str) -> None:
    # One file that holds all of them, each in a function of its own, so that ruff starts once a layer.
    for filename in (f"src/upheld/{layer}/x.py", f"src/upheld/{layer}/deeper/x.py"):
        source = "".join(
            f"def case{number}() -> None:\n" + "".join(f"    {line}\n" for line in snippet.split("\n"))
            for number, snippet in enumerate(IMPURE.values())
        )
        found = {message.split("`")[1] for message in bans_found(source, filename)}
        assert found == set(IMPURE)


@pytest.mark.parametrize("layer", ["stores", "compose", "cli", "services"])
def test_ruff_bans_none_of_it_elsewhere(layer: str) -> None:
    assert bans_found("import os\nfrom datetime import datetime\nopen('x')\n", f"src/upheld/{layer}/x.py") == []


def impure_builtins(source: str) -> list[str]:
    """The built-ins of that set which the source reads by name, called or not."""
    names = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)]
    return [f"{node.id}, line {node.lineno}" for node in names if node.id in IMPURE_BUILTINS]


@pytest.mark.parametrize("layer", PURE)
def test_no_pure_layer_uses_a_builtin_that_reaches_outside(layer: str) -> None:
    found = {path.name: impure_builtins(path.read_text("utf-8")) for path in (PACKAGE / layer).rglob("*.py")}
    assert found, "a pure layer that is empty proves nothing"
    assert {name: uses for name, uses in found.items() if uses} == {}


def test_such_a_builtin_is_found_however_it_is_used() -> None:
    assert impure_builtins("x = 1\nread = open\n") == ["open, line 2"]
    assert impure_builtins("def f() -> None:\n    __import__('os').getcwd()\n") == ["__import__, line 2"]


def test_no_comment_lifts_the_ban_in_a_pure_layer() -> None:
    lifted = [
        str(path.relative_to(PACKAGE))
        for layer in PURE
        for path in (PACKAGE / layer).rglob("*.py")
        if re.search(r"noqa(:[^#\n]*TID251|\s*$|:?\s*file)|ruff:\s*noqa", path.read_text("utf-8"), re.MULTILINE)
    ]
    assert lifted == []
