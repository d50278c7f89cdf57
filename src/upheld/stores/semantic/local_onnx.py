"""Any sentence encoder in a folder that the user names: ``model.onnx`` by ``tokenizer.json`` or ``vocab.txt``.

Nobody pins its bytes but the user: their digests are recorded in the user's own state folder when the folder is first
used, and a folder whose bytes are others afterwards is refused until the record is taken away.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256

from upheld.errors import StorageError
from upheld.stores.semantic.onnx_encoder import OnnxEncoder
from upheld.stores.semantic.pinned import read
from upheld.stores.semantic.wordpiece import from_json, from_vocabulary
from upheld.stores.state_writer import write_private

TOKENIZERS = ("tokenizer.json", "vocab.txt")


def load(folder: str, records: str) -> OnnxEncoder:
    """Load the encoder of a folder, once its bytes are those that were recorded.

    Args:
        folder: the folder.
        records: the folder below the user's state folder where the digests are kept.

    Raises:
        StorageError: a file is missing, is of another form, or has other bytes than when the folder was first used.
    """
    place = os.path.realpath(folder)
    record = os.path.join(records, sha256(place.encode("utf-8", "surrogateescape")).hexdigest()[:32] + ".json")
    names = (
        "model.onnx",
        next((name for name in TOKENIZERS if os.path.exists(os.path.join(place, name))), "vocab.txt"),
    )
    files = {name: read(os.path.join(place, name)) for name in names}
    digests = {name: digest for name, (_, digest) in files.items()}
    _hold(record, digests)
    tokens = files[names[1]][0]
    made = from_json(tokens) if names[1] == "tokenizer.json" else from_vocabulary(tokens)
    identity = sha256("".join(digests[name] for name in names).encode()).hexdigest()
    return OnnxEncoder(files["model.onnx"][0], made, identity)


def _hold(record: str, digests: dict[str, str]) -> None:
    known = _recorded(record)
    if known is None:
        try:
            os.makedirs(os.path.dirname(record), mode=0o700, exist_ok=True)
            write_private(record, json.dumps(digests, sort_keys=True).encode())
        except OSError as error:
            raise StorageError(f"the encoder cannot be recorded: {os.strerror(error.errno or 0)}") from None
    elif known != digests:
        raise StorageError(
            "the encoder in that folder has other bytes than when it was first used",
            help=f"if you changed it yourself, remove {record} and ask again",
        )


def _recorded(record: str) -> object:
    try:
        with open(record, "rb") as opened:
            return json.loads(opened.read(4_096))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return {}  # a record that cannot be read agrees with nothing
