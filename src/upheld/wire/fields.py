"""Typed access to the fields of one parsed JSON object. Every fault names the file and the dotted path."""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.model.names import is_digest, unsafe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


class Fields:
    """A cursor on one JSON object.

    Faults are collected in ``faults`` rather than raised, so that one run reports all of them; a field that has one
    reads as its empty value, and whoever decodes must look at ``faults`` before trusting any field.
    """

    __slots__ = ("faults", "path", "place", "values")

    def __init__(self, values: Mapping[str, object], place: str, path: str = "") -> None:
        self.values = values
        self.place = place
        self.path = path
        self.faults: list[FaultError] = []

    def fault(self, code: str, name: str, detail: str) -> None:
        """Note a fault of the field ``name``."""
        self.faults.append(
            FaultError(code, self.place, path=f"{self.path}.{name}" if self.path else name, detail=detail)
        )

    def text(self, name: str) -> str:
        """Return a required, non-empty string."""
        value = self.values.get(name)
        if type(value) is str and value:
            return value
        if name not in self.values:
            self.fault("FMT008", name, "it is missing")
        else:
            self.fault("FMT007", name, f"a non-empty string is wanted, not {kind(value)}")
        return ""

    def optional_text(self, name: str) -> str | None:
        """Return a string, or None where the field is missing or null."""
        value = self.values.get(name)
        if value is None or type(value) is str:
            return value
        self.fault("FMT007", name, f"a string is wanted, not {kind(value)}")
        return None

    def digest(self, name: str) -> str:
        """Return a required SHA-256 digest."""
        value = self.text(name)
        if value and not is_digest(value):
            self.fault("FMT007", name, "64 lower-case hexadecimal digits are wanted")
        return value

    def optional_digest(self, name: str) -> str | None:
        """Return a SHA-256 digest, or None where the field is missing or null."""
        return None if self.values.get(name) is None else self.digest(name)

    def path_name(self, name: str) -> str:
        """Return a required relative path that is safe to open below the store."""
        value = self.text(name)
        reason = unsafe(value) if value else ""
        if reason:
            self.fault("STO002", name, reason)
        return value

    def count(self, name: str) -> int:
        """Return a required whole number that is not negative."""
        value = self.values.get(name)
        if type(value) is int and value >= 0:
            return value
        if name not in self.values:
            self.fault("FMT008", name, "it is missing")
        else:
            self.fault("FMT007", name, f"a whole number, 0 or more, is wanted, not {kind(value)}")
        return 0

    def mapping(self, name: str) -> Mapping[str, object] | None:
        """Return an object, or None where the field is missing or null."""
        value = self.values.get(name)
        if value is None or isinstance(value, dict):
            return value
        self.fault("FMT007", name, f"an object is wanted, not {kind(value)}")
        return None

    def array(self, name: str) -> tuple[object, ...]:
        """Return an array; empty where the field is missing."""
        value = self.values.get(name, [])
        if isinstance(value, list):
            return tuple(value)
        self.fault("FMT007", name, f"an array is wanted, not {kind(value)}")
        return ()


def kind(value: object) -> str:
    """Name the JSON type of a value, for a person."""
    if value is None:
        return "null"
    if value == "":
        return "an empty string"
    names = {
        bool: "a boolean",
        int: "a number",
        float: "a number",
        str: "a string",
        list: "an array",
        dict: "an object",
    }
    return names[type(value)]
