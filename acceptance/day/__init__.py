"""The store and the prompts of one day, as data; README.md says how they came to be."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from upheld.model.value import Value

HERE = Path(__file__).parent
_LISTS = ("fires", "not", "path", "command", "keyword", "tool")


class Instruction(Value):
    """One instruction as a person remembers it.

    Attributes:
        key: its key.
        text: the whole text.
        options: the options of ``upheld remember`` besides key and text.
    """

    key: str
    text: str
    options: tuple[str, ...]


class Prompt(Value):
    """One thing that somebody types, and what the scripted model does next.

    Attributes:
        name: its id.
        text: what is typed.
        expects: the key that governs it; nothing where none does.
        shell: a command that the model runs.
        write: a file of the project that the model writes.
    """

    name: str
    text: str
    expects: str = ""
    shell: str = ""
    write: str = ""


def instructions() -> tuple[Instruction, ...]:
    """The store, in its order."""
    return tuple(_instruction(row) for row in _rows("store.json"))


def prompts() -> tuple[Prompt, ...]:
    """The day, in its order."""
    return tuple(_prompt(row) for row in _rows("prompts.json"))


def _rows(name: str) -> list[dict[str, Any]]:
    return list(json.loads((HERE / name).read_text("utf-8")))


def _instruction(row: Mapping[str, Any]) -> Instruction:
    options = ["--when", row["when"], "--because", row["because"]]
    for name in _LISTS:
        for value in row.get(name, ()):
            options += [f"--{name}", value]
    return Instruction(key=row["key"], text=row["text"], options=tuple(options))


def _prompt(row: Mapping[str, Any]) -> Prompt:
    then = row.get("then", {})
    return Prompt(
        name=row["id"],
        text=row["prompt"],
        expects=row["expects"] or "",
        shell=then.get("shell", ""),
        write=then.get("write", ""),
    )
