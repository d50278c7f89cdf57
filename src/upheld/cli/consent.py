"""Ask the person. A terminal can be faked and is a guard rail only: what holds is a key that needs somebody."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from upheld.errors import UsageError
from upheld.render.escape import escape


def at_terminal() -> bool:
    """Whether somebody can be asked here."""
    return sys.stdin.isatty() and sys.stderr.isatty()


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
    if not at_terminal():
        raise UsageError("a person must agree to this at a terminal", help="--dry-run shows what it would do")
    for line in lines:
        click.echo(escape(line), err=True)
    click.confirm(escape(question), default=False, abort=True, err=True)


def ask_passphrase(path: str) -> str | None:
    """Ask for the passphrase of a key; None where nobody can be asked."""
    if not at_terminal():
        return None
    shown: str = click.prompt(
        f"Passphrase of {escape(path)}", hide_input=True, err=True, default="", show_default=False
    )
    return shown


def ask_new_passphrase(path: str) -> str | None:
    """Ask for a passphrase twice, for a key that is being made; None where nobody can be asked."""
    if not at_terminal():
        return None
    shown: str = click.prompt(f"New passphrase for {escape(path)}", hide_input=True, confirmation_prompt=True, err=True)
    return shown
