"""From bytes to text, at the door: UTF-8 without a byte-order mark and without control characters."""

from __future__ import annotations

from upheld.errors import FaultError

_ALLOWED = "\t\n\r"
_FORBIDDEN = frozenset(chr(code) for code in (*range(0x20), *range(0x7F, 0xA0))) - set(_ALLOWED)
_MARKERS = (b"<<<<<<< ", b">>>>>>> ", b"||||||| ")


def decode(data: bytes, place: str) -> str:
    """Decode UTF-8 strictly.

    Raises:
        FaultError: FMT002 for a byte-order mark, FMT001 for anything that is not UTF-8, FMT009 for a NUL.
    """
    if data[:3] == b"\xef\xbb\xbf":
        raise FaultError("FMT002", place, detail="UTF-8 with a byte-order mark")
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise FaultError("FMT001", place, detail="it looks like UTF-16")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise FaultError("FMT001", place, detail=f"byte {error.start} is not UTF-8") from None
    if b"\0" in data:
        detail = "it looks like UTF-16 without a mark" if data.count(0) * 3 > len(data) else "it holds a NUL"
        raise FaultError("FMT001" if "UTF-16" in detail else "FMT009", place, detail=detail)
    return text


def forbidden(text: str) -> str:
    """Return the control characters of ``text`` (C0 without tab and line ends, DEL, C1) as ``U+XXXX``, or nothing."""
    if text.isprintable():
        return ""
    found = sorted(set(text) & _FORBIDDEN)
    return ", ".join(f"U+{ord(character):04X}" for character in found)


def conflict_line(data: bytes) -> int:
    """Return the number of the first line that is a merge-conflict marker, counted from 1; 0 if there is none.

    One opening marker alone is prose; it takes an opening and a closing one to be an unfinished merge.
    """
    if b"<<<<<<< " not in data or b">>>>>>> " not in data:
        return 0
    lines = data.splitlines()
    marked = [number for number, line in enumerate(lines, 1) if line.startswith(_MARKERS)]
    kinds = {lines[number - 1][:1] for number in marked}
    return marked[0] if {b"<", b">"} <= kinds else 0
