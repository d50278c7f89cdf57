"""Why bytes may no longer match their digest: the everyday causes that can be proved by undoing them."""

from __future__ import annotations

from upheld.wire.digest import sha256_hex
from upheld.wire.text import conflict_line

_BOM = b"\xef\xbb\xbf"


def likely_cause(data: bytes, expected: str) -> str:
    """Name what was done to ``data`` since its digest was ``expected``; empty where nothing everyday explains it.

    Each cause but the merge is certain: undoing it gives bytes of the expected digest.
    """
    if conflict_line(data):
        return "it holds the markers of an unfinished merge"
    for undone, cause in _undone(data):
        if undone != data and sha256_hex(undone) == expected:
            return cause
    return ""


def _undone(data: bytes) -> list[tuple[bytes, str]]:
    unix = data.replace(b"\r\n", b"\n")
    bare = data.removeprefix(_BOM)
    return [
        (unix, "its line endings were converted to CRLF, as git's autocrlf or an editor does"),
        (unix.replace(b"\n", b"\r\n"), "its line endings were converted to LF"),
        (bare, "a byte-order mark was put in front of it"),
        (_BOM + data, "its byte-order mark was removed"),
        (bare.replace(b"\r\n", b"\n"), "a byte-order mark was put in front of it and its line endings were converted"),
        (data + b"\n", "its last line end was removed"),
        (data.removesuffix(b"\n"), "a line end was added at its end"),
        (_from_utf16(data), "it was saved as UTF-16"),
    ]


def _from_utf16(data: bytes) -> bytes:
    try:
        return data.decode("utf-16").replace("\r\n", "\n").encode("utf-8")
    except (UnicodeDecodeError, UnicodeEncodeError):
        return data
