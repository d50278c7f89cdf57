"""The extra ``semantic``: which bytes are run, what the encoder gives, and that scores never decide alone."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from upheld.errors import StorageError
from upheld.model.route import AMBIGUOUS, NONE, STATEMENT, STRUCTURED, Rule, Task, Trigger
from upheld.routing.build import build
from upheld.routing.form import UNCALIBRATED
from upheld.routing.index import Index
from upheld.routing.router import route
from upheld.stores.semantic import fitted, head, local_onnx, minilm
from upheld.stores.semantic.calibrate import TOO_FEW, choose
from upheld.stores.semantic.fused import FusedScorer, fused
from upheld.stores.semantic.head import fit
from upheld.stores.semantic.kept_vectors import KeptVectors
from upheld.stores.semantic.onnx_encoder import OnnxEncoder
from upheld.stores.semantic.pinned import read
from upheld.stores.semantic.wordpiece import from_json, from_vocabulary

SEMANTIC = Path(minilm.__file__).parent
HEAVY = {"numpy", "onnxruntime", "tokenizers"}
RULES = (
    Rule(
        key="deploys",
        read_when="Before deploying to production",
        fires=("Ship the new version", "Roll out the release", "Put this build live"),
        nots=("Describe how a ship is deployed at sea",),
    ),
    Rule(
        key="refunds",
        read_when="Before answering a refund request",
        fires=("The customer wants their money back", "Return what she paid", "Reimburse the buyer"),
        trigger=Trigger(paths=("billing/**",)),
    ),
    Rule(
        key="holidays",
        read_when="When somebody asks about days off",
        fires=("How much vacation do I have left", "Book me a week of leave", "Is Friday a public holiday"),
    ),
)


@pytest.fixture(scope="module")
def encoder() -> OnnxEncoder:
    return minilm.load()


@pytest.fixture(scope="module")
def scorer(encoder: OnnxEncoder) -> FusedScorer:
    made = fused(RULES, encoder.vectors)
    made.limit = 0.5
    return made


@pytest.fixture(scope="module")
def index() -> Index:
    return Index(build(RULES))


# --- the encoder ----------------------------------------------------------------------------------------------------


def test_like_means_near_and_every_vector_has_unit_length(encoder: OnnxEncoder) -> None:
    rows = encoder.vectors(("Ship the new version", "Deploy the release", "A recipe for onion soup"))
    assert encoder.size == 384
    assert np.allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.2


def test_a_text_has_the_same_vector_alone_and_among_others(encoder: OnnxEncoder) -> None:
    alone = encoder.vectors(("Reimburse the buyer",))[0]
    among = encoder.vectors(("x", "Reimburse the buyer", "A much longer text " * 30))[1]
    assert alone.tobytes() == among.tobytes()
    assert encoder.encode(("Reimburse the buyer",))[0] == tuple(alone.tolist())


@pytest.mark.parametrize("text", ["", "\ud800", "語" * 50, "👩‍🚀" * 9, "word " * 20_000, "[SEP] [CLS]", "\x00"])
def test_every_text_has_a_vector(encoder: OnnxEncoder, text: str) -> None:
    assert np.isfinite(encoder.vectors((text,))).all()


def test_a_task_cannot_write_the_marks_of_the_model(encoder: OnnxEncoder) -> None:
    tokenizer = from_vocabulary((SEMANTIC / "vocab.txt").read_bytes())
    ids = tokenizer.encode("[SEP] x").ids
    assert ids.count(102) == 1 and ids[-1] == 102


def test_other_bytes_than_the_pinned_ones_are_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "MODEL_SHA256", "0" * 64)
    with pytest.raises(StorageError, match="other bytes"):
        minilm.load()


def test_a_model_that_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "PACKAGE", "no_such_package_at_all")
    with pytest.raises(StorageError, match="not installed") as caught:
        minilm.load()
    assert "upheld[semantic]" in caught.value.help


def test_the_vocabulary_here_is_the_pinned_one_and_says_whose_it_is() -> None:
    assert read(str(SEMANTIC / "vocab.txt"))[1] == minilm.VOCABULARY_SHA256
    assert minilm.VOCABULARY_SHA256 in (SEMANTIC / "NOTICE").read_text("utf-8")


def local(folder: Path) -> Path:
    made = folder / "encoder"
    made.mkdir()
    shutil.copy(minilm._model_file(), made / "model.onnx")
    shutil.copy(SEMANTIC / "vocab.txt", made)
    return made


def test_a_local_folder_gives_the_same_vectors_and_is_held_to_its_first_bytes(
    tmp_path: Path, encoder: OnnxEncoder
) -> None:
    folder, records = local(tmp_path), str(tmp_path / "records")
    made = local_onnx.load(str(folder), records)
    assert made.encode(("Ship it",)) == encoder.encode(("Ship it",))
    assert made.identity != encoder.identity
    assert local_onnx.load(str(folder), records).identity == made.identity
    with open(folder / "vocab.txt", "ab") as opened:
        opened.write(b"more\n")
    with pytest.raises(StorageError, match="other bytes than when it was first used"):
        local_onnx.load(str(folder), records)
    [record] = Path(records).iterdir()
    record.write_text("spoilt")
    with pytest.raises(StorageError, match="other bytes"):
        local_onnx.load(str(folder), records)


@pytest.mark.parametrize(
    ("name", "data"), [("model.onnx", b"no model"), ("vocab.txt", b"a\nb\n"), ("tokenizer.json", b"{}")]
)
def test_a_folder_that_holds_no_encoder_is_refused(tmp_path: Path, name: str, data: bytes) -> None:
    folder = local(tmp_path)
    (folder / name).write_bytes(data)
    with pytest.raises(StorageError):
        local_onnx.load(str(folder), str(tmp_path / "records"))


def field(number: int, value: bytes | int) -> bytes:
    """One field of a protobuf message: text and messages by length, numbers as they are."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(value: int) -> bytes:
    low, rest = value & 127, value >> 7
    return bytes([low | 128]) + varint(rest) if rest else bytes([low])


def model_with_weights_elsewhere(file: bytes, rows: int) -> bytes:
    """A model that looks its token vectors up in another file."""

    def tensor(name: bytes, kind: int, *sizes: int | bytes) -> bytes:
        dims = b"".join(field(1, field(2, size) if isinstance(size, bytes) else field(1, size)) for size in sizes)
        return field(1, name) + field(2, field(1, field(1, kind) + field(2, dims)))

    external = field(13, field(1, b"location") + field(2, file))
    weights = field(1, rows) + field(1, 4) + field(2, 1) + field(8, b"w") + external + field(14, 1)
    gather = field(1, b"w") + field(1, b"input_ids") + field(2, b"out") + field(4, b"Gather")
    asked = [tensor(name, 7, 1, b"n") for name in (b"input_ids", b"attention_mask")]
    graph = field(1, gather) + field(2, b"g") + field(5, weights) + b"".join(field(11, one) for one in asked)
    graph += field(12, tensor(b"out", 1, 1, b"n", 4))
    return field(1, 8) + field(7, graph) + field(8, field(1, b"") + field(2, 17))


@pytest.mark.parametrize("is_named", [True, False], ids=["as it stands", "even if the name were not seen"])
def test_weights_that_lie_in_another_file_are_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_named: bool
) -> None:
    """Their bytes are under no digest, and the runtime looks for them where the process stands."""
    folder = local(tmp_path)
    rows = len((folder / "vocab.txt").read_bytes().splitlines())
    (folder / "model.onnx").write_bytes(model_with_weights_elsewhere(b"w.bin", rows))
    (folder / "w.bin").write_bytes(bytes(range(1, 17)) * rows)
    monkeypatch.chdir(folder)
    if not is_named:
        monkeypatch.setattr("upheld.stores.semantic.onnx_encoder._ELSEWHERE", b"nothing of the kind")
    with pytest.raises(StorageError, match="weights in other files" if is_named else "cannot be loaded"):
        local_onnx.load(str(folder), str(tmp_path / "records"))


def test_a_folder_without_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be read"):
        local_onnx.load(str(tmp_path), str(tmp_path / "records"))


def test_a_tokenizer_file_is_read_as_well(encoder: OnnxEncoder) -> None:
    said = from_vocabulary((SEMANTIC / "vocab.txt").read_bytes())
    assert from_json(said.to_str().encode()).encode("Ship it").ids == said.encode("Ship it").ids


# --- the head -------------------------------------------------------------------------------------------------------


def test_the_head_tells_apart_what_a_line_can() -> None:
    rows = np.array([[1, 0], [0.9, 0.1], [0, 1], [0.1, 0.9]], np.float32)
    labels = np.array([0, 0, 1, 1])
    weights = fit(rows, labels, 2, penalty=0.01)
    assert ((rows @ weights).argmax(axis=1) == labels).all()
    assert np.abs(weights.sum(axis=1)).max() < 1e-3
    assert weights.tobytes() == fit(rows, labels, 2, penalty=0.01).tobytes()


def test_the_head_is_where_the_slope_is_nought() -> None:
    chance = np.random.default_rng(1)
    rows, labels = chance.normal(size=(40, 5)).astype(np.float32), np.arange(40) % 3
    weights = fit(rows, labels, 3, penalty=1.0)
    heights = np.exp(rows @ weights)
    slope = rows.T @ (heights / heights.sum(axis=1, keepdims=True) - np.eye(3, dtype=np.float32)[labels]) + weights
    assert np.abs(slope).max() < 0.02


def test_a_fit_ends_where_the_numbers_no_longer_tell_whether_the_loss_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    """As far as the slope goes, it might never: with many classes its own noise is larger than what is asked of it."""
    monkeypatch.setattr(head, "_ENOUGH", 0.0)
    looked: list[int] = []

    def loss(at: NDArray[np.float32]) -> tuple[float, NDArray[np.float32]]:
        looked.append(1)
        noise = np.random.default_rng(len(looked)).normal(size=at.shape).astype(np.float32) * 1e-3
        return 20_000.0 + float(at @ at), 2 * at + noise

    assert np.abs(head.lowest(loss, np.full(8, 50.0, np.float32))).max() < 0.1
    assert len(looked) < 2 * head.ROUNDS


# --- scores and the decision ----------------------------------------------------------------------------------------


def test_a_task_is_found_by_its_sense_where_it_shares_no_word(scorer: FusedScorer) -> None:
    ranked, none = scorer.score("Could they get reimbursement for the purchase?", frozenset())
    assert ranked[0][0] == "refunds"
    assert abs(sum(part for _, part in ranked) + none - 1.0) < 1e-6


def test_a_barred_key_does_not_compete(scorer: FusedScorer) -> None:
    ranked, _ = scorer.score("The customer wants a refund", frozenset(("refunds",)))
    assert "refunds" not in dict(ranked)
    assert scorer.score("x", frozenset(rule.key for rule in RULES)) == ([], 1.0)


def test_negatives_count_for_none(scorer: FusedScorer) -> None:
    text = "Explain how ships are deployed on the sea"
    before = fused(tuple(rule.replace(nots=()) for rule in RULES), scorer._vectors).score(text, frozenset())
    after = scorer.score(text, frozenset())
    assert dict(after[0])["deploys"] < dict(before[0])["deploys"]


def test_rules_in_another_order_score_alike(encoder: OnnxEncoder, scorer: FusedScorer) -> None:
    other = fused(tuple(reversed(RULES)), encoder.vectors)
    assert other.score("Ship it", frozenset()) == scorer.score("Ship it", frozenset())


def test_a_broken_rule_is_never_answered(encoder: OnnxEncoder) -> None:
    broken = (RULES[0].replace(broken="spoilt"), *RULES[1:])
    assert "deploys" not in dict(fused(broken, encoder.vectors).score("Ship the new version", frozenset())[0])


class Certain:
    """A scorer that is always sure of one key."""

    limit = 0.5

    def __init__(self, key: str) -> None:
        self.key = key
        self.asked: list[frozenset[str]] = []

    def score(self, text: str, barred: frozenset[str]) -> tuple[list[tuple[str, float]], float]:
        self.asked.append(barred)
        return ([], 1.0) if self.key in barred else ([(self.key, 0.99)], 0.01)


def test_the_router_decides_and_the_scorer_only_scores(index: Index) -> None:
    sure = Certain("holidays")
    assert route(Task(text="An entirely different matter"), index, sure).keys == ("holidays",)
    assert "semantic score 0.99" in route(Task(text="An entirely different matter"), index, sure).why
    assert route(Task(text="x", paths=("billing/a.py",)), index, sure).by == STRUCTURED
    assert route(Task(text="roll out the release"), index, sure).by == STATEMENT
    assert route(Task(text="do not load holidays"), index, sure).outcome == NONE
    assert route(Task(text=""), index, sure).outcome == NONE


def test_a_negative_stated_word_for_word_bars_its_key(index: Index) -> None:
    sure = Certain("deploys")
    assert route(Task(text="describe how a ship is deployed at sea"), index, sure).outcome == NONE
    assert sure.asked[-1] == {"deploys"}


def test_a_key_that_the_index_does_not_have_is_not_answered(index: Index) -> None:
    assert route(Task(text="An entirely different matter"), index, Certain("unknown")).outcome == NONE


def test_below_its_limit_a_score_matches_nothing(index: Index) -> None:
    sure = Certain("deploys")
    sure.limit = UNCALIBRATED
    assert route(Task(text="An entirely different matter"), index, sure).outcome == AMBIGUOUS


# --- calibration, and what is kept ------------------------------------------------------------------------------------


class Rows:
    """An encoder whose vectors are drawn by the text's first word: texts of one word's group lie together."""

    identity = "ab" * 32
    size = 16

    def __init__(self) -> None:
        self.runs = 0

    def vectors(self, texts: tuple[str, ...]) -> NDArray[np.float32]:
        self.runs += len(texts)
        rows = []
        for text in texts:
            own = np.random.default_rng(sum(map(ord, text))).normal(size=self.size)
            group = np.random.default_rng(len(text.split(maxsplit=1)[0])).normal(size=self.size)
            row = group + 0.2 * own
            rows.append(row / np.linalg.norm(row))
        return np.array(rows, np.float32).reshape(len(rows), self.size)


def grouped(examples: int) -> tuple[Rule, ...]:
    """Rules whose examples share no word, and lie together all the same."""
    return tuple(
        Rule(
            key=f"k{n}",
            read_when=f"{'a' * n} k{n}",
            fires=tuple(f"{chr(97 + e) * n} {n * 100 + e * 7:x}{e}q{n}" for e in range(examples)),
        )
        for n in range(2, 22)
    )


def test_a_store_with_few_examples_is_left_to_the_core_layer() -> None:
    assert choose(RULES, Rows().vectors).why == TOO_FEW


def test_a_limit_is_chosen_from_the_store_alone_and_never_below_a_half() -> None:
    chosen = choose(grouped(6), Rows().vectors)
    assert chosen.why == ""
    assert 0.5 <= chosen.limit < UNCALIBRATED


def test_where_words_find_more_the_words_are_kept() -> None:
    """Vectors that say nothing: sense cannot find what the words of the examples state."""

    def noise(texts: tuple[str, ...]) -> NDArray[np.float32]:
        rows = [np.random.default_rng(sum(map(ord, text))).normal(size=8) for text in texts]
        return np.array([row / np.linalg.norm(row) for row in rows], np.float32)

    rules = tuple(
        Rule(
            key=f"key{n}",
            read_when=f"alpha{n}x beta{n}y gamma{n}z",
            fires=tuple(f"alpha{n}x beta{n}y gamma{n}z delta{n}w{e}" for e in range(6)),
        )
        for n in range(20)
    )
    chosen = choose(rules, noise)
    assert chosen.limit == UNCALIBRATED
    assert "words alone find more" in chosen.why


def test_what_is_kept_is_used_for_the_same_version_and_no_other(tmp_path: Path) -> None:
    first, again, other = Rows(), Rows(), Rows()
    how = {"place": "path:/x", "root": str(tmp_path)}
    made = fitted.fitted(grouped(6), first, digest="aa", **how)  # type: ignore[arg-type]
    same = fitted.fitted(grouped(6), again, digest="aa", **how)  # type: ignore[arg-type]
    assert isinstance(made, FusedScorer) and isinstance(same, FusedScorer)
    assert first.runs == 20 * 7 and again.runs == 0
    assert same.limit == made.limit
    other.identity = "cd" * 32
    fitted.fitted(grouped(6), other, digest="aa", **how)  # type: ignore[arg-type]
    assert other.runs == first.runs


@pytest.mark.parametrize("spoil", ["", "{}", '{"limit": 0.0}', "[]", "\x00"])
def test_a_spoilt_record_is_made_anew(tmp_path: Path, spoil: str) -> None:
    how = {"place": "path:/x", "root": str(tmp_path)}
    made = fitted.fitted(grouped(6), Rows(), digest="aa", **how)  # type: ignore[arg-type]
    for file in (tmp_path / "routes").iterdir():
        file.write_text(spoil)
    again = fitted.fitted(grouped(6), Rows(), digest="aa", **how)  # type: ignore[arg-type]
    assert isinstance(made, FusedScorer) and isinstance(again, FusedScorer)
    assert again.limit == made.limit


def test_tasks_are_forgotten_before_they_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("upheld.stores.semantic.kept_vectors.MOST_ASKED", 3)
    rows = Rows()
    kept = KeptVectors(rows)  # type: ignore[arg-type]
    for number in range(10):
        kept.tasks((f"task {number}",))
    assert len(kept._asked) == 3
    kept.tasks(("task 9",))
    assert rows.runs == 10


def test_a_store_too_large_is_left_to_the_core_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitted, "MOST_FITTED", 10)
    rows = Rows()
    said = fitted.fitted(grouped(6), rows, place="p", digest="aa", root=None)  # type: ignore[arg-type]
    assert said == fitted.TOO_MANY and rows.runs == 0


# --- where the heavy packages may be --------------------------------------------------------------------------------


def imports(source: str) -> set[str]:
    tree = ast.parse(source)
    named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    named |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in named}


def test_no_other_package_imports_them() -> None:
    package = SEMANTIC.parent.parent
    found = {path.parent for path in package.rglob("*.py") if imports(path.read_text("utf-8")) & HEAVY}
    assert found == {SEMANTIC}


def test_the_door_imports_none_of_them() -> None:
    code = (
        "import sys; import upheld.compose.semantic as s, upheld.mcp.route_tool, upheld.mcp.status_tool;"
        "s.SemanticRouter.of_this_machine();"
        f"assert not {HEAVY!r} & set(sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
