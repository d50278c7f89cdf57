"""JSON lines on descriptors 0 and 1: bounded, answered where they are no message, and nothing else on the wire.

The descriptors are copied and then pointed elsewhere (input at nothing, output at standard error), so that a stray
print or a child process can neither read a message nor write into one.
"""

from __future__ import annotations

import os
from _thread import allocate_lock

from upheld.errors import FaultError
from upheld.render.jsontext import line as json_line
from upheld.wire.strictjson import has_surrogate, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Message = dict[str, Any]

MAX_LINE = 4 * 1024 * 1024
"""Bytes of one message, as over HTTP."""
_CHUNK = 64 * 1024
PARSE_ERROR, INVALID_REQUEST = -32700, -32600


class Wire:
    """Both directions of one connection.

    Args:
        source: the descriptor to read from. sink: the descriptor to write to.
    """

    def __init__(self, source: int, sink: int) -> None:
        self._source, self._sink = source, sink
        self._lock = allocate_lock()
        self.is_broken = False

    @classmethod
    def taken(cls) -> Wire:
        """Take standard input and output for the protocol alone."""
        wire = cls(os.dup(0), os.dup(1))
        os.set_blocking(wire._source, True)
        os.set_blocking(wire._sink, True)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        return wire

    def messages(self) -> Iterator[Message]:
        """Yield each message until the input ends. What is none is answered here, as JSON-RPC 2.0 has it."""
        for line in self._lines():
            message = self._read(line) if line is not None else None
            if line is None:
                self.fail(None, PARSE_ERROR, f"a message of more than {MAX_LINE:,} bytes")
            elif message is not None:
                yield message

    def _lines(self) -> Iterator[bytes | None]:
        """Yield lines without their end; None for one that is too long, whose rest is passed over."""
        rest, is_over = b"", False
        while True:
            chunk = os.read(self._source, _CHUNK)
            *lines, rest = (rest + chunk).split(b"\n") if b"\n" in chunk else (rest + chunk,)
            for line in lines:
                if not is_over and len(line) <= MAX_LINE:
                    yield line
                elif not is_over:
                    yield None
                is_over = False
            if len(rest) > MAX_LINE or (is_over and rest):
                if not is_over:
                    yield None
                rest, is_over = b"", True
            if not chunk:
                if rest:
                    yield rest
                return

    def _read(self, line: bytes) -> Message | None:
        if not line.strip():
            return None
        try:
            value = _parsed(line)
        except (ValueError, RecursionError):
            self.fail(None, PARSE_ERROR, "the line is not JSON in UTF-8")
            return None
        if type(value) is not dict:
            what = "batches are not part of this protocol" if type(value) is list else "a message is an object"
            self.fail(None, INVALID_REQUEST, what)
            return None
        # The SDK would take a request whose id it cannot use for a notification, and its sender would wait for ever.
        if "id" in value and "method" in value and type(value["id"]) not in (int, str):
            self.fail(None, INVALID_REQUEST, "an id is a string or a whole number")
            return None
        return value

    def send(self, message: Message) -> None:
        """Write one message."""
        self.write(json_line(message).encode("ascii") + b"\n")

    def fail(self, id: object, code: int, message: str) -> None:
        """Answer with an error of the protocol."""
        known = id if isinstance(id, str | int) and not isinstance(id, bool) else None
        self.send({"jsonrpc": "2.0", "id": known, "error": {"code": code, "message": message}})

    def write(self, line: bytes) -> None:
        """Write one whole line. Where nobody reads any more, the line is dropped and ``is_broken`` says so."""
        with self._lock:
            view = memoryview(line)
            while view and not self.is_broken:
                try:
                    view = view[os.write(self._sink, view) :]
                except OSError:
                    self.is_broken = True


def _parsed(line: bytes) -> object:
    """Parse one line: strictly, which nearly every line passes; else as the standard library reads it.

    A prompt may hold any character, so what the files of a store may not hold is no reason to refuse a message. What no
    UTF-8 can carry back is.

    Raises:
        ValueError: it is no JSON, or holds half of a surrogate pair.
    """
    try:
        return parse(line, "message", limit=MAX_LINE)
    except FaultError:
        import json

        if has_surrogate(line.decode("utf-8")):
            raise ValueError("half of a surrogate pair") from None
        value = json.loads(line)
        json.dumps(value, ensure_ascii=False).encode("utf-8")
        return value
