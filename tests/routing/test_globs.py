from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.routing import globs

SOUND = [
    ("docs/**", "docs/a.md", True),
    ("docs/**", "docs/a/b/c.md", True),
    ("docs/**", "docs", False),
    ("docs/**", "src/docs/a.md", False),
    ("docs/", "docs/a.md", True),
    ("docs/", "src/docs/a.md", True),
    ("docs/", "docs", False),
    ("docs", "docs/a.md", True),
    ("docs", "src/docs", True),
    ("/docs", "src/docs/a.md", False),
    ("/docs", "docs/a.md", True),
    ("*.sql", "db/x.sql", True),
    ("*.sql", "x.sqlx", False),
    ("/*.sql", "db/x.sql", False),
    ("**/migrations/**", "migrations/1.py", True),
    ("**/migrations/**", "a/b/migrations/1.py", True),
    ("**/migrations/**", "a/migrations", False),
    ("a/**/b", "a/b", True),
    ("a/**/b", "a/x/y/b", True),
    ("a/**/b", "a/x/y/c", False),
    ("web/*.tsx", "web/a/b.tsx", False),
    ("te?t.py", "x/test.py", True),
    ("te?t.py", "x/teest.py", False),
    ("[a-c]x", "bx", True),
    ("[!a-c]x", "bx", False),
    ("[!a-c]x", "dx", True),
    ("[]a]x", "]x", True),
    ("\\*x", "*x", True),
    ("\\*x", "ax", False),
    ("**/.env*", "srv/.env.production", True),
    ("Docs/**", "docs/a.md", False),
    ("docs/**", "./docs//a.md", True),
    ("docs/**", "docs\\a.md", True),
    ("docs/**", "src/../docs/a.md", True),
    ("docs/**", "docs/../src/a.md", False),
    ("docs/**", "../docs/a.md", False),
    ("文档/**", "文档/a.md", True),
]


@pytest.mark.parametrize(("pattern", "path", "expected"), SOUND)
def test_a_sound_glob_governs_what_gitignore_says(pattern: str, path: str, expected: bool) -> None:
    assert globs.fault(pattern) == ""
    assert globs.matches(pattern, path) is expected


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        " ",
        "docs/** ",
        "!docs",
        "#docs",
        "a//b",
        "/",
        "a/../b",
        "./a",
        "[a",
        "[]",
        "[z-a]",
        "a\\",
        "a**",
        "x" * 513,
        "a\nb",
    ],
)
def test_a_malformed_glob_is_named_and_never_fires(pattern: str) -> None:
    assert globs.fault(pattern) != ""
    assert not globs.matches(pattern, "docs/a.md")
    assert not globs.matches(pattern, pattern)


@pytest.mark.parametrize("pattern", ["*", "**", "**/*", "*/**", "**/**", "/**", "*/", "?*", "*.*", "**/*.*", "*/*"])
def test_a_blanket_glob_never_fires(pattern: str) -> None:
    assert globs.fault(pattern) == ""
    assert globs.is_blanket(pattern)
    assert not globs.matches(pattern, "docs/a.md")


def test_many_stars_take_no_exponential_time() -> None:
    assert not globs.matches("*a" * 100 + "b", "a" * 2_000)
    assert not globs.matches("**/a/" * 80 + "b", "a/" * 300 + "c")


NAMES = st.text(st.sampled_from("ab.*?[]!-\\/x"), max_size=12)


@settings(deadline=None)
@given(NAMES, NAMES)
def test_no_pattern_and_no_path_raises(pattern: str, path: str) -> None:
    globs.fault(pattern)
    globs.matches(pattern, path)


@settings(deadline=None)
@given(NAMES, st.text(st.sampled_from("ab.x/"), max_size=12))
def test_a_path_that_matches_opens_the_gate(pattern: str, path: str) -> None:
    if globs.matches(pattern, path):
        assert globs.gate(pattern) in {"", *globs.gates(path)}


@settings(deadline=None)
@given(st.lists(st.text(st.sampled_from("abx._"), min_size=1).filter(lambda n: n.strip(".")), min_size=1, max_size=4))
def test_a_literal_path_governs_itself_and_what_is_in_it(names: list[str]) -> None:
    path = "/".join(names)
    assert globs.matches("/" + path, path)
    assert globs.matches("/" + path, path + "/inside")
