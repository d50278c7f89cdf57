"""Read the arguments of ``route`` without the command framework; ``cli.cold`` does it for ``recall``.

What is not understood here is left to the framework. A test holds the two to the same options.
"""

from __future__ import annotations

from upheld.model.value import Value
from upheld.render.formats import FORMATS

VALUED = {"--as-of": "as_of", "--format": "format", "--pin": "pin"}
MANY = {"--store": "stores", "--path": "paths", "--tool": "tools", "--command": "commands"}
SWITCHES = {"--unsealed": "unsealed", "--load": "load", "--ranked": "ranked", "--semantic": "semantic"}

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class RouteCall(Value):
    """The arguments of one route."""

    task: str
    stores: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    as_of: str | None = None
    format: str = "text"
    pin: str | None = None
    unsealed: bool = False
    load: bool = False
    ranked: bool = False
    semantic: bool = False


def parse(arguments: list[str]) -> RouteCall | None:
    """Return the call if the arguments are a plain ``route`` with its options behind it, else None."""
    words: list[str] = []
    options: dict[str, Any] = {}
    waiting = iter(arguments[1:])
    for argument in waiting:
        name, equals, value = argument.partition("=")
        if name in VALUED or name in MANY:
            given = value if equals else next(waiting, None)
            if given is None:
                return None
            if name in VALUED:
                options[VALUED[name]] = given
            else:
                options[MANY[name]] = (*options.get(MANY[name], ()), given)
        elif argument in SWITCHES:
            options[SWITCHES[argument]] = True
        elif argument.startswith("-"):
            return None
        else:
            words.append(argument)
    if arguments[:1] != ["route"] or len(words) != 1 or options.get("format", "text") not in FORMATS:
        return None
    return RouteCall(task=words[0], **options)
