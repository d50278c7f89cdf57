"""The trust group: which commands there are, loaded one at a time."""

from __future__ import annotations

from importlib import import_module

import click

COMMANDS: dict[str, str] = {
    "show": "upheld.cli.trust.show",
    "pin": "upheld.cli.trust.pin",
    "add-key": "upheld.cli.trust.add_key",
    "rotate": "upheld.cli.trust.rotate",
    "revoke": "upheld.cli.trust.revoke",
    "renew": "upheld.cli.trust.renew",
    "policy": "upheld.cli.trust.policy",
    "sign": "upheld.cli.trust.sign",
    "apply": "upheld.cli.trust.apply",
    "clock": "upheld.cli.trust.clock",
    "accept": "upheld.cli.trust.accept",
    "allow-unsealed": "upheld.cli.trust.allow_unsealed",
    "forget": "upheld.cli.trust.forget",
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


@click.group("trust", short_help="Whose seals count here.", cls=_Commands)
def command() -> None:
    """Whose seals count here: look at it, pin it, change it.

    \b
    Examples:
      upheld trust show            the trust root, its keys, and what this machine remembers
      upheld trust pin DIGEST      trust a store that somebody else sealed, after comparing the digest
      upheld trust rotate --to ~/.ssh/new_key
    """
