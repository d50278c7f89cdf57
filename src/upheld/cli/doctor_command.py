"""The doctor command: what is wrong with a store, and what mends it."""

from __future__ import annotations

import os

import click

from upheld.cli.asking import Terminal
from upheld.cli.options import Shared
from upheld.cli.writing import Consent, writing
from upheld.compose.client_doctor import examined_clients, with_clients
from upheld.model.reports import Diagnosis

_FAILED = 1


@click.command("doctor", short_help="What is wrong with a store, and its cure.")
@click.option("--fix", is_flag=True, help="Do what is safe: nothing is deleted, damaged bytes are kept aside.")
@click.option("--clients", is_flag=True, help="Look at the settings of agents' clients alone; no store is needed.")
@writing
def command(given: Shared, consent: Consent, fix: bool, clients: bool) -> tuple[Diagnosis, int]:
    """Examine a store and what agents' clients are told of it. Exits 1 while an error is left.

    Of the store: damaged files, loose files, conflict markers, permissions. Of Claude Code, Codex and Gemini CLI, by
    their settings and with nothing run: hooks that are not trusted or cannot run, shims, registrations that are read
    twice, a server that is not there in the first request, blocks of instructions that were edited.

    \b
    Examples:
      upheld doctor
      upheld doctor --fix
      upheld doctor --clients
    """
    if clients:
        return examined_clients(os.environ, os.getcwd()), 0
    memory = given.open()
    found = memory.doctor(fix=fix and not consent.dry_run, ask=Terminal(yes=consent.yes))
    found = with_clients(found, os.environ, os.getcwd(), memory.path)
    return found, _FAILED if any(finding.severity == "error" for finding in found.findings) else 0
