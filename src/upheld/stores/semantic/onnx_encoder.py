"""A sentence encoder over an ONNX model: mean of the token vectors, scaled to unit length.

One text a run, on one thread: an int8 model scales its activations by what it is given, so a batch would give the same
text other vectors.
"""

from __future__ import annotations

import numpy as np
import onnxruntime

from upheld.errors import StorageError
from upheld.routing.words import LONGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    Floats = NDArray[np.float32]

_ELSEWHERE = b"\n\x08location\x12"
"""How a model names another file that holds weights of it: the key of ``external_data`` in ONNX's protobuf."""
_NOWHERE = ("session.model_external_initializers_file_folder_path", "/nowhere/upheld reads no weights from files")
_INPUTS = frozenset(("input_ids", "attention_mask", "token_type_ids"))


class OnnxEncoder:
    """Implements ``upheld.ports.encoder.Encoder``; ``vectors`` is the same without the way through tuples.

    Args:
        model: the bytes of the model, checked already.
        tokenizer: what makes token numbers of a text.
        identity: the digest of the files, as ``Encoder`` says.

    Raises:
        StorageError: the bytes are no model of this kind.
    """

    def __init__(self, model: bytes, tokenizer: Tokenizer, identity: str) -> None:
        if _ELSEWHERE in model:
            raise StorageError(
                "the model keeps weights in other files, whose bytes nobody would check",
                help="save it as one file, or name another encoder",
            )
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        options.add_session_config_entry(*_NOWHERE)  # however they are named, they are not looked for
        try:
            self._session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # noqa: BLE001 - the runtime's errors share no base but this one
            raise StorageError(f"the model cannot be loaded: {error!s:.120}") from None
        self._takes = {given.name for given in self._session.get_inputs()}
        if not {"input_ids", "attention_mask"} <= self._takes <= _INPUTS:
            raise StorageError("the model is no sentence encoder: it takes " + ", ".join(sorted(self._takes))[:120])
        self._tokenizer = tokenizer
        self.identity = identity
        self.size = len(self._vector("size"))

    def encode(self, texts: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
        """Encode texts into unit vectors, one each, in order."""
        return tuple(tuple(row) for row in self.vectors(texts).tolist())

    def vectors(self, texts: tuple[str, ...]) -> Floats:
        """Encode texts into rows of unit length."""
        rows = [self._vector(text) for text in texts]
        return np.array(rows, np.float32).reshape(len(rows), self.size)

    def _vector(self, text: str) -> Floats:
        # The tokenizer wants text that can be written down: half a pair of surrogates cannot.
        said = text[:LONGEST].encode("utf-8", "replace").decode("utf-8")
        numbers = np.array([self._tokenizer.encode(said).ids], np.int64)
        given = {
            "input_ids": numbers,
            "attention_mask": np.ones_like(numbers),
            "token_type_ids": np.zeros_like(numbers),
        }
        try:
            out = self._session.run(None, {name: given[name] for name in self._takes})[0]
        except Exception as error:  # noqa: BLE001 - as above
            raise StorageError(f"the model cannot be run: {error!s:.120}") from None
        if out.ndim != 3 or out.shape[:2] != numbers.shape:
            raise StorageError("the model is no sentence encoder: its first output is not a vector for each token")
        mean = np.asarray(out[0].mean(axis=0), np.float32)
        length = float(np.linalg.norm(mean))
        if not 0.0 < length < float("inf"):
            raise StorageError("the model gives a vector without a direction")
        return np.asarray(mean / np.float32(length), np.float32)
