"""Several pointers fired at once: which of them load."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def resolve(fired: set[int], overrides: Callable[[int], set[int]]) -> set[int]:
    """Drop every pointer that another one, itself fired, declares to override.

    Two that override each other cancel out: both stay, and the tie is for a person.
    """
    given = {pointer: overrides(pointer) & fired for pointer in fired}
    return {
        pointer
        for pointer in fired
        if not any(pointer in given[other] and other not in given[pointer] for other in fired if other != pointer)
    }


def load_together(fired: set[int], together: Callable[[int], set[int]]) -> bool:
    """Whether every two of the pointers name each other, so that all load."""
    named = {pointer: together(pointer) for pointer in fired}
    return all(other in named[pointer] for pointer in fired for other in fired if other != pointer)
