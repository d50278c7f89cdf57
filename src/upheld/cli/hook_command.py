"""The help of hook; ``upheld.__main__`` sends the calls themselves to ``upheld.hooks``, which loads no framework."""

from __future__ import annotations

import click

from upheld.errors import UsageError

CLIENTS = ("claude", "codex", "gemini", "copilot", "cursor", "vscode", "opencode")
EVENTS = ("session-start", "prompt", "before-tool", "after-tool", "subagent-start")


@click.command("hook", short_help="What an agent's client runs at its events.")
@click.option(
    "--client", metavar="NAME", type=click.Choice(CLIENTS), required=True, help=f"One of {', '.join(CLIENTS)}."
)
@click.argument("event", metavar="EVENT", type=click.Choice(EVENTS))
def command(client: str, event: str) -> int:
    """Answer one event of an agent's client: its JSON on standard input, the answer in its own form on standard output.

    EVENT is session-start (the index, what is due, what waits), prompt (the verified text that governs it, the
    candidates, or the refusal), before-tool (what governs a path, a tool or a command; calls that no agent may make
    are denied), after-tool (the same without the denial, for Gemini CLI, which takes no text before a tool) or
    subagent-start. `upheld connect` writes these calls into a client's settings. The exit code is 0
    whatever happens: a fault is said to the model, and does not stop a prompt.

    \b
    Examples:
      upheld hook --client claude prompt < event.json
      echo '{"session_id": "s", "cwd": "'"$PWD"'", "source": "startup"}' |
        upheld hook --client codex session-start
    """
    raise UsageError(
        f"`upheld hook --client {client} {event}` runs as a process of its own", help="`upheld hook --help`"
    )
