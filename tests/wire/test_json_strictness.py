"""The documents of docs/adr/0004-strict-json.md are refused, each with a code; the benchmark shows who else does so."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from upheld.errors import FaultError
from upheld.wire import strictjson

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "json_strictness.py"
DOCUMENTS: dict[str, bytes] = runpy.run_path(str(SCRIPT))["DOCUMENTS"]


@pytest.mark.parametrize("title", DOCUMENTS)
def test_a_document_that_two_readers_could_understand_differently_is_refused(title: str) -> None:
    with pytest.raises(FaultError) as caught:
        strictjson.parse(DOCUMENTS[title], "records/a.json")
    assert (caught.value.code[:3], caught.value.place) == ("FMT", "records/a.json")


def test_the_same_reader_takes_a_plain_document() -> None:
    assert strictjson.parse(b'{"id": "a", "n": 1.5, "deep": [[1]]}', "a.json") == {"id": "a", "n": 1.5, "deep": [[1]]}
