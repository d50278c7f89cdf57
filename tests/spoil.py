"""Hypothesis strategies: small stores, sound at first, then spoilt at random in the ways that files are spoilt."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from hypothesis import strategies as st

from upheld.model.value import Value
from upheld.testing.builder import StoreBuilder, encoded

KEYS = ("alpha", "beta", "gamma")
IDS = tuple(f"{key}-v{number}" for key in KEYS for number in (1, 2, 3, 4))
DATES = ("2026-09-01", "2026-09-14", "2026-09-15", "2026-12-01", "2027-03-01", "2026-02-30", "2026-9-1", "20260901", "")
VALUES: tuple[Any, ...] = (
    None,
    "",
    7,
    True,
    [],
    {},
    "current",
    "superseded",
    *IDS,
    *DATES,
    "../x",
    "sources/alpha-v1.md",
)
RECORD_FIELDS = (
    "id",
    "status",
    "recorded_on",
    "last_verified",
    "review_on",
    "expires_on",
    "durable_source",
    "source_sha256",
    "supersedes",
    "superseded_by",
    "supersedes_sha256",
    "key",
    "owner",
    "bound_source",
    "unknown",
)
POINTER_FIELDS = ("key", "record_id", "target", "record_sha256", "read_when", "trigger", "trigger_sha256")


class Spoilt(Value):
    """A store's files after everything that was done to them, and what was done."""

    files: dict[str, bytes]
    keys: tuple[str, ...]
    closed: bool
    done: tuple[str, ...]


@st.composite
def sound_stores(draw: st.DrawFn, closed: bool | None = None) -> Spoilt:
    is_closed = draw(st.booleans()) if closed is None else closed
    builder = StoreBuilder(closed=is_closed, leaf_limit=draw(st.sampled_from([1, 128])))
    keys = KEYS[: draw(st.integers(1, 3))]
    for key in keys:
        builder.remember(key, *(f"{key} {number}\n" for number in range(draw(st.integers(1, 3)))))
    return Spoilt(files=builder.files(), keys=keys, closed=is_closed, done=())


@st.composite
def spoilt_stores(draw: st.DrawFn, closed: bool | None = None) -> Spoilt:
    spoilt = draw(sound_stores(closed))
    files, done = dict(spoilt.files), []
    for _ in range(draw(st.integers(0, 3))):
        act = draw(st.sampled_from(ACTS))
        done.append(f"{act.__name__}: {act(draw, files)}")
    return spoilt.replace(files=files, done=tuple(done))


def record_field(draw: st.DrawFn, files: dict[str, bytes]) -> str:
    """Change one field of one record, and rebind whatever names its digest, as whoever can write the folder would."""
    name = _pick(draw, files, "records/")
    try:
        fields = json.loads(files[name])
    except ValueError:
        return "nothing"
    field, value = draw(st.sampled_from(RECORD_FIELDS)), draw(st.sampled_from(VALUES))
    if draw(st.booleans()):
        fields[field] = value
    else:
        fields.pop(field, None)
    return _rewrite(files, name, encoded(fields), rebind=draw(st.integers(0, 3)) > 0) + f" {field}={value!r}"


def some_bytes(draw: st.DrawFn, files: dict[str, bytes]) -> str:
    """Change bytes of one file."""
    name = _pick(draw, files, "")
    data = files[name]
    at = draw(st.integers(0, max(len(data) - 1, 0)))
    piece = draw(
        st.sampled_from([b"", b"x", b"\r\n", b"\xef\xbb\xbf", b"\xff", b"\0", b'"', b"<<<<<<< a\n>>>>>>> b\n"])
    )
    return _rewrite(files, name, data[:at] + piece + data[at + draw(st.integers(0, 2)) :], rebind=draw(st.booleans()))


def remove(draw: st.DrawFn, files: dict[str, bytes]) -> str:
    name = _pick(draw, files, "")
    if name != "index.json":
        del files[name]
    return name


def duplicate(draw: st.DrawFn, files: dict[str, bytes]) -> str:
    """Copy a record under another name, perhaps with another id."""
    name = _pick(draw, files, "records/")
    copy = f"records/{draw(st.sampled_from(['copy', *IDS]))}.json"
    data = files[name]
    if draw(st.booleans()):
        try:
            data = encoded({**json.loads(data), "id": draw(st.sampled_from(IDS))})
        except (ValueError, TypeError):
            return "nothing"
    files.setdefault(copy, data)
    return f"{name} as {copy}"


def pointer_field(draw: st.DrawFn, files: dict[str, bytes]) -> str:
    name = _pick(draw, files, "index")
    try:
        node = json.loads(files[name])
        entry = draw(st.sampled_from(node["entries"]))
    except (ValueError, KeyError, TypeError, IndexError):
        return "nothing"
    except Exception as error:
        if "sampled_from" not in str(error):
            raise
        return "nothing"
    if not isinstance(entry, dict):
        return "nothing"
    entry[draw(st.sampled_from(POINTER_FIELDS))] = draw(st.sampled_from([*VALUES, *KEYS, *files]))
    return _rewrite(files, name, encoded(node), rebind=True)


def point_elsewhere(draw: st.DrawFn, files: dict[str, bytes]) -> str:
    """Lead a pointer to another record, digest and id and all."""
    name, target = _pick(draw, files, "index"), _pick(draw, files, "records/")
    try:
        node, record = json.loads(files[name]), json.loads(files[target])
        entry = node["entries"][0]
        entry.update(target=target, record_id=record["id"], record_sha256=sha256(files[target]).hexdigest())
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        return "nothing"
    return _rewrite(files, name, encoded(node), rebind=True)


ACTS: tuple[Callable[[st.DrawFn, dict[str, bytes]], str], ...] = (
    record_field,
    record_field,
    some_bytes,
    remove,
    duplicate,
    pointer_field,
    point_elsewhere,
)


def _pick(draw: st.DrawFn, files: dict[str, bytes], start: str) -> str:
    names = sorted(name for name in files if name.startswith(start)) or ["index.json"]
    return draw(st.sampled_from(names))


def _rewrite(files: dict[str, bytes], name: str, data: bytes, *, rebind: bool) -> str:
    """Write a file, and if asked make every digest right that leads to it, names of files included."""
    waiting = [(name, files[name], data)]
    files[name] = data
    for _ in range(20 if rebind else 0):
        if not waiting:
            break
        place, before, after = waiting.pop()
        old, new = sha256(before).hexdigest(), sha256(after).hexdigest()
        renamed = place.replace(old[:12], new[:12])
        files[renamed] = files.pop(place)
        for other in [other for other in files if other != renamed and other.endswith(".json")]:
            held = files[other]
            made = held.replace(old.encode(), new.encode()).replace(place.encode(), renamed.encode())
            if made != held:
                files[other] = made
                waiting.append((other, held, made))
    return name
