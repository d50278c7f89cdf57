"""What connect and disconnect share: their options, the question, and how an outcome is printed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from upheld.cli.asking import person
from upheld.cli.options import Shared
from upheld.cli.output import put
from upheld.compose.connecting import Plan, carry_out
from upheld.errors import UsageError
from upheld.model.connection import Connection
from upheld.render import connection as render
from upheld.render.escape import escape
from upheld.services.connect.clients import CLIENTS
from upheld.services.connect.registration import SCOPES

CLIENT_NAMES = tuple(CLIENTS)


def with_scope(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --scope, --dry-run and --yes."""
    for option in (
        click.option("--yes", is_flag=True, help="Answer the question with yes."),
        click.option("--dry-run", is_flag=True, help="Show the change; write nothing."),
        click.option(
            "--scope",
            type=click.Choice(SCOPES),
            default="user",
            show_default=True,
            help="Your own settings, or those of the project that you are in.",
        ),
    ):
        function = option(function)
    return function


def outcome(plan: Plan | Connection, given: Shared, *, yes: bool = False, dry_run: bool = False) -> int:
    """Ask where something would be written, do it, and print what came of it.

    Raises:
        UsageError: nobody can be asked, or the format shows faults only.
        Abort: the person said no.
    """
    form = {"text": render.text, "concise": render.text, "json": render.json}.get(given.form)
    if form is None:
        raise UsageError(f"--format {given.form} shows faults only", help="use text or json")
    made = plan if isinstance(plan, Connection) else plan.connection
    if isinstance(plan, Plan) and plan.files and not dry_run:
        if not yes:
            _ask(made)
        made = carry_out(plan)
    put(form(made))
    return 0


def _ask(planned: Connection) -> None:
    source = person()
    if source is None:
        raise UsageError(
            f"`{planned.verb}` needs a person's yes, and there is no terminal to ask at",
            help="look at it with --dry-run; answer with --yes",
        )
    with source:
        sys.stderr.write(f"{render.shown(planned)}{planned.verb} {escape(planned.title)}? [y/N] ")
        sys.stderr.flush()
        if source.readline().strip().lower() not in ("y", "yes"):
            raise click.Abort
