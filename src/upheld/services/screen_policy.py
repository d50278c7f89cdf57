"""Change what the trust root's policy says about the screen: what a code does, and which characters pass."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from upheld.errors import FaultError, UsageError
from upheld.model.codes import CODES
from upheld.model.draft import ALLOW, FLAG, REFUSE
from upheld.services.trust_next import Edit
from upheld.wire import screen_policy as wire
from upheld.wire.root import Root

FIELD = "screen"
DEFAULT = "default"
ALWAYS = "POL001"
"""A screen that fails always refuses: no policy says otherwise."""


def set_screen(actions: Iterable[str] = (), characters: Iterable[str] = (), withdrawn: Iterable[str] = ()) -> Edit:
    """Return the edit that changes the policy of the screen.

    Args:
        actions: ``CODE=refuse``, ``=flag``, ``=allow`` or ``=default``.
        characters: code points and ranges that pass from now on: ``U+200C``, ``U+E000-U+E0FF``.
        withdrawn: those that do not any more, as they stand in the policy.

    Raises:
        UsageError: (by the edit too) a word of it cannot be read, or what is to be withdrawn is not there.
    """
    pairs = [_pair(text) for text in actions]
    added, gone = tuple(characters), tuple(withdrawn)

    def edit(root: Root, now: str) -> Root:
        unknown = dict(root.policy.unknown)
        held = unknown.pop(FIELD, None)
        said = _changed(dict(held) if isinstance(held, Mapping) else {}, pairs, added, gone)
        rest = {**unknown, **({FIELD: said} if said else {})}
        return root.replace(policy=root.policy.replace(unknown=tuple(rest.items())))

    return edit


def _pair(text: str) -> tuple[str, str]:
    code, _, action = text.partition("=")
    if code not in CODES or not code.startswith("POL") or action not in (REFUSE, FLAG, ALLOW, DEFAULT):
        raise UsageError(f"{text!r:.60} says nothing about the screen", help="for example: --screen POL045=allow")
    if code == ALWAYS:
        raise UsageError(f"{ALWAYS} always refuses: it says that the screen itself failed")
    return code, action


def _changed(
    said: dict[str, object], pairs: list[tuple[str, str]], added: tuple[str, ...], gone: tuple[str, ...]
) -> dict[str, object]:
    held = said.get("actions")
    actions = {**(held if isinstance(held, Mapping) else {}), **dict(pairs)}
    listed = said.get("allowed_characters")
    characters = [str(one) for one in listed] if isinstance(listed, list | tuple) else []
    for one in gone:
        if one not in characters:
            raise UsageError(
                f"{one!r:.40} is not in the allow-list", help=f"it holds {', '.join(characters) or 'none'}"
            )
    kept = [one for one in dict.fromkeys([*characters, *added]) if one not in gone]
    said = {
        **said,
        "actions": {code: action for code, action in sorted(actions.items()) if action != DEFAULT},
        "allowed_characters": kept,
    }
    try:
        return wire.encode(said)
    except FaultError as fault:
        raise UsageError(f"no such policy can be made: {fault.path}: {fault.detail}") from None
