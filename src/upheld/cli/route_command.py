"""The route command as the framework sees it: its help, and the calls that ``cli.cold_route`` leaves to it."""

from __future__ import annotations

from typing import Any

import click

from upheld.cli.cold_route import RouteCall
from upheld.cli.options import Shared, with_options
from upheld.cli.route import run


def _many_stores(command: click.Command) -> click.Command:
    """Let ``--store`` be given several times, in place of the shared option of that name."""
    several = click.Option(
        ["--store", "stores"], multiple=True, metavar="DIR", help="A store's folder; give it again to ask several."
    )
    command.params = [several if parameter.name == "store" else parameter for parameter in command.params]
    return command


@click.command("route", short_help="The key that governs a task, or none, or a choice.")
@click.argument("task")
@click.option("--path", "paths", multiple=True, metavar="P", help="A file at hand, relative to the repository.")
@click.option("--tool", "tools", multiple=True, metavar="T", help="A tool about to be used.")
@click.option("--command", "commands", multiple=True, metavar="C", help="A command about to be run, the whole line.")
@click.option("--load", is_flag=True, help="Also recall what matches.")
@click.option("--ranked", is_flag=True, help="Where two stores match the same key, the one named first counts.")
@click.option("--semantic", is_flag=True, help="Score texts by their sense too: slow, needs `upheld[semantic]`.")
@with_options
@click.pass_context
def command(context: click.Context, /, task: str, **options: Any) -> None:
    """Find what governs TASK: one key, none, or several to choose from.

    Exits 0 for a match and for none, 4 where it is ambiguous or something is refused, 3 where there is no route index
    of this version of the store (`upheld triggers build`).

    \b
    Examples:
      upheld route "Write the release notes for 2.4"
      upheld route "Fix the typo" --path docs/legal/terms.md --load
      upheld route "Ship it" --command "git push origin main" --format json
      upheld route "Tell customers what is new" --semantic
    """
    stores = options.pop("stores")
    own = Shared(**{name: options.pop(name) for name in ("unsealed", "as_of", "pin", "format")})
    given = own.over(context.obj) if isinstance(context.obj, Shared) else own
    call = RouteCall(
        task=task,
        stores=stores or ((given.store,) if given.store is not None else ()),
        as_of=given.as_of,
        format=given.form,
        pin=given.pin,
        unsealed=given.unsealed,
        **options,
    )
    context.exit(run(call))


command = _many_stores(command)
