"""The data types of RFC 4251, section 5, read strictly: every length is bounded, nothing may trail."""

from __future__ import annotations

from upheld.errors import FaultError

_STRING_LIMIT = 4096


def put_uint32(number: int) -> bytes:
    """Encode a 32-bit unsigned number, big-endian."""
    return number.to_bytes(4, "big")


def put_string(data: bytes) -> bytes:
    """Encode bytes with their length in front."""
    return put_uint32(len(data)) + data


class Reader:
    """Reads one buffer from front to back.

    Args:
        data: the whole buffer.
        code: the finding's code that every fault in this buffer carries.
        place: the file the buffer came from, relative to the store.
        path: dotted path inside that file, empty for the file as a whole.
    """

    __slots__ = ("_at", "_code", "_data", "_path", "_place")

    def __init__(self, data: bytes, *, code: str, place: str, path: str = "") -> None:
        self._data = data
        self._at = 0
        self._code = code
        self._place = place
        self._path = path

    def fault(self, detail: str) -> FaultError:
        """Make the error that names this buffer's place; the caller raises it."""
        return FaultError(self._code, self._place, path=self._path, detail=detail)

    def take(self, size: int) -> bytes:
        """Read exactly ``size`` bytes."""
        end = self._at + size
        if end > len(self._data):
            raise self.fault("it ends too early")
        taken = self._data[self._at : end]
        self._at = end
        return taken

    def byte(self) -> int:
        """Read one byte as a number."""
        return self.take(1)[0]

    def uint32(self) -> int:
        """Read a 32-bit unsigned number."""
        return int.from_bytes(self.take(4), "big")

    def string(self, limit: int = _STRING_LIMIT) -> bytes:
        """Read a length and that many bytes; a length above ``limit`` is a fault."""
        size = self.uint32()
        if size > limit:
            raise self.fault(f"a length of {size} is above the limit of {limit}")
        return self.take(size)

    def end(self) -> None:
        """Demand that nothing is left."""
        if self._at != len(self._data):
            raise self.fault("bytes follow its end")
