"""What every command that writes has in common: ``--yes``, ``--dry-run``, no ``--as-of``, refusals shown whole."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

import click

from upheld.cli.asking import Terminal
from upheld.cli.options import Shared, shared
from upheld.cli.output import put, write
from upheld.errors import RefusedError, UsageError
from upheld.model.answer import Refusal
from upheld.model.value import Value
from upheld.policy.windows import WINDOWS
from upheld.render.change import rendered

REFUSED = 4


class Consent(Value):
    """How this call was agreed to: ``ask`` and ``dry_run`` are arguments of every writing verb."""

    yes: bool
    dry_run: bool
    whole: bool = False

    @property
    def keywords(self) -> dict[str, Any]:
        """The two arguments."""
        return {"ask": Terminal(yes=self.yes, whole=self.whole), "dry_run": self.dry_run}


def reporting(function: Callable[..., object]) -> Callable[..., Any]:
    """Give a command the shared options, print the value that it returns, and show a refusal as one.

    A command may return a value with its exit code.
    """

    def command(given: Shared, *args: Any, **options: Any) -> int:
        try:
            value = function(given, *args, **options)
        except RefusedError as error:
            if not isinstance(error.refusal, Refusal):
                raise
            write(error.refusal, given.form)
            return REFUSED
        code = 0
        if isinstance(value, tuple):
            value, code = value
        # Lines of a source stand behind a sign of ours here, so none of them can begin like one that is painted.
        put(rendered(value, given.form), paint=given.form == "text")
        return int(code)

    return shared(update_wrapper(command, function))


def writing(function: Callable[..., object]) -> Callable[..., Any]:
    """Make a command one that writes: its second argument says how the person agreed."""

    def command(
        given: Shared, *args: Any, yes: bool, dry_run: bool, whole: bool, sealing_key: str | None, **options: Any
    ) -> object:
        given = given.replace(key=sealing_key)
        if given.as_of is not None:
            raise UsageError("a change is made today", help="leave out --as-of")
        return function(given, Consent(yes=yes, dry_run=dry_run, whole=whole), *args, **options)

    wrapped = update_wrapper(command, function)
    wrapped = click.option(
        "--key",
        "sealing_key",
        metavar="FILE",
        help="What seals: a private key file, agent, or agent:FINGERPRINT (default: UPHELD_KEY, or what is found).",
    )(wrapped)
    wrapped = click.option(
        "--yes", is_flag=True, help="Answer the question with yes; only for verbs that the store's policy automates."
    )(wrapped)
    wrapped = click.option("--diff", "whole", is_flag=True, help="Show every file as a diff before asking.")(wrapped)
    wrapped = click.option("--dry-run", is_flag=True, help="Show the exact change as a diff; write nothing.")(wrapped)
    return reporting(wrapped)


def dated(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say when a version is to be reviewed and when it expires."""
    for option in (
        click.option("--expires-on", metavar="YYYY-MM-DD", help="The day from which it is refused as expired."),
        click.option("--review-on", metavar="YYYY-MM-DD", help="The day from which it is refused until reviewed."),
        click.option(
            "--volatility",
            type=click.Choice(list(WINDOWS)),
            help="Days to review and expiry: volatile 14/30, normal 90/180, stable 180/365.",
        ),
    ):
        function = option(function)
    return function


def because(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the reason, which is asked for at a terminal where it is not given."""
    return click.option("--because", metavar="TEXT", help="Why; asked for at a terminal. It stands in the record.")(
        function
    )


def owned(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the owner."""
    return click.option(
        "--owner", metavar="NAME", help="Who answers for it (default: UPHELD_OWNER, git's user.name, login)."
    )(function)
