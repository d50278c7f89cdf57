"""Takes the fields of the trust root, exactly typed and bounded.

Unlike ``wire.fields``, the first fault is raised: who may seal is never read out of half a file. What nobody took is
kept for writing the next version.
"""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.model.day import is_day
from upheld.wire.instant import is_instant

_TEXT_LIMIT = 256
_NAME_LIMIT = 128
_NAME_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:-")


class RootFields:
    """One object of a parsed file.

    Args:
        data: what strict JSON made of it.
        code: the finding's code that every fault carries.
        place: the file, relative to the store.
        prefix: dotted path of this object inside the file; empty for the outermost.
    """

    __slots__ = ("_code", "_data", "_place", "_prefix", "_taken")

    def __init__(self, data: dict[str, object], *, code: str, place: str, prefix: str = "") -> None:
        self._data = data
        self._code = code
        self._place = place
        self._prefix = prefix
        self._taken: set[str] = set()

    def path(self, field: str) -> str:
        """The dotted path of one of this object's fields."""
        return f"{self._prefix}.{field}" if self._prefix else field

    def fault(self, field: str, detail: str) -> FaultError:
        """Make the error that names a field; the caller raises it."""
        return FaultError(self._code, self._place, path=self.path(field), detail=detail)

    def has(self, field: str) -> bool:
        """Whether the field is there."""
        return field in self._data

    def rest(self) -> tuple[tuple[str, object], ...]:
        """The fields that nobody took, in their order."""
        return tuple((name, value) for name, value in self._data.items() if name not in self._taken)

    def text(self, field: str, *, limit: int = _TEXT_LIMIT) -> str:
        """A printable text of 1 to ``limit`` characters on one line."""
        value = self._take(field)
        if type(value) is not str:
            raise self.fault(field, "it is not a text")
        if not 0 < len(value) <= limit or not value.isprintable():
            raise self.fault(field, f"it is not one printable line of 1 to {limit} characters")
        return value

    def name(self, field: str) -> str:
        """A text of ASCII letters, digits and ``._:-``."""
        value = self.text(field, limit=_NAME_LIMIT)
        if set(value) - _NAME_CHARACTERS:
            raise self.fault(field, "it holds more than ASCII letters, digits and ._:-")
        return value

    def day(self, field: str) -> str:
        """A real day, ``YYYY-MM-DD``."""
        value = self.text(field)
        if not is_day(value):
            raise self.fault(field, "it is not a day written as YYYY-MM-DD")
        return value

    def instant(self, field: str) -> str:
        """A real second in UTC, ``YYYY-MM-DDThh:mm:ssZ``."""
        value = self.text(field)
        if not is_instant(value):
            raise self.fault(field, "it is not an instant written as YYYY-MM-DDThh:mm:ssZ")
        return value

    def integer(self, field: str, least: int, most: int) -> int:
        """A whole number within bounds; ``true`` and ``1.0`` are none."""
        value = self._take(field)
        if type(value) is not int or not least <= value <= most:
            raise self.fault(field, f"it is not a whole number from {least} to {most}")
        return value

    def optional_integer(self, field: str, least: int, most: int) -> int | None:
        """A whole number within bounds, or ``null``; leaving the field out is a fault."""
        return None if self._take(field) is None else self.integer(field, least, most)

    def optional_text(self, field: str) -> str | None:
        """A text, or ``null``; leaving the field out is a fault."""
        return None if self._take(field) is None else self.text(field)

    def names(self, field: str, limit: int) -> tuple[str, ...]:
        """A list of at most ``limit`` different names."""
        items = self._list(field, 0, limit)
        indexed = RootFields(
            {f"{field}[{at}]": item for at, item in enumerate(items)},
            code=self._code,
            place=self._place,
            prefix=self._prefix,
        )
        found = tuple(indexed.name(f"{field}[{at}]") for at in range(len(items)))
        for at, name in enumerate(found):
            if name in found[:at]:
                raise self.fault(f"{field}[{at}]", "it is listed twice")
        return found

    def nested(self, field: str) -> RootFields:
        """A nested object."""
        return self._nested(field, self._take(field))

    def nested_list(self, field: str, least: int, most: int) -> tuple[RootFields, ...]:
        """A list of ``least`` to ``most`` nested objects."""
        items = self._list(field, least, most)
        return tuple(self._nested(f"{field}[{at}]", item) for at, item in enumerate(items))

    def _nested(self, field: str, value: object) -> RootFields:
        if type(value) is not dict:
            raise self.fault(field, "it is not an object")
        return RootFields(value, code=self._code, place=self._place, prefix=self.path(field))

    def _list(self, field: str, least: int, most: int) -> list[object]:
        value = self._take(field)
        if type(value) is not list or not least <= len(value) <= most:
            raise self.fault(field, f"it is not a list of {least} to {most} entries")
        return value

    def _take(self, field: str) -> object:
        if field not in self._data:
            raise self.fault(field, "it is missing")
        self._taken.add(field)
        return self._data[field]
