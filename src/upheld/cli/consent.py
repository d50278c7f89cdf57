"""Ask the person. A terminal can be faked and is a guard rail only: what holds is a key that needs somebody."""

from __future__ import annotations

from collections.abc import Iterable

import click

from upheld.cli.asking import Terminal, person, says_yes
from upheld.errors import UsageError
from upheld.render.escape import escape


def at_terminal() -> bool:
    """Whether somebody can be asked here."""
    source = person()
    if source is None:
        return False
    source.close()
    return True


def consent(lines: Iterable[str], question: str, *, yes: bool = False, automation: tuple[str, ...] = ()) -> None:
    """Show what would happen and have somebody agree.

    Args:
        lines: what would happen; escaped here.
        question: asked after them.
        yes: ``--yes`` was given. It answers only for a verb that the trust root's policy lists.
        automation: that list.

    Raises:
        UsageError: nobody can be asked, or ``--yes`` may not answer.
        Abort: the person said no.
    """
    if yes and "trust" in automation:
        return
    if yes:
        raise UsageError(
            "--yes does not answer for `trust` in this store",
            help="a person runs it at a terminal; `upheld trust policy --automation` lists what --yes may answer for",
        )
    agreed = says_yes("".join(f"{escape(line)}\n" for line in lines), question)
    if agreed is None:
        raise UsageError("a person must agree to this at a terminal", help="--dry-run shows what it would do")
    if not agreed:
        raise click.Abort


def ask_passphrase(path: str) -> str | None:
    """Ask for the passphrase of a key; None where nobody can be asked."""
    return Terminal().secret(f"Passphrase of {escape(path)}: ")


def ask_new_passphrase(path: str) -> str | None:
    """Ask twice for the passphrase of a key that is being made; None where nobody can be asked.

    Raises:
        UsageError: the two differ.
    """
    first = Terminal().secret(f"New passphrase for {escape(path)}: ")
    if first is not None and Terminal().secret("The same again: ") != first:
        raise UsageError("the two passphrases differ; nothing was made")
    return first
