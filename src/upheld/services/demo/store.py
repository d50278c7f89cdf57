"""The demonstration's store: two instructions of this project's own, one of them corrected once.

Days are counted from the day it is built, so that the demonstration never goes stale.
"""

from __future__ import annotations

import json
from datetime import date, timedelta

from upheld.wire.digest import sha256_hex

KEY = "release-notes"
NEIGHBOUR = "support-hours"
NEIGHBOUR_RECORD = "support-hours-v1"
"""The id of the neighbour's record in the article's form."""

OLD_NOTES = """\
# Release notes

List every merged change by its title.
"""
NOTES = """\
# Release notes

Write release notes for the person who upgrades: what they can do now, and what they must change first.

Leave out what only the maintainers can notice. One sentence a change, in the present tense.
"""
HOURS = """\
# Support hours

Promise an answer within two working days, never within hours.
"""

TEXTS = {KEY: NOTES, NEIGHBOUR: HOURS}
"""What a reader must be served, key by key."""
WHEN = {
    KEY: "Before writing or changing release notes",
    NEIGHBOUR: "Before promising anybody when they will hear from us",
}
WHY = {
    KEY: "Readers asked what they have to do.",
    NEIGHBOUR: "The team works across three time zones.",
}
WHY_OLD = "Titles say too little."

Fields = dict[str, object]


def build(today: str) -> dict[str, bytes]:
    """Return the files of the store in the article's form, unsealed, as of ``today`` (``YYYY-MM-DD``)."""
    files = {
        "sources/release-notes-v1.md": OLD_NOTES.encode(),
        "sources/release-notes-v2.md": NOTES.encode(),
        "sources/support-hours-v1.md": HOURS.encode(),
    }
    records: list[Fields] = [
        _record(files, "release-notes-v1", days_from(today, -200), days_from(today, -110), days_from(today, -20))
        | {"status": "superseded", "superseded_by": "release-notes-v2", "change_reason": WHY_OLD},
        _record(files, "release-notes-v2", days_from(today, -30), days_from(today, 60), days_from(today, 150))
        | {"supersedes": "release-notes-v1", "change_reason": WHY[KEY]},
        _record(files, "support-hours-v1", days_from(today, -30), days_from(today, 60), days_from(today, 150))
        | {"change_reason": WHY[NEIGHBOUR]},
    ]
    for record in records:
        files[f"records/{record['id']}.json"] = as_json(record)
    entries = [
        _pointer(files, KEY, "release-notes-v2", WHEN[KEY]),
        _pointer(files, NEIGHBOUR, "support-hours-v1", WHEN[NEIGHBOUR]),
    ]
    files["index.json"] = as_json({"schema_version": "1.0", "entries": entries})
    return files


def days_from(today: str, offset: int) -> str:
    """Return the day that lies ``offset`` days after ``today``."""
    return (date.fromisoformat(today) + timedelta(days=offset)).isoformat()


def _record(files: dict[str, bytes], name: str, verified: str, review: str, expiry: str) -> Fields:
    source = f"sources/{name}.md"
    return {
        "id": name,
        "status": "current",
        "recorded_on": verified,
        "last_verified": verified,
        "review_on": review,
        "expires_on": expiry,
        "durable_source": source,
        "source_sha256": sha256_hex(files[source]),
    }


def _pointer(files: dict[str, bytes], key: str, record: str, read_when: str) -> Fields:
    target = f"records/{record}.json"
    return {
        "key": key,
        "read_when": read_when,
        "record_id": record,
        "target": target,
        "record_sha256": sha256_hex(files[target]),
    }


def as_json(value: Fields) -> bytes:
    """Write one JSON file of the store."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()
