"""The trust in a store, for people at a terminal."""

from __future__ import annotations

from upheld.model.names import short
from upheld.render.escape import bounded, escape
from upheld.render.finding import told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.done import Done
    from upheld.model.trust_view import KeyView, TrustView
    from upheld.model.trusted import Head

_WIDTH = 27


def trust(view: TrustView) -> str:
    """Render the root, its keys and policy, and what is remembered, one fact a line."""
    parts = [told(finding) for finding in view.findings]
    parts.append(f"{escape(view.path)}\n")
    if view.root_sha256:
        parts += _root(view)
    else:
        parts.append("there is no trust root: the store is not sealed\n")
    parts += _state(view)
    if view.root_sha256 and not view.pinned:
        parts.append("\ncompare the root digest with what the store's owner tells you, then: upheld trust pin DIGEST\n")
    if view.pin:
        parts.append(f"\nfor CI:         --pin {view.pin}\nfor colleagues: {view.command}\n")
    return "".join(parts)


def _root(view: TrustView) -> list[str]:
    whose = "pinned here" if view.pinned else "NOT pinned here: only what the store's own files say"
    lines = [
        _line("trust root", f"version {view.root_version} ({whose})"),
        _line("root digest", view.root_sha256),
        _line("store", view.store_id),
        _line("expires on", view.root_expires_on),
        _line("signers needed", f"{view.threshold} of {len(view.keys)}, to change the root"),
    ]
    lines += [_key(key) for key in view.keys]
    return lines + [_line(label, text) for label, text in view.policy]


def _key(key: KeyView) -> str:
    end = f", expires on {key.expires_on}" if key.expires_on else ""
    return _line("key", f"{key.fingerprint}  {key.name}  id {key.key_id}  {key.standing}{end}")


def _state(view: TrustView) -> list[str]:
    lines = [_line("place", view.place)]
    if view.unsealed:
        lines.append(_line("UNSAFE", "this place is read without a seal (`upheld trust allow-unsealed --off`)"))
    if not view.pinned:
        return lines
    lines.append(_line("newest accepted", _head(view.head)))
    if view.published != view.head:
        lines.append(_line("newest published", _head(view.published)))
    lines.append(_line("seal checked again", f"on {view.valid_until}"))
    lines.append(_line("clock mark", f"{view.clock_mark or 'none'} (never past {view.clock_limit})"))
    if view.remote is not None:
        lines.append(_line("shared at", f"{view.remote}, last sync {view.synced_on or 'never'}"))
    lines += [_line("mentioned", name) for name in view.warnings if name not in view.accepted]
    return lines + [_line("accepted by name", name) for name in view.accepted]


def _head(head: Head | None) -> str:
    return "none" if head is None else f"version {head.version} under root {head.root_version} ({short(head.sha256)})"


def _line(label: str, text: str) -> str:
    return f"   {label:<{_WIDTH}}{bounded(text, 400)}\n"


def done(done: Done) -> str:
    """Render an act, what came of it, and what should be known besides."""
    first = f"{escape(done.what)}{' (nothing was written)' if done.dry_run else ''}\n"
    width = max([len(label) for label, _ in done.facts], default=0) + 2
    lines = [f"   {escape(label):<{width}}{bounded(text, 400)}\n" for label, text in done.facts]
    return first + "".join(lines) + "".join(f"note: {bounded(note, 400)}\n" for note in done.notes)
