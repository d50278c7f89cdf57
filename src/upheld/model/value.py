"""The one way to declare a frozen, slotted, keyword-only value without importing ``dataclasses``.

Values stand on the cold path, where ``dataclasses`` would cost more than a whole recall (docs/adr/0003-cold-path.md).
A subclass is written like a dataclass, and type checkers see it as one::

    class Point(Value):
        x: int
        y: int = 0
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self, dataclass_transform
else:

    def dataclass_transform(**_: object) -> object:
        """Stand in for ``typing.dataclass_transform``, which only type checkers need."""
        return lambda decorated: decorated


@dataclass_transform(frozen_default=True, kw_only_default=True)
class _Frozen(type):
    """Turns annotations into slots, and class attributes of the same names into defaults."""

    _fields: tuple[str, ...]
    _names: frozenset[str]
    _defaults: dict[str, object]

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> Any:
        own = tuple(namespace.get("__annotations__", {}))
        defaults = {field: namespace.pop(field) for field in own if field in namespace}
        inherited: tuple[str, ...] = ()
        for base in bases:
            inherited += getattr(base, "_fields", ())
            defaults = {**getattr(base, "_defaults", {}), **defaults}
        namespace["__slots__"] = own
        made: Any = super().__new__(cls, name, bases, namespace)
        made._fields = inherited + own
        made._names = frozenset(made._fields)
        made._defaults = defaults
        return made


def _wrong_fields(kind: type[Value], fields: dict[str, Any]) -> str:
    for name in kind._fields:
        if name not in fields:
            return f"{kind.__name__} needs {name!r}"
    return f"{kind.__name__} has no field {next(name for name in fields if name not in kind._names)!r}"


class Value(metaclass=_Frozen):
    """A frozen value: built by keyword, compared and hashed by content.

    Raises:
        TypeError: a field is missing or unknown.
        AttributeError: on any attempt to change a field.
    """

    def __init__(self, **fields: Any) -> None:
        kind = type(self)
        filled = {**kind._defaults, **fields} if kind._defaults else fields
        if filled.keys() != kind._names:
            raise TypeError(_wrong_fields(kind, filled))
        put = object.__setattr__
        for name, value in filled.items():
            put(self, name, value)

    def replace(self, **changes: Any) -> Self:
        """Return a copy with the named fields changed."""
        return type(self)(**{**{name: getattr(self, name) for name in type(self)._fields}, **changes})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: cannot set {name!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: cannot delete {name!r}")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in type(self)._fields)

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, name) for name in type(self)._fields)))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in type(self)._fields)
        return f"{type(self).__name__}({shown})"
