"""The semantic layer through the doors: the library, the command, the server; present, absent, and spoilt."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import pytest

from keeping import run
from upheld.compose import semantic
from upheld.compose.library import Memory
from upheld.compose.semantic import FITTING, SemanticRouter
from upheld.errors import StorageError, UsageError
from upheld.mcp import resident
from upheld.mcp.desk import Caller, Desk
from upheld.model.answer import Refusal
from upheld.model.route import MATCH
from upheld.model.trigger_edit import TriggerEdit
from upheld.stores.semantic import fitted, minilm
from upheld.stores.semantic.calibrate import TOO_FEW, Chosen
from upheld.stores.semantic.onnx_encoder import OnnxEncoder

TASK = "Somebody wants to be reimbursed for what they bought"


@pytest.fixture
def store(memory: Memory) -> Memory:
    memory.remember(
        "refunds",
        "Offer a refund.",
        when="Before answering a refund request",
        because="It is the law.",
        trigger=TriggerEdit(
            fires=("The customer wants their money back", "Return what she paid", "Pay the buyer back")
        ),
    )
    memory.remember("deploys", "Deploy on Tuesdays.", when="Before deploying to production", because="Ask ops.")
    return memory


def spoilt() -> OnnxEncoder:
    raise StorageError("model.onnx has other bytes than it must have")


def why(memory: Memory, router: SemanticRouter) -> str:
    routed = memory.route(TASK, semantic=router)
    assert not isinstance(routed, Refusal)
    return routed.why


def test_a_store_with_few_examples_is_routed_by_words_and_that_is_said(store: Memory) -> None:
    assert why(store, SemanticRouter(minilm.load)).endswith(f"without the semantic layer: {TOO_FEW}")


def test_a_calibrated_store_is_routed_by_sense(store: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitted, "choose", lambda rules, vectors: Chosen(limit=0.005))
    router = SemanticRouter(minilm.load)
    routed = store.route(TASK, semantic=router, load=True)
    assert not isinstance(routed, Refusal)
    assert "semantic score" in routed.why
    assert routed.keys == ("refunds",) and routed.loaded[0].outcome == "verified"
    assert router.said().startswith("in use: encoder 8199be6f699a")


def test_a_change_of_the_store_is_fitted_anew(store: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []

    def choose(rules: tuple[object, ...], vectors: object) -> Chosen:
        seen.append(len(rules))
        return Chosen(limit=0.5)

    monkeypatch.setattr(fitted, "choose", choose)
    router = SemanticRouter(minilm.load)
    why(store, router)
    why(store, router)
    store.remember("holidays", "Ask HR.", when="When somebody asks about days off", because="HR knows.")
    assert "semantic score" in why(store, router)
    assert seen == [2, 3]


def test_wrong_bytes_are_said_with_the_answer_that_words_give(store: Memory) -> None:
    router = SemanticRouter(spoilt)
    assert "without the semantic layer: model.onnx has other bytes" in why(store, router)
    stated = store.route("before answering a refund request", semantic=router)
    assert not isinstance(stated, Refusal)
    assert stated.outcome == MATCH and "other bytes" in stated.why
    assert router.said().startswith("not in use: model.onnx has other bytes")


def test_beside_the_caller_only_a_fault_is_said(store: Memory) -> None:
    go_on = threading.Event()

    def slowly() -> OnnxEncoder:
        go_on.wait(30)
        return spoilt()

    router = SemanticRouter(slowly, waits=False)
    assert router.said() == "not used yet"
    assert "semantic" not in why(store, router)
    assert router.said() == f"not in use: {FITTING}"
    go_on.set()
    [thread] = [one for one in threading.enumerate() if one.name == "upheld-semantic"]
    thread.join(30)
    assert "other bytes" in why(store, router)


def encoder_that_fails_once() -> tuple[list[int], Callable[[], OnnxEncoder]]:
    loads: list[int] = []

    def load() -> OnnxEncoder:
        loads.append(1)
        return spoilt() if len(loads) == 1 else minilm.load()

    return loads, load


def test_after_a_fault_the_next_call_has_it_tried_again(store: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitted, "choose", lambda rules, vectors: Chosen(limit=0.5))
    loads, load = encoder_that_fails_once()
    router = SemanticRouter(load)
    assert "other bytes" in why(store, router)
    assert "semantic score" in why(store, router) and "semantic score" in why(store, router)
    assert len(loads) == 2


def test_beside_the_caller_a_fault_is_tried_again_as_well(store: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitted, "choose", lambda rules, vectors: Chosen(limit=0.5))
    _, load = encoder_that_fails_once()
    router = SemanticRouter(load, waits=False)
    for _ in range(2):
        why(store, router)
        for thread in threading.enumerate():
            if thread.name == "upheld-semantic":
                thread.join(60)
    assert "semantic score" in why(store, router)
    assert router.said().startswith("in use")


def test_an_encoder_that_fails_at_a_task_leaves_it_to_words_and_says_so(
    store: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fitted, "choose", lambda rules, vectors: Chosen(limit=0.5))
    router = SemanticRouter(minilm.load)
    assert "semantic score" in why(store, router)
    real = OnnxEncoder.vectors

    def fail(*_: object) -> None:
        raise StorageError("the model cannot be run: out of memory")

    monkeypatch.setattr(OnnxEncoder, "vectors", fail)
    for task in ("another task about money", "yet another"):
        routed = store.route(task, semantic=router)
        assert not isinstance(routed, Refusal)
        assert routed.why.endswith("without the semantic layer: the model cannot be run: out of memory")
    monkeypatch.setattr(OnnxEncoder, "vectors", real)
    routed = store.route("another task about money", semantic=router)
    assert not isinstance(routed, Refusal) and "semantic score" in routed.why


@pytest.mark.parametrize("waits", [True, False])
def test_many_threads_load_one_encoder_and_fit_a_version_once(
    store: Memory, monkeypatch: pytest.MonkeyPatch, waits: bool
) -> None:
    fits: list[int] = []
    loads: list[int] = []

    def choose(rules: object, vectors: object) -> Chosen:
        fits.append(1)
        return Chosen(limit=0.5)

    def load() -> OnnxEncoder:
        loads.append(1)
        return minilm.load()

    monkeypatch.setattr(fitted, "choose", choose)
    router = SemanticRouter(load, waits=waits)
    said: list[str] = []
    threads = [threading.Thread(target=lambda: said.append(why(store, router))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in [*threads, *(one for one in threading.enumerate() if one.name == "upheld-semantic")]:
        thread.join(60)
    assert (len(said), fits, loads) == (6, [1], [1])
    assert not waits or all("semantic score" in one for one in said)
    assert router.said().startswith("in use")


def test_a_store_that_cannot_be_read_leaves_nothing_underway(store: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    def unread(base: object) -> None:
        raise StorageError("the disk is gone")

    router = SemanticRouter(minilm.load)
    with monkeypatch.context() as patch:
        patch.setattr(semantic, "every_rule", unread)
        with pytest.raises(StorageError):
            store.route(TASK, semantic=router)
    assert router.said() == "not used yet"
    assert TOO_FEW in why(store, router)


def test_only_a_few_versions_are_kept(store: Memory) -> None:
    router = SemanticRouter(spoilt)
    for number in range(semantic.MOST_KEPT + 2):
        store.remember(f"key-{number}", "Text.", when=f"When asked for number {number}", because="Said.")
        why(store, router)
    assert len(router._found) == semantic.MOST_KEPT


def test_the_command_asks_for_it_by_name(store: Memory) -> None:
    said: dict[str, Any] = json.loads(run("route", TASK, "--semantic", "--format", "json").out)
    assert "without the semantic layer" in said["why"]
    plain: dict[str, Any] = json.loads(run("route", TASK, "--format", "json").out)
    assert "semantic" not in plain["why"]


def test_a_missing_extra_is_said_and_nothing_is_routed(store: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic, "MODULES", ("numpy", "no_such_module_here"))
    with pytest.raises(UsageError, match="no no_such_module_here"):
        SemanticRouter.of_this_machine()
    made = run("route", TASK, "--semantic")
    assert made.code == 2
    assert "needs the extra `semantic`" in made.err


def test_a_folder_that_the_user_names_is_the_encoder(
    store: Memory, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(semantic.ENCODER, str(tmp_path_factory.mktemp("nothing")))
    said: dict[str, Any] = json.loads(run("route", TASK, "--semantic", "--format", "json").out)
    assert "model.onnx cannot be read" in said["why"]


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resident, "_KEPT", [])


@pytest.mark.usefixtures("fresh")
def test_the_server_keeps_one_router_and_its_status_says_what_it_came_to(store: Memory) -> None:
    desk = Desk(store=store.path)
    status = desk.call("status", {}, Caller())
    assert status.fields["semantic"] == "not used yet"
    assert "semantic" in status.fields["extras"]
    assert not desk.call("route", {"task": TASK}, Caller()).is_error
    for thread in threading.enumerate():
        if thread.name == "upheld-semantic":
            thread.join(60)
    assert desk.call("status", {}, Caller()).fields["semantic"] == f"not in use: {TOO_FEW}"
    assert resident.resident() is resident.resident()


@pytest.mark.usefixtures("fresh")
def test_a_server_without_the_extra_says_so_and_routes(store: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(semantic, "MODULES", ("no_such_module_here", "numpy"))
    desk = Desk(store=store.path)
    assert not desk.call("route", {"task": TASK}, Caller()).is_error
    assert "not installed: no no_such_module_here" in desk.call("status", {}, Caller()).fields["semantic"]
