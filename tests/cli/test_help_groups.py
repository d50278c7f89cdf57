"""The help shows every command once, under what a person wants to do."""

from __future__ import annotations

from click.testing import CliRunner

from upheld.cli.app import COMMANDS, GROUPS, app


def test_the_help_shows_each_command_once_under_its_heading() -> None:
    lines = CliRunner().invoke(app, ["--help"]).output.splitlines()
    start = lines.index("Read:")
    shown: dict[str, list[str]] = {}
    heading = ""
    for line in filter(None, lines[start:]):
        if line.startswith("  "):
            shown[heading].append(line.split()[0])
        else:
            heading = line.removesuffix(":")
            shown[heading] = []
    assert shown == {group: list(names) for group, names in GROUPS.items()}
    assert sum(map(len, GROUPS.values())) == len(COMMANDS)
