"""The trust group: which commands there are, loaded one at a time."""

from __future__ import annotations

import click

from upheld.cli.lazy import LazyGroup

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


@click.group("trust", short_help="Whose seals count here.", cls=LazyGroup, commands_in=COMMANDS)
def command() -> None:
    """Whose seals count here: look at it, pin it, change it.

    \b
    Examples:
      upheld trust show            the trust root, its keys, and what this machine remembers
      upheld trust pin DIGEST      trust a store that somebody else sealed, after comparing the digest
      upheld trust rotate --to ~/.ssh/new_key
    """
