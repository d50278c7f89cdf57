"""A group of commands that are loaded one at a time, each when it is named."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """A group whose commands stand in modules of their own.

    Args:
        commands_in: name to module; the module's ``command`` is the command. Listed in this order.
        groups: headings of the help, each with the names under it; one heading for all where it is left out.
    """

    def __init__(
        self,
        *args: Any,
        commands_in: Mapping[str, str],
        groups: Mapping[str, Iterable[str]] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.commands_in = commands_in
        self.groups = groups or {"Commands": commands_in}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names, in the order of the table."""
        return list(self.commands_in)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command, or None where there is none of that name."""
        module = self.commands_in.get(cmd_name)
        if module is None:
            return None
        command = import_module(module).command
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under their headings, in one width."""
        width = max(map(len, self.commands_in))
        for heading, names in self.groups.items():
            found = [(name, self.get_command(ctx, name)) for name in names]
            room = formatter.width - 6 - width
            rows = [(name.ljust(width), command.get_short_help_str(room)) for name, command in found if command]
            with formatter.section(heading):
                formatter.write_dl(rows)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name; one that is not there is answered with its nearest."""
        if args and args[0] not in self.commands_in and not args[0].startswith("-") and not ctx.resilient_parsing:
            from difflib import get_close_matches

            near = get_close_matches(args[0], self.commands_in, n=2, cutoff=0.6)
            hint = f"; did you mean {' or '.join(f'`{name}`' for name in near)}?" if near else ""
            ctx.fail(f"there is no command `{args[0]}`{hint}")
        return super().resolve_command(ctx, args)
