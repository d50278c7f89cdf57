"""What must hold in any state that a crash leaves, looked at from outside: recall, the next write, what lies about."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

import crash_oracle
from crash_recorder import Contents
from crash_world import Texts, Write, ask, run, write_remember

from upheld.model.answer import Answer
from upheld.model.value import Value

NOTHING: Texts = {"": "there is no store"}
"""Stands for the version before ``init``."""
PROBE = "probe-key"
_COLLECTABLE = re.compile(r"(\w+/)?\.new-.*|\w+/[^/]*\.[0-9a-f]{12}\.(json|md)|seals/[0-9a-f]{64}\..*|log/\d{6}\.json")
"""What ``gc`` knows as ours by its name: temporaries, and files that carry a digest or a number."""


class Expected(Value):
    """What a state may say: one of these versions, whole."""

    versions: Sequence[Texts]
    keys: frozenset[str]


def materialise(place: Path, files: Contents, folders: frozenset[str] = frozenset()) -> Path:
    """Make a folder that holds exactly these files."""
    place.mkdir()
    for folder in sorted({*folders, *(name.rpartition("/")[0] for name in files)} - {""}):
        (place / folder).mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        descriptor = os.open(place / name, os.O_WRONLY | os.O_CREAT, 0o644)
        os.write(descriptor, data)
        os.close(descriptor)
    return place


def say(place: Path, keys: frozenset[str]) -> Texts:
    """Recall every key. A refusal but for "unknown key" or "no index" comes back as a text that no version has."""
    said: dict[str, str] = {}
    for key in sorted({*keys, PROBE}):
        outcome = ask(place, key)
        if isinstance(outcome, Answer):
            said[key] = outcome.text
        elif outcome.code == "STO001" and outcome.findings[0].place == "index.json":
            return NOTHING
        elif outcome.code != "PTR001":
            said[key] = f"refused: {outcome.code} {outcome.why}"
    return said


def judge_reading(place: Path, expected: Expected) -> tuple[Texts, list[str]]:
    """Return what the store says, and what is wrong with that."""
    said = say(place, expected.keys)
    if said in expected.versions:
        return said, []
    return said, [f"it says {said}, which is none of {list(expected.versions)}"]


def judge_writing(place: Path, said: Texts, again: Write, texts_after: Texts, keys: frozenset[str]) -> list[str]:
    """Do the interrupted write again if it did not take place, then another one; nobody decides anything.

    Args:
        place: the store.
        said: what it says now.
        again: the write that was interrupted.
        texts_after: what the store says once that is done.
        keys: every key that any version has.
    """
    if said != texts_after:
        run(again, place)
    run(write_remember(PROBE, "Probe.\n", "d3d3"), place)
    wanted = {**texts_after, PROBE: "Probe.\n"}
    now = say(place, keys | {PROBE})
    return [] if now == wanted else [f"after the next write it says {now} instead of {wanted}"]


def leftovers(place: Path) -> list[str]:
    """Return the files that the index does not lead to."""
    files = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}
    return sorted(files - crash_oracle.reachable(place))


def not_collectable(names: Sequence[str]) -> list[str]:
    """Return those left-over names that ``gc`` would not know as ours."""
    return [name for name in names if not _COLLECTABLE.fullmatch(name)]


def collect(place: Path, names: Sequence[str]) -> None:
    """Remove left-over files, as ``gc`` does once they are old enough."""
    for name in names:
        (place / name).unlink()
