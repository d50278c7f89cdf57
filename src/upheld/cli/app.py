"""The command framework: which commands there are, loaded one at a time.

One more command is one more file and one line in ``COMMANDS``.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from upheld import __version__
from upheld.cli.options import Shared, with_options

COMMANDS: dict[str, str] = {
    "recall": "upheld.cli.recall_command",
    "init": "upheld.cli.init_command",
    "remember": "upheld.cli.remember_command",
    "correct": "upheld.cli.correct_command",
    "review": "upheld.cli.review_command",
    "retire": "upheld.cli.retire_command",
    "restore": "upheld.cli.restore_command",
    "rename": "upheld.cli.rename_command",
    "redact": "upheld.cli.redact_command",
    "diff": "upheld.cli.diff_command",
    "due": "upheld.cli.due_command",
    "gc": "upheld.cli.gc_command",
    "doctor": "upheld.cli.doctor_command",
    "verify": "upheld.cli.verify_command",
    "history": "upheld.cli.history_command",
    "index": "upheld.cli.index_command",
    "where": "upheld.cli.where_command",
    "demo": "upheld.cli.demo_command",
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


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, package_name="upheld")
@with_options
@click.pass_context
def app(context: click.Context, /, **options: Any) -> None:
    """Memory that an AI agent may act on: verified, or refused with a reason.

    \b
    Examples:
      upheld recall customer-copy      the instruction, after every check
      upheld verify                    every fault of the store, in one run
      upheld explain HSH001            what a code means and how to mend it
    """
    context.obj = Shared(**options)


def run_app(arguments: list[str]) -> int:
    """Run a command through the framework and return its exit code.

    Raises:
        UpheldError: as the command raises it; ``cli.main`` says it and turns it into an exit code.
    """
    try:
        result = app.main(arguments, prog_name="upheld", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return 2
    except click.Abort:
        click.echo("stopped: nothing was changed", err=True)
        return 130
    return result if isinstance(result, int) else 0
