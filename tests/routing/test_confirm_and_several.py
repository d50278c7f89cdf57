"""An answer held to the verified rule, and answers of several stores held against each other."""

from __future__ import annotations

import pytest

from upheld.model.route import Choice, Matchers, Route, Routed, Rule, Task, Trigger
from upheld.routing.build import build
from upheld.routing.confirm import disagreement
from upheld.routing.index import Index
from upheld.routing.router import route
from upheld.routing.several import merge

RULE = Rule(
    key="copy",
    read_when="Before writing product copy",
    trigger=Trigger(paths=("site/**",), not_when=Matchers(paths=("site/legal/**",))),
    fires=("Write the pricing page",),
    nots=("Fix the pricing bug",),
)
CHOICE = Choice(key="copy", read_when=RULE.read_when)


@pytest.mark.parametrize(
    ("by", "task"),
    [
        ("structured", Task(text="x", paths=("site/a",))),
        ("statement", Task(text="write the pricing page!")),
        ("statement", Task(text="before writing product copy")),
        ("score", Task(text="some product copy")),
        ("", Task(text="some product copy")),
    ],
)
def test_what_the_store_says_too_is_confirmed(by: str, task: Task) -> None:
    assert disagreement(CHOICE, by, RULE, task) == ""


@pytest.mark.parametrize(
    ("by", "task", "says"),
    [
        ("structured", Task(text="x", paths=("docs/a",)), "no matcher"),
        ("statement", Task(text="write the blog"), "no statement"),
        ("structured", Task(text="x", paths=("site/legal/a",)), "vetoes"),
        ("score", Task(text="x", paths=("site/legal/a",)), "vetoes"),
        ("score", Task(text="fix the pricing bugs"), "negative"),
        ("", Task(text="Fix the pricing bug"), "negative"),
    ],
)
def test_a_route_index_cannot_claim_what_the_store_denies(by: str, task: Task, says: str) -> None:
    assert says in disagreement(CHOICE, by, RULE, task)


def test_another_sentence_and_a_broken_trigger_are_never_confirmed() -> None:
    task = Task(text="x", paths=("site/a",))
    assert "sentence" in disagreement(CHOICE.replace(read_when="Always"), "structured", RULE, task)
    assert "cannot be used" in disagreement(CHOICE, "structured", RULE.replace(broken="a slip"), task)


def test_every_match_of_the_router_is_confirmed_by_the_rules_it_was_built_from() -> None:
    other = Rule(key="deploys", read_when="Before deploying", trigger=Trigger(commands=("git push",)))
    rules = {rule.key: rule for rule in (RULE, other)}
    index = Index(build(tuple(rules.values()), limit=0.5))
    for task in (
        Task(text="x", paths=("site/a",)),
        Task(text="write the pricing page"),
        Task(text="product copy writing for the pricing page"),
        Task(text="x", commands=("git push",)),
        Task(text="x", paths=("site/a",), commands=("git push",)),
    ):
        answer = route(task, index)
        assert answer.choices
        assert [disagreement(one, answer.by, rules[one.key], task) for one in answer.choices] == [""] * len(
            answer.choices
        )


def test_a_broken_rule_never_fires_and_is_always_named() -> None:
    broken = RULE.replace(key="broken", broken="trigger.path: no field has this name")
    index = Index(build((RULE, broken), limit=0.5))
    for task in (Task(text="x", paths=("site/a",)), Task(text="write the pricing page"), Task(text="sandwich")):
        answer = route(task, index)
        assert "broken" not in answer.keys
        assert answer.skipped == ("trigger `trigger.path: no field has this name` of `broken`",)


# --- several stores -----------------------------------------------------------------------------------------------


def routed(outcome: str, *keys: str, store: str = "a") -> Routed:
    choices = tuple(Choice(key=key, read_when=f"When {key}", store=store) for key in keys)
    return Routed(outcome=outcome, why=f"{store}: {outcome}", choices=choices, sealed=True)


def answer(*routes: Routed, ranked: bool = False) -> tuple[str, tuple[str, ...]]:
    merged = merge(routes, ranked=ranked)
    return merged.outcome, tuple(f"{choice.store}/{choice.key}" for choice in merged.choices)


def test_the_one_store_that_has_something_to_say_counts() -> None:
    assert answer(routed("none"), routed("match", "k", store="b")) == ("match", ("b/k",))
    assert answer(routed("none"), routed("none", store="b")) == ("none", ())
    assert answer(routed("none"), routed("ambiguous", "k", "l", store="b")) == ("ambiguous", ("b/k", "b/l"))


def test_the_same_key_twice_is_ambiguous_unless_the_stores_are_ranked() -> None:
    both = (routed("match", "k"), routed("match", "k", store="b"))
    assert answer(*both) == ("ambiguous", ("a/k", "b/k"))
    assert answer(*both, ranked=True) == ("match", ("a/k",))


def test_rank_settles_nothing_but_the_same_key() -> None:
    assert answer(routed("match", "k"), routed("match", "l", store="b"), ranked=True)[0] == "ambiguous"
    assert answer(routed("match", "k"), routed("ambiguous", "k", store="b"), ranked=True)[0] == "ambiguous"


def test_a_store_that_could_not_be_asked_may_have_had_the_answer() -> None:
    assert answer(routed("match", "k"), routed("unchecked", store="b")) == ("unchecked", ())


def test_choices_are_dealt_fairly_and_are_at_most_five() -> None:
    outcome, choices = answer(routed("ambiguous", "k", "l", "m", "n"), routed("ambiguous", "x", "y", "z", store="b"))
    assert (outcome, choices) == ("ambiguous", ("a/k", "b/x", "a/l", "b/y", "a/m"))


def test_one_unsealed_store_makes_the_whole_answer_unsealed() -> None:
    assert merge((routed("none"), routed("none", store="b").replace(sealed=False))).sealed is False


def test_nothing_to_ask_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="no store"):
        merge(())


def test_a_route_has_no_keys_but_those_of_a_match() -> None:
    assert Route(outcome="none").keys == ()
    assert routed("ambiguous", "k").keys == ()
