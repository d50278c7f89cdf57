"""Records of a form that was met before, read by one regular expression instead of a parse.

Nearly all records of a store differ in nothing but what stands between the quotes of their values. Once the strict
parser has taken one of them, everything outside those quotes is known to be sound for all of them, and so is a value
of printable ASCII without a quote or a backslash: no such value can end early, hold an escape, a surrogate or a control
character, or add a field. So a record that matches is exactly one that ``wire.strictjson`` takes, with the same fields;
of one that does not match, nothing is said. A property test holds the two to each other.
"""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Read = Callable[[str], "re.Match[str] | None"]
    Row = tuple[str | None, ...]

_VALUE = r"([ !#-\[\]-~]*)"
_LITERALS = (type(None), bool, int, float)
_MOST = 64


class RecordForms:
    """Learns the forms of flat records, and reads further records of the same forms.

    Args:
        wanted: the fields to read, each of them text or null (or missing, which reads as null).
    """

    def __init__(self, wanted: tuple[str, ...]) -> None:
        self._wanted = wanted
        self._forms: dict[int, list[tuple[Read, Callable[[Row], Row]]]] = {}
        self._count = 0

    def read(self, data: bytes) -> Row | None:
        """Return the wanted fields, in their order; None where no known form is met."""
        if not data.isascii():
            return None
        text = data.decode("ascii")
        for match, pick in self._forms.get(text.count('"'), ()):
            found = match(text)
            if found is not None:
                return pick((*found.groups(), None))
        return None

    def learn(self, data: bytes, fields: Mapping[str, object]) -> None:
        """Take in the form of a record.

        Args:
            data: its bytes.
            fields: what the strict parser made of these bytes. One that is nested, holds a backslash or a wanted field
                of another type is no form, and is left alone.
        """
        if self._count >= _MOST or not data.isascii() or b"\\" in data:
            return
        if not all(map(self._is_flat, fields, fields.values())):
            return
        # Without a backslash, every second piece between quotes is a name or a value, in the order of the fields.
        pieces = data.decode("ascii").split('"')
        values: dict[str, int] = {}
        at = 1
        for name, value in fields.items():
            at += 2
            if type(value) is str:
                values[name] = at
                at += 2
        self._add(len(pieces) - 1, pieces, values)

    def _is_flat(self, name: str, value: object) -> bool:
        return type(value) is str or (type(value) in _LITERALS and (value is None or name not in self._wanted))

    def _add(self, quotes: int, pieces: list[str], values: Mapping[str, int]) -> None:
        filled = frozenset(values.values())
        pattern = '"'.join(_VALUE if at in filled else re.escape(piece) for at, piece in enumerate(pieces))
        order = {name: number for number, name in enumerate(values)}
        pick = itemgetter(*(order.get(name, len(values)) for name in self._wanted))
        self._forms.setdefault(quotes, []).append((re.compile(pattern).fullmatch, pick))
        self._count += 1
