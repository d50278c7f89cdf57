"""What a sync did, for people and for machines."""

from __future__ import annotations

from upheld.model.draft_state import Synced
from upheld.model.names import short
from upheld.render.escape import escape

_SAID = {
    "published": "published: your changes are on top of everybody's",
    "received": "received: the folder holds what is published",
    "up-to-date": "up to date: the folder holds what is published",
    "restored": "restored: the folder was brought back",
    "waiting": "not published yet: your own changes; `upheld sync` publishes them",
}
_MOST = 20


def text(done: Synced) -> str:
    """Say what went out, what came in and what is waiting."""
    lines = [f"{_SAID[done.outcome]} (version {done.version}, {short(done.index_sha256)})"]
    lines += [f"  sent: {_keys(done.sent)}"] if done.sent else []
    lines += [f"  received: {_keys(done.received)}"] if done.received else []
    lines += [f"  waiting: {done.waiting} event{'s' if done.waiting != 1 else ''} of your own"] if done.waiting else []
    lines += [f"  others published meanwhile: tried {done.attempts} times"] if done.attempts > 1 else []
    lines += [f"  warning: {escape(done.warning)}"] if done.warning else []
    return "\n".join(lines) + "\n"


def concise(done: Synced) -> str:
    """Say it in one line."""
    parts = [f"{done.outcome}: version {done.version}", f"{len(done.sent)} sent", f"{len(done.received)} received"]
    return ", ".join([*parts, f"{done.waiting} waiting"]) + "\n"


def as_json(done: Synced) -> dict[str, object]:
    """Return it as plain values."""
    return {name: getattr(done, name) for name in type(done)._fields}


def _keys(keys: tuple[str, ...]) -> str:
    shown = ", ".join(f"`{escape(key)}`" for key in keys[:_MOST])
    return shown + (f" and {len(keys) - _MOST} more" if len(keys) > _MOST else "")
