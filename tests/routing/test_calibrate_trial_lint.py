from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from upheld.model.route import Matchers, Rule, Task, Trigger
from upheld.routing.build import build
from upheld.routing.calibrate import Trial, calibrate, choose_limit
from upheld.routing.form import UNCALIBRATED
from upheld.routing.index import Index
from upheld.routing.lint import lint
from upheld.routing.resolve import load_together, resolve
from upheld.routing.trial import Case, Score, cases_of, regressed, try_cases

NOUNS: tuple[str, ...] = ("invoice", "tractor", "garden", "violin", "passport", "kettle", "harbour", "museum", "saddle")
NOUNS += (
    "comet",
    "lantern",
    "orchard",
    "pigeon",
    "quarry",
    "ribbon",
    "stadium",
    "teapot",
    "umbrella",
    "village",
    "walnut",
)
VERBS = ("paint", "measure", "insure", "photograph", "repair", "describe")
STORE = tuple(
    Rule(key=noun, read_when=f"Before handling a {noun}", fires=tuple(f"{verb} the old {noun}" for verb in VERBS))
    for noun in NOUNS
)


def test_too_few_examples_leave_a_store_uncalibrated() -> None:
    found = calibrate(STORE[:3])
    assert not found.is_calibrated and found.limit == UNCALIBRATED
    assert found.coverage == 0.0 and found.governed == 18 and found.high > 0.05
    assert not calibrate(()).is_calibrated


def test_a_store_whose_pointers_differ_calibrates_and_covers() -> None:
    found = calibrate(STORE)
    assert found.is_calibrated and found.governed == found.ungoverned == 120
    assert found.reached <= found.wanted + 1e-9 and found.low <= found.reached <= found.high
    assert found.coverage > 0.5


def test_calibration_does_not_depend_on_order() -> None:
    assert calibrate(tuple(reversed(STORE))) == calibrate(STORE)


@pytest.mark.parametrize("wanted", [0.0, 1.0, -1.0, float("nan")])
def test_a_wanted_share_lies_between_nought_and_one(wanted: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        calibrate(STORE[:2], wanted=wanted)


TRIALS = st.lists(
    st.builds(lambda h, r: Trial(height=h, right=r), st.floats(0, 0.9999), st.booleans()), min_size=1, max_size=30
)


@settings(deadline=None)
@given(TRIALS, TRIALS, st.floats(0.001, 0.2))
def test_what_stands_at_the_limit_is_within_what_is_wanted(
    first: list[Trial], second: list[Trial], wanted: float
) -> None:
    limit = choose_limit(first, second, wanted)
    missed = sum(t.height >= limit and not t.right for t in first) / len(first)
    assert missed / 2 <= wanted + 1e-9


def _codes(*rules: Rule) -> list[str]:
    return [finding.code for finding in lint(rules)]


def test_a_sound_store_has_no_findings() -> None:
    assert _codes(*STORE) == []


@pytest.mark.parametrize(
    ("trigger", "code", "path"),
    [
        (Trigger(paths=("docs/**", "[z-a]")), "TRG001", "trigger.paths[1]"),
        (Trigger(paths=("**/*",)), "TRG002", "trigger.paths[0]"),
        (Trigger(tools=("*",)), "TRG002", "trigger.tools[0]"),
        (Trigger(commands=("a;b",)), "TRG001", "trigger.commands[0]"),
        (Trigger(commands=("*",)), "TRG002", "trigger.commands[0]"),
        (Trigger(keywords=("the",)), "TRG002", "trigger.keywords[0]"),
        (Trigger(keywords=("…",)), "TRG001", "trigger.keywords[0]"),
        (Trigger(not_when=Matchers(paths=("*",))), "TRG002", "trigger.not_when.paths[0]"),
        (Trigger(overrides=("nobody",)), "TRG005", "trigger.overrides[0]"),
        (Trigger(together_with=("a",)), "TRG005", "trigger.together_with[0]"),
    ],
)
def test_a_bad_trigger_is_a_finding_at_its_place(trigger: Trigger, code: str, path: str) -> None:
    (found,) = lint((Rule(key="a", read_when="when alpha", trigger=trigger),))
    assert (found.code, found.path, found.keys, found.severity) == (code, path, ("a",), "error")


def test_statements_must_have_words_and_not_contradict_each_other() -> None:
    assert _codes(Rule(key="a", read_when="!!")) == ["TRG003"]
    assert _codes(Rule(key="a", read_when="when alpha", fires=("🚀",))) == ["TRG003"]
    assert _codes(Rule(key="a", read_when="deploy to prod", nots=("Deploying to PROD!",))) == ["TRG004"]


def test_two_pointers_that_say_the_same_or_share_a_matcher_collide() -> None:
    one = Rule(key="a", read_when="write the changelog", trigger=Trigger(paths=("docs/**",)))
    two = Rule(key="b", read_when="before beta", fires=("Writing changelogs",), trigger=Trigger(paths=("docs/**",)))
    assert _codes(one, two) == ["TRG006", "TRG006"]
    settled = two.replace(fires=(), trigger=Trigger(paths=("docs/**",), overrides=("a",)))
    assert _codes(one, settled) == []


def test_negatives_that_keep_colliding_ask_for_a_structured_trigger() -> None:
    nots = ("edit the ad copy", "review the ad copy", "shorten the ad copy")
    rule = Rule(key="a", read_when="write the ad copy", nots=nots)
    assert _codes(rule) == ["TRG007"]
    assert _codes(rule.replace(trigger=Trigger(not_when=Matchers(keywords=("edit",))))) == []
    assert _codes(rule.replace(nots=nots[:2])) == []


INDEX = Index(build(STORE, limit=0.5))


def test_cases_are_counted_by_what_came_of_them() -> None:
    cases = [
        Case(task=Task(text="paint the old violin"), key="violin", should=True),
        Case(task=Task(text="paint the old violin"), key="comet", should=True),
        Case(task=Task(text="paint the old violin"), key="violin", should=False),
        Case(task=Task(text="paint the old violin"), key="comet", should=False),
        Case(task=Task(text="paint the old violin"), key="comet", should=False, only=True),
        Case(task=Task(text="zzz"), key="", should=False, only=True),
    ]
    found = try_cases(cases, INDEX)
    assert (found.should, found.right, found.should_not, found.wrong, found.unchecked) == (2, 1, 4, 3, 0)
    assert found.confusions == (("", "violin", 2), ("comet", "violin", 1))
    assert found.coverage == 0.5 and found.wrong_load == 0.5


def test_the_truth_among_the_choices_is_counted() -> None:
    found = try_cases([Case(task=Task(text="an old violin"), key="violin", should=True)], Index(build(STORE)))
    assert (found.ambiguous, found.among, found.right) == (1, 1, 0)


def test_the_files_of_skill_authors_are_read() -> None:
    cases = cases_of("violin", [{"query": "tune it", "should_trigger": True, "note": 1}])
    assert cases == (Case(task=Task(text="tune it"), key="violin", should=True),)


@pytest.mark.parametrize(
    "rows", [{}, [1], [{"query": 1, "should_trigger": True}], [{"query": "x", "should_trigger": 1}]]
)
def test_a_file_of_another_form_is_refused(rows: object) -> None:
    with pytest.raises(ValueError, match=r"list of rows|\[0\]"):
        cases_of("violin", rows)


def test_a_regression_is_more_wrong_loads_or_less_coverage() -> None:
    before = Score(should=10, right=5, should_not=10, wrong=1)
    assert not regressed(before, before)
    assert regressed(before.replace(right=4), before) and regressed(before.replace(wrong=2), before)
    assert not regressed(Score(should=20, right=10, should_not=20, wrong=2), before)


SETS = st.dictionaries(st.integers(0, 5), st.sets(st.integers(0, 5)))


@settings(deadline=None)
@given(st.sets(st.integers(0, 5), min_size=1), SETS)
def test_resolving_never_adds_and_a_cycle_never_empties_a_pair(fired: set[int], named: dict[int, set[int]]) -> None:
    left = resolve(fired, lambda pointer: named.get(pointer, set()))
    assert left <= fired
    if len(fired) <= 2:
        assert left


@settings(deadline=None)
@given(st.sets(st.integers(0, 5), min_size=1), SETS)
def test_together_needs_every_pair(fired: set[int], named: dict[int, set[int]]) -> None:
    pairs = [(a, b) for a in fired for b in fired if a != b]
    assert load_together(fired, lambda p: named.get(p, set())) == all(b in named.get(a, set()) for a, b in pairs)
