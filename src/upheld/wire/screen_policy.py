"""What a trust root's policy says about the screen: its field ``screen``, an object; what is left out is the default.

::

    "screen": {"actions": {"POL042": "refuse"}, "allowed_characters": ["U+E000-U+E0FF"], "limits": {"text": 20000},
               "max_examples": 64, "max_pending": 200, "max_recent": 30}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from upheld.model.codes import CODES
from upheld.model.draft import ALLOW, FLAG, REFUSE, ScreenPolicy
from upheld.wire.fields import Fields

_COUNTS = ("max_examples", "max_pending", "max_recent")


def decode(values: Mapping[str, object], place: str) -> ScreenPolicy:
    """Read the policy of the screen.

    Raises:
        FaultError: the first field that is malformed. Whoever screens refuses then.
    """
    fields = Fields(values, place, "policy.screen")
    default = ScreenPolicy()
    limits = {**dict(default.limits), **_limits(fields)}
    made = ScreenPolicy(
        actions=_actions(fields),
        allowed_characters=_ranges(fields),
        limits=tuple(limits.items()),
        **{name: fields.count(name) for name in _COUNTS if name in values},
    )
    if fields.faults:
        raise fields.faults[0]
    return made


def encode(policy: Mapping[str, object]) -> dict[str, object]:
    """Return the fields as they are written: empty ones are left out, names in order.

    Raises:
        FaultError: they do not read back.
    """
    made = {name: value for name, value in sorted(policy.items()) if value or isinstance(value, int)}
    decode(made, "the policy")
    return made


def words_of(unknown: Iterable[tuple[str, object]]) -> str:
    """Return in one line what a policy says about the screen; ``as it comes`` where it says nothing."""
    said = dict(unknown).get("screen")
    if not isinstance(said, Mapping) or not said:
        return "as it comes"
    actions, characters = said.get("actions"), said.get("allowed_characters")
    words = [f"{code} {action}" for code, action in actions.items()] if isinstance(actions, Mapping) else []
    words += [f"{one} passes" for one in characters] if isinstance(characters, list | tuple) else []
    rest = [name for name in said if name not in ("actions", "allowed_characters")]
    return ", ".join(map(str, [*words, *(f"{name} {said[name]}" for name in rest)]))


def _actions(fields: Fields) -> tuple[tuple[str, str], ...]:
    actions = fields.mapping("actions") or {}
    for code, action in actions.items():
        if code not in CODES or action not in (REFUSE, FLAG, ALLOW):
            fields.fault("FMT007", f"actions.{code}"[:80], f"a code, and one of {REFUSE}, {FLAG}, {ALLOW}, are wanted")
    return tuple((code, str(action)) for code, action in actions.items())


def _limits(fields: Fields) -> dict[str, int]:
    limits = fields.mapping("limits") or {}
    inner = Fields(limits, fields.place, "policy.screen.limits")
    made = {name: inner.count(name) for name in limits}
    fields.faults += inner.faults
    return made


def _ranges(fields: Fields) -> tuple[tuple[int, int], ...]:
    made = []
    for number, text in enumerate(fields.array("allowed_characters")):
        first, _, last = (text if isinstance(text, str) else "").partition("-")
        found = _code_point(first), _code_point(last or first)
        if not 0 <= found[0] <= found[1]:
            fields.fault("FMT007", f"allowed_characters[{number}]", "U+XXXX or U+XXXX-U+XXXX is wanted")
        made.append(found)
    return tuple(made)


def _code_point(text: str) -> int:
    digits = text.removeprefix("U+")
    is_hex = digits != text and 4 <= len(digits) <= 6 and not digits.strip("0123456789ABCDEFabcdef")
    code = int(digits, 16) if is_hex else -1
    return code if code <= 0x10FFFF else -1
