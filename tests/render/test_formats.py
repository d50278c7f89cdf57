"""Every format, for every kind of value: complete, well-formed, and not to be forged by any text (ATTACKS E9)."""

from __future__ import annotations

import json
import re
from importlib import import_module
from typing import Any
from urllib.parse import unquote

import hostile
import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.errors import UsageError
from upheld.model.codes import CODES
from upheld.render.formats import FORMATS, MODULES, Scene, rendered
from upheld.render.text import MAX_SHOWN, line

SCENE = Scene(root=".upheld", version="1.2.3")
MAKERS = {
    "answer": hostile.answer,
    "refusal": hostile.refusal,
    "verdict": hostile.verdict,
    "history": hostile.history,
    "page": hostile.page,
}
_COMMAND = re.compile(r"::(error|warning|notice) (file=[^,:\n]+,)?title=[^,:\n]+::[^\n]*")


def shown(kind: str, form: str, text: str) -> str:
    return rendered(MAKERS[kind](text), form, SCENE)


@pytest.mark.parametrize("text", hostile.HOSTILE)
@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("form", FORMATS)
def test_no_text_acts_on_a_terminal_or_forges_a_command(form: str, kind: str, text: str) -> None:
    output = shown(kind, form, text)
    assert output.replace("\n", "").replace("\t", "").isprintable()
    assert "##[" not in output
    assert "##vso[" not in output
    for line_ in output.split("\n"):
        if line_.lstrip().startswith("::"):
            assert form == "github"
            assert _COMMAND.fullmatch(line_)
    assert output.endswith("\n")
    output.encode("utf-8")


@pytest.mark.parametrize("text", hostile.HOSTILE)
def test_the_bare_instruction_is_one_safe_line(text: str) -> None:
    [_, shown_line, rest] = line(hostile.answer(text)).split("\n")
    assert rest == ""
    assert shown_line.isprintable()
    assert not shown_line.lstrip().startswith("::")


@pytest.mark.parametrize("text", hostile.HOSTILE)
@pytest.mark.parametrize("kind", ["refusal", "verdict", "history", "page"])
def test_no_text_adds_a_line_to_the_faults(kind: str, text: str) -> None:
    for form in ("text", "concise", "github"):
        assert shown(kind, form, text).count("\n") == shown(kind, form, "plain").count("\n")


@pytest.mark.parametrize("module", MODULES.values())
def test_every_format_shows_what_recall_and_verify_come_to(module: str) -> None:
    loaded = import_module(module)
    assert all(callable(getattr(loaded, kind)) for kind in MAKERS)


def test_a_format_that_has_nothing_to_say_is_a_usage_error() -> None:
    with pytest.raises(UsageError, match="sarif shows faults"):
        rendered(Scene(), "sarif")


# --- text -----------------------------------------------------------------------------------------------------------


@given(st.text(st.sampled_from("-ab \n"), max_size=200))
def test_no_text_can_draw_the_line_under_itself(text: str) -> None:
    output = shown("answer", "text", text)
    rules = [line_ for line_ in output.split("\n") if line_.startswith("---") and not line_.strip("- ")]
    longest = max(rules, key=len)
    assert rules.count(longest) == 1
    assert output.split("\n").index(longest) == len(text.removesuffix("\n").split("\n")) + 1


def test_a_long_text_is_cut_and_says_so() -> None:
    output = shown("answer", "text", "a" * (MAX_SHOWN + 5000))
    assert f"cut: 5,000 of {MAX_SHOWN + 5000:,} characters; `--format json` holds all of them" in output
    assert len(json.loads(shown("answer", "json", "a" * 50_000))["text"]) == 50_000


def test_a_fault_looks_as_the_design_says() -> None:
    finding = hostile.finding("x").replace(
        place="sources/customer-copy-policy-v2.md",
        path="",
        keys=("customer-copy",),
        facts=(
            ("recorded", "f5239cab…39ec   on 2026-09-14 by records/customer-copy-v2.json"),
            ("now", "91fa7410…95fc"),
        ),
        cause="",
    )
    verdict = hostile.verdict("x").replace(
        findings=(finding,), checked=(("records", 1204), ("pointers", 1310), ("triggers", 87)), not_checked=()
    )
    assert rendered(verdict, "text") == (
        "error[HSH001]: the source no longer matches the digest its record was verified with\n"
        "  --> sources/customer-copy-policy-v2.md\n"
        "   = recorded  f5239cab…39ec   on 2026-09-14 by records/customer-copy-v2.json\n"
        "   = now       91fa7410…95fc\n"
        "   = effect: recall of `customer-copy` is refused\n"
        "   = help: if the change is meant, `upheld correct customer-copy`;"
        " if not, restore the file from version control or with `upheld doctor --fix`\n"
        "checked: 1,204 records, 1,310 pointers, 87 triggers   not checked: nothing\n"
        "verdict: failed: 1 error, 1 of 1,204 keys refused\n"
    )


# --- GitHub ---------------------------------------------------------------------------------------------------------


def test_an_annotation_names_the_file_from_the_repository() -> None:
    finding = hostile.finding("x").replace(place="sources/a, b:c%.md", path="", cause="")
    output = rendered(hostile.verdict("x").replace(findings=(finding,)), "github", SCENE)
    assert output.startswith("::error file=.upheld/sources/a%2C b%3Ac%25.md,title=HSH001 source-digest-mismatch::the ")


# --- SARIF ----------------------------------------------------------------------------------------------------------


def sarif(kind: str, text: str) -> dict[str, Any]:
    log = json.loads(shown(kind, "sarif", text))
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    return dict(run)


def test_the_rules_are_the_table_of_codes() -> None:
    rules = sarif("verdict", "x")["tool"]["driver"]["rules"]
    assert {rule["id"]: rule["name"] for rule in rules} == {code: entry.name for code, entry in CODES.items()}
    assert all("{" not in rule["help"]["text"] for rule in rules)


@pytest.mark.parametrize("text", hostile.HOSTILE)
@pytest.mark.parametrize("kind", MAKERS)
def test_every_result_points_at_its_rule_and_its_file(kind: str, text: str) -> None:
    run = sarif(kind, text)
    rules = run["tool"]["driver"]["rules"]
    assert run["results"]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"error", "warning", "note"}
        [location] = result["locations"]
        uri = location["physicalLocation"]["artifactLocation"]["uri"]
        assert re.fullmatch(r"[A-Za-z0-9\-._~/%]+", uri)
        assert unquote(uri, errors="surrogatepass") == f".upheld/{text}"
        # No embedded link and no placeholder: brackets and braces are written as the standard says.
        assert not re.search(r"(?<!\\)[\[\]]", result["message"]["text"].replace("\\\\", ""))
        assert not re.search(r"\{\d", result["message"]["text"].replace("{{", ""))


def test_a_fault_keeps_its_fingerprint_while_it_lasts() -> None:
    one = sarif("verdict", "x")["results"]
    two = sarif("verdict", "x")["results"]
    prints = [result["partialFingerprints"]["upheld/v1"] for result in one]
    assert prints == [result["partialFingerprints"]["upheld/v1"] for result in two]
    assert len(set(prints)) == len(prints)


# --- JSON -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", hostile.HOSTILE)
@pytest.mark.parametrize("kind", MAKERS)
def test_json_is_ascii_and_loses_nothing(kind: str, text: str) -> None:
    output = shown(kind, "json", text)
    assert output.isascii()
    value = json.loads(output)
    if kind == "answer":
        assert value["text"] == value["key"] == text
    else:
        assert value["findings"][0]["place"] == text
