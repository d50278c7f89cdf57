"""The triggers group: which commands there are, loaded one at a time."""

from __future__ import annotations

import click

from upheld.cli.lazy import LazyGroup

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


@click.group("triggers", cls=LazyGroup, commands_in=COMMANDS)
def command() -> None:
    """When an instruction applies: look at it, change it, try it.

    \b
    Examples:
      upheld triggers add customer-copy --path "site/**" --fires "Write the pricing page"
      upheld triggers test tests/customer-copy.json
      upheld triggers calibrate
    """
