"""Read the arguments of ``recall`` without the command framework.

What is not understood here (``--help``, a misspelt option, any other verb) is left to the framework, which says so
properly. A test holds the two to the same options.
"""

from __future__ import annotations

from upheld.model.value import Value
from upheld.render.formats import FORMATS

_VALUED = {
    "--store": "store",
    "--as-of": "as_of",
    "--format": "format",
    "--pin": "pin",
    "--receipt": "receipt",
    "--chosen-by": "chosen_by",
}
_NAMED = {"--format": FORMATS, "--chosen-by": ("caller", "routing", "ambiguous")}
_SWITCHES = {"--unsealed": "unsealed", "--line": "line"}
_OWN = ("--line", "--receipt")
"""What only ``recall`` knows: before the verb, the framework refuses these."""


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class RecallCall(Value):
    """The arguments of one recall."""

    key: str
    store: str | None = None
    as_of: str | None = None
    format: str = "text"
    pin: str | None = None
    receipt: str | None = None
    chosen_by: str | None = None
    unsealed: bool = False
    line: bool = False


def parse(arguments: list[str]) -> RecallCall | None:
    """Return the call if the arguments are a plain ``recall``, else None."""
    words: list[str] = []
    options: dict[str, Any] = {}
    waiting = iter(arguments)
    for argument in waiting:
        name, equals, value = argument.partition("=")
        if name in _OWN and not words:
            return None
        if name in _VALUED:
            given = value if equals else next(waiting, None)
            if given is None or given not in _NAMED.get(name, (given,)):
                return None
            options[_VALUED[name]] = given
        elif argument in _SWITCHES:
            options[_SWITCHES[argument]] = True
        elif argument.startswith("-"):
            return None
        else:
            words.append(argument)
    if len(words) != 2 or words[0] != "recall":
        return None
    return RecallCall(key=words[1], **options)
