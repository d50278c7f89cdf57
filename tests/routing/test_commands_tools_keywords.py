from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.model.route import MATCH, Rule, Task, Trigger
from upheld.routing import commands, keywords, tools
from upheld.routing.build import build
from upheld.routing.index import Index
from upheld.routing.router import route
from upheld.routing.words import words


@pytest.mark.parametrize(
    ("pattern", "command", "expected"),
    [
        ("git push", "git push", True),
        ("git push", "git push origin main", True),
        ("git push", "git pushed", False),
        ("git push", "echo git push", False),
        ("git push", "echo 'git push'", False),
        ("git push", "echo 'a; git push'", False),
        ("git push", "cd x && git push", True),
        ("git push", "cd x; git push -f", True),
        ("git push", "(git push)", True),
        ("git push", "FOO=1 sudo git push", True),
        ("git push", "/usr/bin/git push", True),
        ("/usr/bin/git push", "git push", True),
        ("./bin/refund", "./bin/refund 8812", True),
        ("./bin/refund", "cd x && bin/refund", True),
        ("./bin/refund", "./bin/refunds", False),
        ("./bin/refund", "cat ./bin/refund", False),
        ("git push", "git 'push'", True),
        ("git push", "git\npush", False),
        ("git push ** --force", "git push origin main --force", True),
        ("git push ** --force", "git push --force", True),
        ("git push ** --force", "git push origin", False),
        ("make $", "make", True),
        ("make $", "make all", False),
        ("vault *", "vault kv", True),
        ("vault *", "vault", False),
        ("terraform apply", "terraform plan", False),
        ("npm run deploy:*", "npm run deploy:prod", True),
        ("git commit", 'git commit -m "x; y', True),
        ("git commit", "", False),
    ],
)
def test_a_command_pattern_is_anchored_at_the_first_word(pattern: str, command: str, expected: bool) -> None:
    assert commands.fault(pattern) == ""
    assert commands.matches(pattern, command) is expected


@pytest.mark.parametrize("pattern", ["*", "* push", "bin/*", "./**", "??"])
def test_a_command_pattern_that_names_no_program_never_fires(pattern: str) -> None:
    assert commands.is_blanket(pattern)
    assert not commands.matches(pattern, "bin/deploy push")


@pytest.mark.parametrize("pattern", ["", "  ", "a;b", "a|b", "'a'", "[ab]", "a\\b", "$", "a $ b", "x" * 257, "a\x07"])
def test_a_malformed_command_pattern_never_fires(pattern: str) -> None:
    assert commands.fault(pattern) != ""
    assert not commands.matches(pattern, pattern)
    assert not commands.matches(pattern, "a b")


@pytest.mark.parametrize("pattern", ["*", "**", "** --force", "?*"])
def test_a_command_pattern_must_name_a_program(pattern: str) -> None:
    assert commands.is_blanket(pattern)
    assert not commands.matches(pattern, "git push --force")


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_no_command_raises(pattern: str, command: str) -> None:
    commands.fault(pattern)
    commands.matches(pattern, command)


@pytest.mark.parametrize(
    ("pattern", "tool", "expected"),
    [
        ("Bash", "Bash", True),
        ("Bash", "bash", False),
        ("mcp__github__*", "mcp__github__create_pull_request", True),
        ("mcp__github__*", "mcp__gitlab__x", False),
        ("*", "Bash", False),
        ("**", "Bash", False),
        ("Ba sh", "Ba sh", False),
        ("", "", False),
    ],
)
def test_tool_patterns(pattern: str, tool: str, expected: bool) -> None:
    assert tools.matches(pattern, tool) is expected


@pytest.mark.parametrize(
    ("keyword", "text", "expected"),
    [
        ("GDPR", "is this ok under gdpr?", True),
        ("pii", "the piio module", False),
        ("feature flag", "add a Feature-Flag for it", True),
        ("feature flag", "a flag for the feature", False),
        ("straße", "STRASSE sperren", True),
        ("café", "cafe\u0301 menu", True),
        ("возврат", "Оформить ВОЗВРАТ денег", True),
        ("退款", "请处理客户的退款申请", True),
        ("退款", "请处理客户的申请", False),
        ("हिंदी", "इसे हिंदी में लिखो", True),
        ("the", "the refund", False),
        ("🚀", "🚀", False),
        ("", "anything", False),
    ],
)
def test_keywords_are_whole_words_in_any_script(keyword: str, text: str, expected: bool) -> None:
    assert keywords.matches(keyword, words(text)) is expected


def test_a_keyword_without_a_word_is_malformed_and_one_of_function_words_a_blanket() -> None:
    assert keywords.fault("🚀") and keywords.fault("x" * 129)
    assert keywords.is_blanket("please the") and not keywords.is_blanket("refund")


@settings(deadline=None)
@given(st.text(max_size=200))
def test_words_do_not_depend_on_the_normal_form(text: str) -> None:
    assert words(normalize("NFC", text)) == words(normalize("NFD", text))


@settings(deadline=None)
@given(st.text(st.characters(max_codepoint=127), max_size=200))
def test_plain_ascii_takes_the_same_way_as_the_rest(text: str) -> None:
    assert words(text) == words(text + " \u00e9")[:-1]


def test_a_pattern_that_names_a_folder_is_found_through_the_index_too() -> None:
    rule = Rule(key="refunds", read_when="Before a refund", trigger=Trigger(commands=("./bin/refund",)))
    answer = route(Task(text="", commands=("./bin/refund 8812",)), Index(build((rule,), limit=1.0)))
    assert answer.outcome == MATCH
