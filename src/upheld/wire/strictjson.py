"""Strict JSON. A minimal stand-in with the agreed signature: on merge, take the full one in its place."""

from __future__ import annotations

from upheld.errors import FaultError


def parse(data: bytes, place: str, limit: int = 1 << 20) -> dict[str, object]:
    """Parse one JSON object: UTF-8, no duplicate keys, no NaN or Infinity, bounded size.

    Raises:
        FaultError: FMT and STO codes.
    """
    import json

    def refuse_number(text: str) -> object:
        raise FaultError("FMT005", place, detail=text)

    def refuse_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise FaultError("FMT004", place)
        return found

    if len(data) > limit:
        raise FaultError("STO005", place)
    try:
        value = json.loads(
            data.decode(),
            object_pairs_hook=refuse_duplicates,
            parse_constant=refuse_number,
        )
    except UnicodeDecodeError:
        raise FaultError("FMT001", place) from None
    except RecursionError:
        raise FaultError("FMT006", place) from None
    except ValueError:
        raise FaultError("FMT003", place) from None
    if type(value) is not dict:
        raise FaultError("FMT007", place, detail="it is not an object")
    return value
