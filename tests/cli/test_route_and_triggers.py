"""route and triggers as commands: a real store, fresh reads, hostile tasks, and a route index that lies."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import upheld
from keeping import Ran, run
from upheld.compose.library import Memory
from upheld.model.answer import Refusal
from upheld.model.route import Routed, Rule, Trigger
from upheld.model.trigger_edit import TriggerEdit
from upheld.routing.build import build
from upheld.stores.route_file import shipped_lexicon
from upheld.wire.digest import sha256_hex

COPY, REFUND = "customer-copy", "refund-window"


@pytest.fixture
def store(memory: Memory) -> Memory:
    memory.remember(
        COPY,
        "Use the full public product name.",
        when="Before writing customer-facing product copy",
        because="Legal asked.",
        trigger=TriggerEdit(paths=("site/**",), fires=("Write the pricing page",)),
    )
    memory.remember(REFUND, "Offer a refund.", when="Before answering a refund request", because="It is the law.")
    return memory


def said(*arguments: str) -> dict[str, Any]:
    made = run(*arguments, "--format", "json").out
    return dict(json.loads(made))


def changed(*arguments: str) -> Ran:
    return run("triggers", *arguments, "--yes")


def routes_file() -> Path:
    import os

    [file] = (Path(os.environ["XDG_STATE_HOME"]) / "upheld" / "routes").glob("*.route")
    return file


# --- routing --------------------------------------------------------------------------------------------------------


def test_a_commit_leaves_a_store_that_routes_at_once(store: Memory) -> None:
    assert said("route", "x", "--path", "site/a.html")["keys"] == [COPY]
    assert said("route", "write the pricing page")["by"] == "statement"
    assert said("route", "before answering refund requests")["keys"] == [REFUND]
    assert run("route", "x", "--path", "site/a.html").code == 0
    assert run("route", "make me a sandwich").code == 0
    assert run("route", "make me a sandwich").out.startswith("none: ")


def test_load_serves_the_verified_text_or_says_why_not(store: Memory) -> None:
    loaded = said("route", "x", "--path", "site/a.html", "--load")["loaded"]
    assert [(one["outcome"], one["text"]) for one in loaded] == [("verified", "Use the full public product name.")]
    [source] = (Path(store.path) / "sources").glob(f"{COPY}.*")
    source.chmod(0o644)
    source.write_text("Use any name.\n")
    refused = run("route", "x", "--path", "site/a.html", "--load")
    assert refused.code == 4
    assert "HSH001" in refused.out
    assert "Use any name" not in refused.out


@pytest.mark.parametrize(
    "task",
    ["", " ", "🎉🚀", "Пожалуйста, напиши письмо", "請寫一封信", "a" * 100_000, "\x00\x1b[31m", "do not load customer-copy",
     "never write customer-facing product copy", "what is `customer-copy` about?", "\udcff\udcfe"],
)  # fmt: skip
def test_a_task_that_nothing_governs_loads_nothing(store: Memory, task: str) -> None:
    found = store.route(task)
    assert isinstance(found, Routed)
    assert (found.outcome, found.keys) == ("none", ())
    if "\x00" not in task and "\udcff" not in task:
        ran = run("route", task)
        assert (ran.code, ran.out.partition(":")[0]) == (0, "none")


def test_a_long_task_still_meets_its_path(store: Memory) -> None:
    assert said("route", "word " * 20_000, "--path", "site/a.html")["keys"] == [COPY]


def test_a_path_at_hand_outweighs_talk_about_the_key(store: Memory) -> None:
    assert said("route", "do not load customer-copy", "--path", "site/a.html")["keys"] == [COPY]


def test_several_that_fire_load_nothing_until_somebody_chooses(store: Memory) -> None:
    assert changed("add", REFUND, "--path", "site/**").code == 0
    ran = run("route", "x", "--path", "site/a.html", "--load")
    assert ran.code == 4
    assert ran.out.startswith("ambiguous: ")
    assert "full public product name" not in ran.out
    assert "upheld recall KEY" in ran.out
    assert changed("add", REFUND, "--overrides", COPY).code == 0
    assert said("route", "x", "--path", "site/a.html")["keys"] == [REFUND]


def test_without_a_route_index_the_answer_is_unchecked_and_never_none(store: Memory) -> None:
    routes_file().unlink()
    for task in ("x", "make me a sandwich", ""):
        ran = run("route", task, "--path", "site/a.html")
        assert (ran.code, ran.out.splitlines()[0]) == (3, "unchecked: route index missing: run `upheld triggers build`")
    assert not list((Path(store.path).parent.parent / "state" / "upheld" / "routes").glob("*.route")), (
        "a reader built it"
    )
    assert run("triggers", "build").code == 0
    assert run("route", "x", "--path", "site/a.html").code == 0


def test_a_route_index_of_an_older_version_is_not_used(store: Memory) -> None:
    old = routes_file().read_bytes()
    changed("add", REFUND, "--path", "refunds/**")
    routes_file().write_bytes(old)
    routed = said("route", "x", "--path", "site/a.html")
    assert (routed["outcome"], routed["keys"]) == ("unchecked", [])
    assert "triggers build" in routed["why"]


def forge(store: Memory, *rules: Rule, limit: float = 0.0) -> None:
    digest = bytes.fromhex(sha256_hex((Path(store.path) / "index.json").read_bytes()))
    routes_file().write_bytes(build(rules, digest=digest, limit=limit, lexicon=shipped_lexicon()))


@pytest.mark.parametrize(
    "rule",
    [
        Rule(key="no-such-key", read_when="Before the task", trigger=Trigger(paths=("src/**",))),
        Rule(key=REFUND, read_when="Before the task", trigger=Trigger(paths=("src/**",))),
        Rule(key=REFUND, read_when="Before answering a refund request", trigger=Trigger(paths=("src/**",))),
        Rule(key=REFUND, read_when="Before answering a refund request", fires=("do the task",)),
    ],
    ids=["unknown key", "another sentence", "a path it does not have", "an example it does not have"],
)
def test_a_route_index_that_lies_loads_nothing(store: Memory, rule: Rule) -> None:
    forge(store, rule)
    ran = run("route", "do the task", "--path", "src/a.py", "--load")
    assert ran.code == 3
    assert ran.out.startswith("unchecked: the route index and the store disagree")


def test_a_route_index_cannot_take_a_veto_away(store: Memory) -> None:
    changed("add", REFUND, "--not", "refund the deposit", "--not-when", "path:legal/**")
    forge(store, Rule(key=REFUND, read_when="Before answering a refund request", fires=("refund the deposit",)))
    assert run("route", "refund the deposit").code == 3
    assert run("route", "answering a refund request", "--path", "legal/a").code == 3


@pytest.mark.parametrize("data", [b"", b"x", b"UPHROUT4" + bytes(500), bytes(5_000)])
def test_a_spoilt_route_index_is_unchecked(store: Memory, data: bytes) -> None:
    routes_file().write_bytes(data)
    assert run("route", "x", "--path", "site/a.html").code == 3


def test_a_route_index_that_others_could_write_is_not_used(store: Memory) -> None:
    file = routes_file()
    file.chmod(0o666)
    assert run("route", "x", "--path", "site/a.html").code == 3
    file.unlink()
    file.symlink_to("/dev/zero")
    assert run("route", "x", "--path", "site/a.html").code == 3


def test_a_store_that_must_not_be_used_is_refused(store: Memory) -> None:
    index = Path(store.path) / "index.json"
    index.write_bytes(index.read_bytes().replace(b"Before answering", b"Whenever answering"))
    outcome = store.route("x", paths=("site/a.html",))
    assert isinstance(outcome, Refusal)
    assert run("route", "x", "--path", "site/a.html").code == 4


# --- several stores -------------------------------------------------------------------------------------------------


def test_two_stores_are_asked_at_once(store: Memory, tmp_path: Path) -> None:
    other = Memory(path=str(tmp_path / "mine" / ".upheld"), why="a test")
    (tmp_path / "mine").mkdir()
    other.init(passphrase=False, automation=("remember",))
    other.remember(
        COPY, "Use my name.", when="Before my copy", because="I say so.", trigger=TriggerEdit(paths=("site/**",))
    )
    other.remember(
        "mine", "Tea first.", when="Before my tea", because="I say so.", trigger=TriggerEdit(paths=("tea/**",))
    )
    both = ("--store", other.path, "--store", store.path)
    assert said("route", "x", "--path", "tea/a", *both)["choices"][0]["store"] == other.path
    twice = said("route", "x", "--path", "site/a", *both)
    assert (twice["outcome"], [one["store"] for one in twice["choices"]]) == ("ambiguous", [other.path, store.path])
    ranked = said("route", "x", "--path", "site/a", *both, "--ranked", "--load")
    assert (ranked["keys"], ranked["loaded"][0]["text"]) == ([COPY], "Use my name.")


# --- triggers -------------------------------------------------------------------------------------------------------


def test_add_is_a_sealed_change_that_leaves_the_record_alone(store: Memory) -> None:
    before = store.recall(REFUND)
    made = changed(
        "add", REFUND, "--fires", "Send the money back", "--command", "refund send", "--keyword", "chargeback"
    )
    assert made.code == 0, made.err
    after = store.recall(REFUND)
    assert after.require().record_id == before.require().record_id
    assert store.verify().outcome == "verified"
    assert store.log(key=REFUND).lines[0].verb == "triggers"
    for arguments in (["send the money back"], ["x", "--command", "refund send 7"], ["a chargeback came in"]):
        assert said("route", *arguments)["keys"] == [REFUND]


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--path", "**"], "TRG002"),
        (["--path", "*.*"], "TRG002"),
        (["--path", "a[b"], "TRG001"),
        (["--path", "../secrets"], "TRG001"),
        (["--tool", "*"], "TRG002"),
        (["--command", "*"], "TRG002"),
        (["--command", "a; b"], "TRG001"),
        (["--keyword", "the"], "TRG002"),
        (["--not-when", "path:**"], "TRG002"),
        (["--fires", "?!"], "TRG003"),
        (["--not", "answering a refund request"], "TRG004"),
        (["--overrides", "no-such-key"], "TRG005"),
        (["--together-with", REFUND], "TRG005"),
    ],
)
def test_what_would_always_or_never_fire_is_refused_at_write(store: Memory, options: list[str], code: str) -> None:
    index = (Path(store.path) / "index.json").read_bytes()
    ran = changed("add", REFUND, *options)
    assert ran.code == 4
    assert code in ran.out
    assert (Path(store.path) / "index.json").read_bytes() == index


def test_an_example_that_is_given_for_one_side_leaves_the_other(store: Memory) -> None:
    assert changed("add", COPY, "--not", "write the pricing page!").code == 0
    shown = said("triggers", "show", COPY)
    assert (shown["fires"], shown["nots"]) == ([], ["write the pricing page!"])
    assert said("route", "write the pricing page")["outcome"] == "none"
    assert said("route", "write the pricing page", "--path", "site/a")["outcome"] == "none"
    assert changed("add", COPY, "--fires", "Write the pricing page").code == 0
    assert said("route", "write the pricing page")["keys"] == [COPY]


def test_remove_and_clear_take_out_what_was_put_in(store: Memory) -> None:
    assert changed("remove", COPY, "--path", "docs/**").code == 2
    assert changed("remove", COPY, "--path", "site/**").code == 0
    assert said("route", "x", "--path", "site/a")["outcome"] == "none"
    assert changed("clear", COPY).code == 0
    assert not list((Path(store.path) / "triggers").iterdir())
    assert said("triggers", "show", COPY)["trigger"] is None
    assert changed("clear", COPY).code == 2
    assert store.verify().outcome == "verified"


def test_bad_calls_are_said_so(store: Memory) -> None:
    assert changed("add", COPY).code == 2
    assert changed("add", "no-such-key", "--path", "a/b").code == 2
    assert changed("add", COPY, "--not-when", "a/b").code == 2
    assert changed("add", COPY, "--fires", "word " * 200).code == 2
    assert run("triggers", "calibrate", "--wrong-load", "0").code == 2


def test_a_trigger_needs_a_person_or_the_policy(store: Memory, tmp_path: Path) -> None:
    other = Memory(path=str(tmp_path / "strict" / ".upheld"), why="a test")
    (tmp_path / "strict").mkdir()
    other.init(passphrase=False, automation=("remember",))
    other.remember("k", "Do it.", when="Before it", because="Because.")
    ran = run("--store", other.path, "triggers", "add", "k", "--path", "a/b", "--yes")
    assert (ran.code, "POL050" in ran.out) == (4, True)


def test_examples_move_with_a_rename_and_wait_for_a_restore(store: Memory) -> None:
    store.rename(COPY, "public-copy", because="Clearer.")
    assert said("route", "write the pricing page")["keys"] == ["public-copy"]
    store.retire("public-copy", because="Over.")
    assert said("route", "write the pricing page")["outcome"] == "none"
    store.gc()
    store.restore("public-copy", to="1", because="Back.")
    assert said("route", "write the pricing page")["keys"] == ["public-copy"]


def test_a_spoilt_file_of_examples_keeps_its_pointer_from_firing(store: Memory) -> None:
    [file] = (Path(store.path) / "triggers").iterdir()
    file.chmod(0o644)
    file.write_bytes(file.read_bytes().replace(b"pricing", b"landing"))
    assert run("route", "write the pricing page").code == 3
    assert run("triggers", "build").code == 0
    routed = said("route", "write the pricing page", "--path", "site/a")
    assert routed["outcome"] == "none"
    assert any("HSH005" in reason for reason in routed["never_fires"])
    assert run("triggers", "show", COPY).code == 1
    assert upheld.open(store.path).recall(COPY).outcome == "verified"


def test_lint_reports_what_others_wrote(store: Memory) -> None:
    assert run("triggers", "lint").code == 0
    store.retire(REFUND, because="Over.")
    changed("add", COPY, "--when", "Before writing copy")
    assert said("triggers", "lint") == {"triggers": 1, "findings": []}


def test_trials_count_and_hold_a_baseline(store: Memory, tmp_path: Path) -> None:
    file = tmp_path / f"{COPY}.json"
    rows: list[dict[str, Any]] = [
        {"query": "write the pricing page", "should_trigger": True},
        {"query": "refactor the parser", "should_trigger": False, "only": True},
        {"query": "tidy up", "should_trigger": True, "paths": ["site/a.html"]},
        {"query": "before answering a refund request", "should_trigger": True, "key": REFUND},
    ]
    file.write_text(json.dumps(rows))
    tried = said("triggers", "test", str(file))
    assert (tried["total"]["right"], tried["total"]["wrong"], tried["baseline"]) == (3, 0, None)
    assert run("triggers", "test", str(file), "--accept").code == 0
    assert run("triggers", "test", str(file)).code == 0
    changed("add", COPY, "--not", "write the pricing page")
    worse = run("triggers", "test", str(file))
    assert worse.code == 1
    assert "worse than the baseline" in worse.out


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[1]", '[{"query": 1, "should_trigger": true}]', '[{"query": "x"}]',
     '[{"query": "x", "should_trigger": true, "key": "no-such-key"}]', '[], "more": []',
     '[{"query": "x", "should_trigger": true, "paths": "a"}]'],
)  # fmt: skip
def test_malformed_trials_are_said_so(store: Memory, tmp_path: Path, text: str) -> None:
    file = tmp_path / f"{COPY}.json"
    file.write_text(text)
    assert run("triggers", "test", str(file)).code == 2
    assert run("triggers", "test", str(tmp_path / "absent.json")).code == 2


def test_the_stores_own_examples_are_tried_where_no_file_is_named(store: Memory) -> None:
    assert "1 of 1 loaded it" in run("triggers", "test").out


def test_a_store_with_too_few_examples_says_so(store: Memory) -> None:
    tuned = said("triggers", "calibrate")
    assert (tuned["limit"], tuned["chosen_now"], tuned["needed"]) == (None, True, 100)
    shown = run("triggers", "calibrate").out
    assert "uncalibrated" in shown and '`upheld triggers add KEY --fires "..."`' in shown


def test_a_store_with_enough_examples_matches_by_text(store: Memory) -> None:
    verbs = ("bake", "paint", "sail", "drill", "knit", "carve", "weld", "brew")
    for number in range(30):
        noun = f"gadget{chr(97 + number % 26)}{number // 26}"
        fires = tuple(f"{verb} the {noun} quickly" for verb in verbs)
        store.remember(
            f"k{number}", "Do so.", when=f"Before touching the {noun}", because="x", trigger=TriggerEdit(fires=fires)
        )
    tuned = store.triggers.calibrate()
    assert tuned.limit is not None
    routed = store.route("solder the gadgetc0 quickly")
    assert isinstance(routed, Routed)
    assert (routed.keys, routed.by) == (("k2",), "score")


# --- keys that go, and texts that change ----------------------------------------------------------------------------


def test_retiring_a_key_takes_it_out_of_what_others_say_of_it(store: Memory) -> None:
    changed("add", REFUND, "--overrides", COPY, "--path", "site/**")
    assert run("retire", COPY, "--because", "No longer sold.", "--yes").code == 0
    assert said("triggers", "show", REFUND)["trigger"] == {"paths": ["site/**"]}
    assert (store.verify().outcome, said("route", "x", "--path", "site/a")["keys"]) == ("verified", [REFUND])
    assert "TRG005" not in run("triggers", "lint").out
    assert store.log(key=REFUND).lines[0].verb == "triggers"


def test_renaming_a_key_carries_what_others_say_of_it(store: Memory) -> None:
    changed("add", REFUND, "--together-with", COPY, "--path", "site/**")
    changed("add", COPY, "--together-with", REFUND)
    assert run("rename", COPY, "product-copy", "--because", "A clearer name.", "--yes").code == 0
    assert said("triggers", "show", REFUND)["trigger"]["together_with"] == ["product-copy"]
    assert sorted(said("route", "x", "--path", "site/a")["keys"]) == ["product-copy", REFUND]


def test_a_correction_can_add_to_the_trigger_in_the_same_change(store: Memory) -> None:
    because = ("--because", "The law changed.", "--yes")
    ran = run("correct", REFUND, "Offer a refund within 14 days.", "--command", "refund send", *because)
    assert ran.code == 0, ran.err
    assert said("route", "x", "--command", "refund send 7")["keys"] == [REFUND]
    assert store.recall(REFUND).require().text == "Offer a refund within 14 days.\n"
    assert run("correct", REFUND, "Offer none.", "--path", "**", *because).code == 4


# --- the route index of a place -------------------------------------------------------------------------------------


def segments() -> list[Path]:
    return list(Path(f"{routes_file()}s").iterdir())


def test_a_commit_that_could_not_tell_the_route_index_is_made_up_for_by_the_next(store: Memory) -> None:
    old = routes_file().read_bytes()
    changed("add", REFUND, "--path", "refunds/**")
    routes_file().write_bytes(old)  # as if the process had died between the commit and the route index
    assert run("route", "x", "--path", "refunds/a").code == 3
    changed("add", COPY, "--path", "docs/**")
    assert said("route", "x", "--path", "refunds/a")["keys"] == [REFUND]
    assert said("route", "x", "--path", "docs/a")["keys"] == [COPY]


def test_a_lost_segment_makes_it_unchecked_until_the_next_build(store: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upheld.routing.grow.INLINE", 0)
    assert run("triggers", "build").code == 0
    [segment] = segments()
    segment.unlink()
    ran = run("route", "x", "--path", "site/a")
    assert (ran.code, "a part of it is missing" in ran.out) == (3, True)
    changed("add", REFUND, "--path", "refunds/**")
    assert said("route", "x", "--path", "refunds/a")["keys"] == [REFUND]


def test_what_a_dead_writer_left_beside_the_index_goes_with_the_next_write(store: Memory) -> None:
    left = Path(f"{routes_file()}s") / "00ff"
    left.write_bytes(b"half a segment")
    assert said("route", "x", "--path", "site/a")["keys"] == [COPY]
    changed("add", REFUND, "--path", "refunds/**")
    assert not left.exists()
