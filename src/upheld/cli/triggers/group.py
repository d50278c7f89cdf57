"""The triggers group: which commands there are, loaded one at a time."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS: dict[str, str] = {
    "add": "upheld.cli.triggers.add",
    "remove": "upheld.cli.triggers.remove",
    "clear": "upheld.cli.triggers.clear",
    "show": "upheld.cli.triggers.show",
    "test": "upheld.cli.triggers.test",
    "lint": "upheld.cli.triggers.lint",
    "calibrate": "upheld.cli.triggers.calibrate",
    "build": "upheld.cli.triggers.build",
}


class _Commands(click.Group):
    """Loads a command's module only when it is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command = import_module(module).command
        return command if isinstance(command, click.Command) else None


@click.group("triggers", cls=_Commands)
def command() -> None:
    """When an instruction applies: look at it, change it, try it.

    \b
    Examples:
      upheld triggers add customer-copy --path "site/**" --fires "Write the pricing page"
      upheld triggers test tests/customer-copy.json
      upheld triggers calibrate
    """
