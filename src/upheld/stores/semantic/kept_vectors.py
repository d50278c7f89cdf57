"""Vectors of texts, kept in memory and in one file of the user's state folder, so that no text is encoded twice.

The file is derived and never trusted for content: whoever can write the state folder could make a text score
otherwise, as with the route index, and load nothing by it that the verified store does not have.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from threading import Lock

import numpy as np

from upheld.stores.route_file import mapped
from upheld.stores.state_writer import write_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from numpy.typing import NDArray

    from upheld.stores.semantic.onnx_encoder import OnnxEncoder

    Floats = NDArray[np.float32]

_MAGIC = b"UPHVECS1"
_NAME = 16
MOST_ASKED = 512
"""Vectors of tasks that are kept in memory, beside those of statements."""


class KeptVectors:
    """The vectors of one encoder.

    Args:
        encoder: what encodes.
        file: where statements' vectors are kept between processes; None for nowhere.
    """

    def __init__(self, encoder: OnnxEncoder, file: str | None = None) -> None:
        self.encoder = encoder
        self.file = file
        self._kept: dict[bytes, Floats] = {} if file is None else _read(file, encoder.identity, encoder.size)
        self._asked: dict[str, Floats] = {}
        self._lock = Lock()

    def statements(self, texts: tuple[str, ...]) -> Floats:
        """Return rows for the statements of a store; each is encoded once and kept."""
        names = [sha256(text.encode("utf-8", "replace")).digest()[:_NAME] for text in texts]
        for name, text in zip(names, texts, strict=True):
            if name not in self._kept:
                self._kept[name] = self._encode(text)
        return np.array([self._kept[name] for name in names], np.float32).reshape(len(names), self.encoder.size)

    def tasks(self, texts: tuple[str, ...]) -> Floats:
        """Return rows for tasks; a few of the last are kept in memory."""
        rows = [self._task(text) for text in texts]
        return np.array(rows, np.float32).reshape(len(rows), self.encoder.size)

    def _task(self, text: str) -> Floats:
        found = self._asked.get(text)
        if found is None:
            found = self._encode(text)
            with self._lock:
                while len(self._asked) >= MOST_ASKED:
                    del self._asked[next(iter(self._asked))]
                self._asked[text] = found
        return found

    def _encode(self, text: str) -> Floats:
        return np.asarray(self.encoder.vectors((text,))[0], np.float32)

    def save(self, texts: tuple[str, ...]) -> None:
        """Keep the vectors of these statements, and no others, for the next process. Where it cannot be, so be it."""
        if self.file is None:
            return
        names = sorted({sha256(text.encode("utf-8", "replace")).digest()[:_NAME] for text in texts})
        rows = np.array([self._kept[name] for name in names if name in self._kept], np.float32)
        raw = _MAGIC + bytes.fromhex(self.encoder.identity) + b"".join(n for n in names if n in self._kept)
        with suppress(OSError):
            os.makedirs(os.path.dirname(self.file), mode=0o700, exist_ok=True)
            write_private(self.file, raw + rows.tobytes())


def _read(file: str, identity: str, size: int) -> dict[bytes, Floats]:
    raw = mapped(file)
    head = len(_MAGIC) + 32
    if raw is None or len(raw) < head or bytes(raw[:head]) != _MAGIC + bytes.fromhex(identity):
        return {}
    count, rest = divmod(len(raw) - head, _NAME + 4 * size)
    if rest:
        return {}
    start = head + _NAME * count
    rows = np.frombuffer(bytes(raw[start:]), np.float32).reshape(count, size)
    lengths = np.linalg.norm(rows.astype(np.float64), axis=1) if count else np.zeros(0)
    sound = np.isfinite(rows).all(axis=1) & (np.abs(lengths - 1.0) < 1e-3) if count else np.zeros(0, bool)
    return {bytes(raw[head + _NAME * at : head + _NAME * (at + 1)]): rows[at] for at in range(count) if sound[at]}
