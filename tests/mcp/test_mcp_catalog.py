from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from upheld import __version__
from upheld.mcp import catalog
from upheld.mcp.arguments import MAX_ITEMS, MAX_TEXT, faults
from upheld.mcp.catalog import TOOLS, input_schema

ROOT = Path(__file__).parent.parent.parent
FORBIDDEN = {"date", "as_of", "day", "today", "now", "unsealed", "path", "store", "folder", "file", "pin", "key_file"}
"""No tool takes a date, a way round the seal, or a place outside the store. (`paths` of route name the task's files.)"""


def properties(tool: dict[str, Any]) -> dict[str, Any]:
    return dict(tool["inputSchema"]["properties"])


def test_the_tools_are_these_five_in_this_order() -> None:
    assert [tool["name"] for tool in TOOLS] == ["recall", "route", "index", "propose", "status"]


def test_all_that_a_client_puts_into_its_context_is_below_six_kilobytes() -> None:
    assert len(json.dumps({"tools": TOOLS}).encode()) < 6_000
    as_sent = json.dumps({"tools": TOOLS, "instructions": catalog.INSTRUCTIONS}, separators=(",", ":"))
    assert len(as_sent.encode()) < 6_000


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool["name"])
def test_no_tool_takes_a_date_a_place_or_a_way_round_the_seal(tool: dict[str, Any]) -> None:
    assert properties(tool).keys() & FORBIDDEN == set()
    assert tool["inputSchema"]["additionalProperties"] is False


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool["name"])
def test_every_tool_says_what_it_does_and_what_it_gives(tool: dict[str, Any]) -> None:
    assert tool["description"].endswith(".") and tool["title"]
    assert {"refused", "failed"} <= set(tool["outputSchema"]["properties"]["outcome"]["enum"])
    assert tool["outputSchema"]["properties"].keys() >= {"code", "reason", "help"}
    assert tool["annotations"]["readOnlyHint"] is (tool["name"] != "propose")
    assert tool["annotations"]["destructiveHint"] is False


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("recall", {}, "`key` is missing"),
        ("recall", {"key": 3}, "`key` is no string"),
        ("recall", {"key": "k" * 201}, "`key` is longer than 200 characters"),
        ("recall", {"key": "k", "as_of": "2026-01-01"}, "there is no argument `as_of` (it takes key)"),
        ("route", {"task": "t", "paths": ["a", 1]}, "`paths`[1] is no string"),
        ("route", {"task": "t", "paths": ["a"] * (MAX_ITEMS + 1)}, f"`paths` has more than {MAX_ITEMS} items"),
        ("route", {"task": "t" * (MAX_TEXT + 1)}, f"`task` is longer than {MAX_TEXT:,} characters"),
        ("index", {"budget": True}, "`budget` is no integer"),
        ("index", {"budget": -1}, "`budget` is outside 0..50000"),
        (
            "propose",
            {"key": "k", "because": "b", "kind": "order"},
            "`kind` is none of new, correction, retirement, triggers",
        ),
        ("status", {"unsealed": True}, "there is no argument `unsealed` (it takes no arguments)"),
    ],
)
def test_arguments_that_do_not_fit_are_named(tool: str, given: dict[str, object], said: str) -> None:
    assert faults(input_schema(tool) or {}, given) == [said]


def test_every_fault_of_a_call_is_named() -> None:
    assert len(faults(input_schema("propose") or {}, {"kind": "order", "day": "x"})) == 4


def test_the_reference_shows_the_tools_as_they_are() -> None:
    """The page is written by hand, so it is held to the table by name, argument and description."""
    page = " ".join((ROOT / "docs/reference/mcp-tools.md").read_text("utf-8").split())
    for tool in TOOLS:
        assert f"## {tool['name']}" in page
        assert tool["description"] in page
        assert all(f"`{name}`" in page for name in properties(tool))
        assert all(f"`{name}`" in page for name in tool["outputSchema"]["properties"])
    assert catalog.INSTRUCTIONS in page


def test_the_registry_entry_fits_the_project_and_the_readme_owns_its_name() -> None:
    entry = json.loads((ROOT / "server.json").read_text("utf-8"))
    assert entry["version"] == __version__ and len(entry["description"]) <= 100
    [package] = entry["packages"]
    assert (package["identifier"], package["version"]) == ("upheld", __version__)
    assert package["packageArguments"] == [{"type": "positional", "value": "mcp"}]
    assert f"mcp-name: {entry['name']}" in (ROOT / "README.md").read_text("utf-8").split("\n\n")[-1]


def test_the_sdk_is_imported_in_this_package_only() -> None:
    source = ROOT / "src" / "upheld"
    imports = re.compile(r"^\s*(?:from|import) (?:mcp|mcp_types|anyio|starlette|uvicorn|pydantic)\b", re.MULTILINE)
    users = {
        path.relative_to(source).parts[0] for path in source.rglob("*.py") if imports.search(path.read_text("utf-8"))
    }
    assert users == {"mcp"}
