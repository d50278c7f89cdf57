"""The options that every command takes, before or after its name."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Concatenate, ParamSpec

import click

from upheld.compose.library import Memory
from upheld.compose.library import open as open_memory
from upheld.model.value import Value
from upheld.render.formats import FORMATS

P = ParamSpec("P")


class Shared(Value):
    """What the shared options say. None and False mean that the option was not given."""

    store: str | None = None
    unsealed: bool = False
    as_of: str | None = None
    format: str | None = None
    key: str | None = None
    pin: str | None = None

    @property
    def form(self) -> str:
        """The output format: the one that was given, else ``text``."""
        return self.format or "text"

    def over(self, outer: Shared) -> Shared:
        """Return these options, filled up with those given before the command's name."""
        return Shared(
            store=self.store if self.store is not None else outer.store,
            unsealed=self.unsealed or outer.unsealed,
            as_of=self.as_of if self.as_of is not None else outer.as_of,
            format=self.format if self.format is not None else outer.format,
            key=self.key if self.key is not None else outer.key,
            pin=self.pin if self.pin is not None else outer.pin,
        )

    def open(self) -> Memory:
        """Open the store that is meant."""
        return open_memory(self.store, unsealed=self.unsealed, as_of=self.as_of, pin=self.pin, key=self.key)


_OPTIONS = (
    click.option(
        "--store", metavar="DIR", help="The store's folder (default: UPHELD_STORE, or the nearest .upheld upward)."
    ),
    click.option("--unsealed", is_flag=True, help="UNSAFE: read a store that carries no seal. Never 'verified'."),
    click.option("--as-of", metavar="YYYY-MM-DD", help="Judge dates by this day (hypothetical unless it is today)."),
    click.option(
        "--pin",
        metavar="DIGEST@VERSION",
        help="Trust this root and no older version, for machines that remember nothing (CI). Nothing is written.",
    ),
    click.option("--format", type=click.Choice(FORMATS), help="Output format (default: text)."),
)

_SHARED = ("store", "unsealed", "as_of", "pin", "format")
"""What the options above are called. ``key`` is not among them: only commands that write take it (``cli.writing``)."""


def with_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the shared options to a command or group."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def shared(function: Callable[Concatenate[Shared, P], int | None]) -> Callable[..., Any]:
    """Give a command the shared options as one value, its first argument; what it returns is the exit code."""

    @click.pass_context
    def command(context: click.Context, /, *args: Any, **options: Any) -> None:
        own = Shared(**{name: options.pop(name) for name in _SHARED})
        given = own.over(context.obj) if isinstance(context.obj, Shared) else own
        context.exit(function(given, *args, **options) or 0)

    return with_options(update_wrapper(command, function))
