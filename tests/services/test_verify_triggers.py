"""A trigger that never fires, or always would, is a finding of ``verify``, and refuses no key."""

from __future__ import annotations

from pathlib import Path

import pytest

import upheld
from upheld.testing.builder import StoreBuilder, write_files
from upheld.wire.digest import sha256_hex
from upheld.wire.examples import Examples, encode, place_of


@pytest.mark.parametrize(
    ("trigger", "codes"),
    [
        ({"paths": ["site/**"], "not_when": {"keywords": ["draft"]}}, set()),
        ({"paths": ["a[b"]}, {"TRG001"}),
        ({"path": ["site/**"]}, {"TRG001"}),
        ({"paths": "site/**"}, {"TRG001"}),
        ({"paths": ["site/**", "**"], "not_when": {"tools": ["*"]}}, {"TRG002"}),
    ],
)
def test_verify_reports_faults_of_triggers(trigger: object, codes: set[str], tmp_path: Path) -> None:
    builder = StoreBuilder()
    builder.remember("customer-copy", pointer={"trigger": trigger})
    builder.remember("refund-window")
    write_files(builder.files(), tmp_path)
    verdict = upheld.open(tmp_path, unsealed=True, as_of="2026-09-15").verify()
    found = {finding.code for finding in verdict.findings if finding.code.startswith("TRG")}
    assert found == codes
    assert all(finding.keys == ("customer-copy",) for finding in verdict.findings if finding.code in codes)
    assert upheld.open(tmp_path, unsealed=True, as_of="2026-09-15").recall("customer-copy").outcome == "unsealed"


@pytest.mark.parametrize(
    ("examples", "codes"),
    [
        (Examples(fires=("write the landing page",), nots=("delete the landing page",)), set()),
        (Examples(fires=("...",)), {"TRG003"}),
        (Examples(fires=("write the landing page",), nots=("Write the landing page!",)), {"TRG004"}),
        (
            Examples(
                fires=("write the landing page copy today",),
                nots=tuple(f"write the landing page copy {day}" for day in ("monday", "friday", "sunday")),
            ),
            {"TRG007"},
        ),
    ],
)
def test_verify_reports_faults_of_examples(examples: Examples, codes: set[str], tmp_path: Path) -> None:
    place, data, digest = encode("customer-copy", examples)
    builder = StoreBuilder()
    builder.remember("customer-copy", pointer={"trigger_sha256": digest})
    write_files({**builder.files(), place: data}, tmp_path)
    verdict = upheld.open(tmp_path, unsealed=True, as_of="2026-09-15").verify()
    assert {finding.code for finding in verdict.findings if finding.code.startswith(("TRG", "FMT", "HSH"))} == codes
    assert not verdict.refused


def test_verify_reports_examples_that_cannot_be_read(tmp_path: Path) -> None:
    data = b'{"fires": [1]}\n'
    digest = sha256_hex(data)
    builder = StoreBuilder()
    builder.remember("customer-copy", pointer={"trigger_sha256": digest})
    write_files({**builder.files(), place_of("customer-copy", digest): data}, tmp_path)
    verdict = upheld.open(tmp_path, unsealed=True, as_of="2026-09-15").verify()
    assert "FMT007" in {finding.code for finding in verdict.findings}
    assert not verdict.refused
