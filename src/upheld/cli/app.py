"""The command framework: which commands there are, loaded one at a time.

One more command is one more file and one line in ``GROUPS``.
"""

from __future__ import annotations

import sys
from typing import Any

import click

from upheld import __version__
from upheld.cli.lazy import LazyGroup
from upheld.cli.options import Shared, with_options
from upheld.errors import UsageError

GROUPS: dict[str, dict[str, str]] = {
    "Read": {
        "recall": "upheld.cli.recall_command",
        "route": "upheld.cli.route_command",
        "index": "upheld.cli.index_command",
        "history": "upheld.cli.history_command",
        "show": "upheld.cli.show_command",
        "diff": "upheld.cli.diff_command",
        "where": "upheld.cli.where_command",
        "explain": "upheld.cli.explain_command",
    },
    "Write": {
        "init": "upheld.cli.init_command",
        "remember": "upheld.cli.remember_command",
        "correct": "upheld.cli.correct_command",
        "review": "upheld.cli.review_command",
        "due": "upheld.cli.due_command",
        "retire": "upheld.cli.retire_command",
        "restore": "upheld.cli.restore_command",
        "rename": "upheld.cli.rename_command",
        "redact": "upheld.cli.redact_command",
        "import": "upheld.cli.import_command",
        "triggers": "upheld.cli.triggers.group",
    },
    "Trust and check": {
        "verify": "upheld.cli.verify_command",
        "doctor": "upheld.cli.doctor_command",
        "trust": "upheld.cli.trust.group",
        "log": "upheld.cli.log.group",
        "receipt": "upheld.cli.receipt_command",
        "gc": "upheld.cli.gc_command",
        "migrate": "upheld.cli.migrate_command",
    },
    "Work together": {
        "propose": "upheld.cli.propose_command",
        "inbox": "upheld.cli.inbox_command",
        "approve": "upheld.cli.approve_command",
        "reject": "upheld.cli.reject_command",
        "sync": "upheld.cli.sync_command",
        "resolve": "upheld.cli.resolve_command",
        "draft": "upheld.cli.draft_command",
    },
    "Agents' clients, and a try": {
        "connect": "upheld.cli.connect_command",
        "disconnect": "upheld.cli.disconnect_command",
        "mcp": "upheld.cli.mcp_command",
        "hook": "upheld.cli.hook_command",
        "demo": "upheld.cli.demo_command",
    },
}
"""What the help shows the commands under, by what a person wants to do."""

COMMANDS = {name: module for group in GROUPS.values() for name, module in group.items()}


@click.group(
    cls=LazyGroup,
    commands_in=COMMANDS,
    groups=GROUPS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, package_name="upheld")
@with_options
@click.pass_context
def app(context: click.Context, /, **options: Any) -> None:
    """Memory that an AI agent may act on: verified, or refused with a reason.

    \b
    Examples:
      upheld demo                      watch it serve a store, and refuse it once it is spoilt
      upheld recall customer-copy      the instruction, after every check
      upheld verify                    every fault of the store, in one run
      upheld explain HSH001            what a code means and how to mend it
    """
    context.obj = Shared(**options)
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def run_app(arguments: list[str]) -> int:
    """Run a command through the framework and return its exit code.

    Raises:
        UpheldError: as the command raises it; ``cli.main`` says it and turns it into an exit code.
    """
    try:
        result = app.main(arguments, prog_name="upheld", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())  # a group without a command: what there is to choose from
        return 0
    except click.ClickException as error:
        raise _usage_error(error) from None
    except click.Abort:
        click.echo("stopped: nothing was changed", err=True)
        return 130
    unsaved = sys.modules.get("upheld.cli.unsaved")  # there only where somebody was asked to write
    if unsaved is not None:
        unsaved.say() if result else unsaved.used()
    return result if isinstance(result, int) else 0


def _usage_error(error: click.ClickException) -> UsageError:
    """Return what is wrong with the call as every other error is said."""
    message = error.format_message().rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    path = context.command_path if context is not None else "upheld"
    return UsageError(message[:1].lower() + message[1:], help=f"`{path} --help`")
