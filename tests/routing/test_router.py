from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.model.route import AMBIGUOUS, MATCH, NONE, Matchers, Route, Rule, Task, Trigger
from upheld.routing.build import build
from upheld.routing.index import Index
from upheld.routing.router import open_index, route
from upheld.stores.route_file import shipped_lexicon

COPY = Rule(
    key="customer-copy",
    read_when="Before writing customer-facing product copy",
    trigger=Trigger(paths=("web/copy/**",), keywords=("tagline",)),
    fires=("draft the pricing page headline", "write the text of the welcome screen", "word the empty state"),
    nots=("copy the file to the backup folder",),
)
DOCS = Rule(
    key="docs-style",
    read_when="Before editing user documentation",
    trigger=Trigger(paths=("docs/**",), not_when=Matchers(paths=("docs/adr/**",), keywords=("typo",))),
    fires=("document the export command", "write a tutorial for beginners", "update the install guide"),
)
DEPLOY = Rule(
    key="deploy",
    read_when="Before deploying to production",
    trigger=Trigger(commands=("kubectl apply", "helm upgrade"), tools=("mcp__deploy__*",)),
    fires=("roll out the service to prod", "ship the hotfix now", "promote staging to live"),
)
RULES = (COPY, DOCS, DEPLOY)


def routed(task: Task, *rules: Rule, limit: float = 0.8) -> Route:
    index = open_index(build(rules or RULES, limit=limit, lexicon=shipped_lexicon()), lexicon=shipped_lexicon())
    assert isinstance(index, Index)
    return route(task, index)


@pytest.mark.parametrize(
    ("task", "key", "why"),
    [
        (Task(text="fix it", paths=("docs/a.md",)), "docs-style", "path `docs/**` of `docs-style`"),
        (Task(tools=("mcp__deploy__run",)), "deploy", "tool `mcp__deploy__*` of `deploy`"),
        (Task(commands=("cd x && kubectl apply -f a",)), "deploy", "command `kubectl apply` of `deploy`"),
        (Task(text="We need a TAGLINE."), "customer-copy", "keyword `tagline` of `customer-copy`"),
    ],
)
def test_one_structured_hit_is_a_match_with_its_reason(task: Task, key: str, why: str) -> None:
    answer = routed(task, limit=2.0)
    assert (answer.outcome, answer.keys, answer.why) == (MATCH, (key,), why)


def test_a_structured_hit_outranks_whatever_the_text_says() -> None:
    answer = routed(Task(text="draft the pricing page headline", paths=("docs/a.md",)))
    assert answer.keys == ("docs-style",)


@pytest.mark.parametrize("task", [Task(text="x", paths=("docs/adr/1.md",)), Task(text="a typo", paths=("docs/a.md",))])
def test_not_when_vetoes_a_structured_hit(task: Task) -> None:
    answer = routed(task)
    assert answer.outcome == NONE
    assert "; not `docs-style`: " in answer.why and answer.why.endswith("in not_when vetoes it")


def test_not_when_vetoes_a_statement_too() -> None:
    answer = routed(Task(text="Before editing user documentation", paths=("docs/adr/1.md",)))
    assert "docs-style" not in answer.keys and answer.outcome != MATCH


@pytest.mark.parametrize(
    "text",
    [
        "Before writing customer-facing product copy",
        "write customer-facing product copy",
        "Write the customer facing product copy!",
        "WRITING CUSTOMER-FACING PRODUCT COPY",
        "draft the headline for the pricing page",
        '"Before writing customer-facing product copy"',
    ],
)
def test_a_near_exact_statement_matches_even_uncalibrated(text: str) -> None:
    answer = routed(Task(text=text), limit=2.0)
    assert (answer.outcome, answer.keys) == (MATCH, ("customer-copy",))
    assert "states the trigger of `customer-copy`" in answer.why


@pytest.mark.parametrize(
    "text",
    [
        "do not load customer-copy",
        "don't load `customer-copy` this time",
        "why did customer-copy fire?",
        "delete the pointer customer-copy",
        'why does "Before writing customer-facing product copy" match everything?',
        "is the trigger `deploy` too broad?",
        "the memory deploy is out of date",
        "do not deploy to production",
        "never write customer-facing product copy",
        "rename the key `customer-copy`: its tagline is odd",
    ],
)
def test_talk_about_a_trigger_does_not_match(text: str) -> None:
    assert routed(Task(text=text), limit=0.98).outcome in (NONE, AMBIGUOUS)
    assert routed(Task(text=text), limit=0.98).keys == ()


def test_talk_about_a_trigger_says_so() -> None:
    answer = routed(Task(text="do not load customer-copy"))
    assert answer.outcome == NONE and "talks about `customer-copy`" in answer.why


def test_a_path_at_hand_still_counts_when_its_trigger_is_talked_about() -> None:
    assert routed(Task(text="why did docs-style fire?", paths=("docs/a.md",))).keys == ("docs-style",)


@pytest.mark.parametrize("text", ["", "   ", "\ud800", "!?…", "🚀🚀🚀", "\u200b\u202e", "\x00"])
def test_a_task_without_words_gets_none(text: str) -> None:
    answer = routed(Task(text=text))
    assert answer.outcome == NONE and "no words" in answer.why


@pytest.mark.parametrize(
    "text", ["Каково расстояние до Луны", "月までの距離は", "ما المسافة إلى القمر", "ระยะทางไปดวงจันทร์"]
)
def test_another_script_that_nothing_governs_gets_none(text: str) -> None:
    assert routed(Task(text=text)).outcome == NONE


def test_triggers_in_another_script_match() -> None:
    russian = Rule(key="refund", read_when="Перед возвратом денег клиенту", fires=("оформить возврат за заказ",))
    chinese = Rule(key="release", read_when="发布新版本之前", fires=("更新发布日志",))
    assert routed(Task(text="перед возвратом денег клиенту"), russian, chinese).keys == ("refund",)
    assert routed(Task(text="发布新版本之前！"), russian, chinese).keys == ("release",)


def test_a_hundred_kilobytes_of_text_are_routed_by_keywords_and_a_bounded_beginning() -> None:
    filler = "lorem ipsum dolor " * 6_000
    assert routed(Task(text=filler)).outcome == NONE
    assert routed(Task(text=filler + " tagline")).keys == ("customer-copy",)
    assert routed(Task(text="x" * 100_000)).outcome == NONE


def test_a_negative_is_obeyed_word_for_word() -> None:
    said = Rule(key="docs-style", read_when="Before editing user documentation", trigger=Trigger(paths=("docs/**",)),
                fires=("read the docs",), nots=("Show me the docs folder",))  # fmt: skip
    task = Task(text="show me the docs folder.", paths=("docs/a.md",))
    answer = routed(task, said)
    assert answer.outcome == NONE
    assert answer.why.endswith("; not `docs-style`: the task is one of its negative examples")
    assert routed(task.replace(text="improve the docs folder"), said).keys == ("docs-style",)


def test_a_text_near_a_negative_goes_to_none_rather_than_to_its_pointer() -> None:
    answer = routed(Task(text="please copy this file to the backup folder"), limit=0.5)
    assert answer.outcome != MATCH


def test_other_ties_are_ambiguous_and_hand_back_sentences() -> None:
    answer = routed(Task(paths=("docs/a.md", "web/copy/b.json")))
    assert answer.outcome == AMBIGUOUS and answer.keys == ()
    assert [choice.key for choice in answer.choices] == ["customer-copy", "docs-style"]
    assert answer.choices[1].read_when == DOCS.read_when
    assert answer.choices[1].why == "path `docs/**` of `docs-style`"


def _pair(first: Trigger, second: Trigger) -> tuple[Rule, Rule]:
    return Rule(key="a", read_when="when alpha", trigger=first), Rule(key="b", read_when="when beta", trigger=second)


BOTH = Task(paths=("x/y.md",))


def test_pointers_that_name_each_other_load_together() -> None:
    rules = _pair(Trigger(paths=("x/**",), together_with=("b",)), Trigger(paths=("*.md",), together_with=("a",)))
    assert routed(BOTH, *rules).keys == ("a", "b")


def test_together_with_holds_only_where_it_is_mutual() -> None:
    rules = _pair(Trigger(paths=("x/**",), together_with=("b",)), Trigger(paths=("*.md",)))
    assert routed(BOTH, *rules).outcome == AMBIGUOUS


def test_the_more_specific_one_overrides_when_both_fire_and_only_then() -> None:
    rules = _pair(Trigger(paths=("x/**",), overrides=("b",)), Trigger(paths=("*.md",)))
    assert routed(BOTH, *rules).keys == ("a",)
    assert routed(Task(paths=("z.md",)), *rules).keys == ("b",)


def test_two_that_override_each_other_are_a_tie() -> None:
    rules = _pair(Trigger(paths=("x/**",), overrides=("b",)), Trigger(paths=("*.md",), overrides=("a",)))
    assert routed(BOTH, *rules).outcome == AMBIGUOUS


def test_at_most_five_choices() -> None:
    rules = tuple(Rule(key=f"k{n}", read_when=f"before step {n}", trigger=Trigger(paths=("x/**",))) for n in range(9))
    answer = routed(BOTH, *rules)
    assert answer.outcome == AMBIGUOUS and len(answer.choices) == 5 and answer.why.startswith("9 pointers fire")


@pytest.mark.parametrize("pattern", ["*", "**/*", "[z-a]", "a//b", "!docs"])
def test_a_bad_glob_in_an_index_never_fires_and_is_reported(pattern: str) -> None:
    bad = Rule(key="bad", read_when="before anything bad", trigger=Trigger(paths=(pattern,)))
    answer = routed(Task(text="hello world", paths=("docs/a.md", "a/b")), bad)
    assert answer.outcome == NONE
    assert answer.skipped == (f"path `{pattern}` of `bad`",)


def test_a_text_alone_matches_from_the_limit_up_and_says_its_figures() -> None:
    task = Task(text="draft a headline for our new pricing page")
    answer = routed(task, limit=0.5)
    assert answer.keys == ("customer-copy",) and answer.why.startswith("score 0.") and "limit 0.50" in answer.why
    strict = routed(task, limit=2.0)
    assert strict.outcome == AMBIGUOUS and strict.choices[0].key == "customer-copy"
    assert "limit not calibrated" in strict.why and '`upheld triggers add KEY --fires "..."`' in strict.why


def test_an_unrelated_text_gets_none_with_figures() -> None:
    assert "none" in routed(Task(text="who won the football match in Lisbon yesterday")).why


def test_an_empty_store_routes_to_none() -> None:
    index = open_index(build(()))
    assert isinstance(index, Index)
    assert route(Task(text="anything", paths=("a",)), index).outcome == NONE


# --- laws ---------------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    [
        "draft",
        "write",
        "copy",
        "docs",
        "deploy",
        "pricing",
        "page",
        "headline",
        "file",
        "backup",
        "the",
        "to",
        "not",
        "export",
        "tagline",
    ]
)
TEXTS = st.lists(WORDS, max_size=9).map(" ".join)
PATHS = st.lists(st.sampled_from(["docs/a.md", "docs/adr/b.md", "web/copy/c.json", "src/x.py"]), max_size=2).map(tuple)
TASKS = st.builds(lambda text, paths: Task(text=text, paths=paths), TEXTS, PATHS)


@settings(max_examples=60, deadline=None)
@given(TASKS, st.randoms(use_true_random=False))
def test_the_order_of_rules_and_examples_does_not_change_the_route(task: Task, chance: random.Random) -> None:
    shuffled = [rule.replace(fires=tuple(chance.sample(rule.fires, len(rule.fires)))) for rule in RULES]
    chance.shuffle(shuffled)
    assert routed(task, *shuffled).replace(why="") == routed(task).replace(why="")


@settings(max_examples=60, deadline=None)
@given(TASKS)
def test_a_pointer_unrelated_to_a_task_never_makes_a_structured_match_of_none(task: Task) -> None:
    other = Rule(key="zebra", read_when="quux", trigger=Trigger(paths=("zoo/**",), keywords=("zebra",)))
    before, after = routed(task, limit=2.0), routed(task, *RULES, other, limit=2.0)
    assert before.keys == after.keys


@settings(max_examples=60, deadline=None)
@given(TASKS)
def test_a_vetoed_key_is_never_a_match(task: Task) -> None:
    vetoed = DOCS.replace(trigger=Trigger(paths=("docs/**", "web/**"), not_when=Matchers(paths=("docs/adr/**",))))
    answer = routed(task, COPY, vetoed, DEPLOY, limit=0.1)
    if "docs/adr/b.md" in task.paths:
        assert "docs-style" not in answer.keys
        assert "docs-style" not in [choice.key for choice in answer.choices]


@settings(max_examples=60, deadline=None)
@given(TASKS, st.floats(0.01, 1.0))
def test_a_higher_limit_never_adds_a_match(task: Task, limit: float) -> None:
    if routed(task, limit=2.0).outcome == MATCH:
        assert routed(task, limit=limit).outcome == MATCH
    if routed(task, limit=limit).outcome != MATCH:
        assert routed(task, limit=2.0).outcome != MATCH


@settings(max_examples=80, deadline=None)
@given(st.text(max_size=300), st.lists(st.text(max_size=30), max_size=3), st.lists(st.text(max_size=60), max_size=2))
def test_no_task_raises(text: str, paths: list[str], commands: list[str]) -> None:
    answer = routed(Task(text=text, paths=tuple(paths), tools=tuple(paths), commands=tuple(commands)))
    assert (answer.outcome == MATCH) == bool(answer.keys)
