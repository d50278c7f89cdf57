"""A trigger that never fires, or always would, is a finding of ``verify``, and refuses no key."""

from __future__ import annotations

from pathlib import Path

import pytest

import upheld
from upheld.testing.builder import StoreBuilder, write_files


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
