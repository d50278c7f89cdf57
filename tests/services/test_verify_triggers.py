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


def _verified(triggers: dict[str, object], folder: Path, examples: dict[str, Examples] | None = None) -> list[str]:
    """The codes and keys of what ``verify`` finds in the triggers of a store, which has a bare key besides."""
    builder = StoreBuilder()
    files: dict[str, bytes] = {}
    for key in (*triggers, "bare"):
        pointer: dict[str, object] = {"read_when": f"Before doing what {key} is about"}
        if triggers.get(key):
            pointer["trigger"] = triggers[key]
        if examples and key in examples:
            place, files[place], pointer["trigger_sha256"] = encode(key, examples[key])
        builder.remember(key, pointer=pointer)
    write_files({**builder.files(), **files}, folder)
    verdict = upheld.open(folder, unsealed=True, as_of="2026-09-15").verify()
    assert not verdict.refused
    return sorted(f"{one.code} {one.keys[0]} {one.path}" for one in verdict.findings if one.code.startswith("TRG"))


def test_verify_reports_relations_to_keys_that_are_none(tmp_path: Path) -> None:
    triggers: dict[str, object] = {
        "alpha": {"paths": ["a/**"], "overrides": ["nobody", "bare"]},
        "beta": {"paths": ["b/**"], "together_with": ["beta", "alpha"]},
    }
    assert _verified(triggers, tmp_path) == [
        "TRG005 alpha trigger.overrides[0]",
        "TRG005 beta trigger.together_with[0]",
    ]


def test_verify_reports_triggers_that_claim_the_same_task(tmp_path: Path) -> None:
    triggers: dict[str, object] = {"alpha": {"paths": ["a/**"]}, "beta": {"paths": ["a/**"]}, "gamma": None}
    examples = {"alpha": Examples(fires=("paint the barn",)), "gamma": Examples(fires=("Painting the barns",))}
    assert _verified(triggers, tmp_path / "one", examples) == ["TRG006 beta trigger.paths", "TRG006 gamma fires[0]"]
    settled = {**triggers, "beta": {"paths": ["a/**"], "overrides": ["alpha"]}}
    assert _verified(settled, tmp_path / "two") == []


def test_triggers_of_several_processes_are_compared_with_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("upheld.services.verify.FORK_FROM", 10)
    builder = StoreBuilder()
    for number in range(200):
        builder.remember(f"key-{number}", pointer={"trigger": {"paths": [f"folder-{number % 199}/**"]}})
    write_files(builder.files(), tmp_path)
    memory = upheld.open(tmp_path, unsealed=True, as_of="2026-09-15")
    for processes in (1, 2):
        found = [one for one in memory.verify(processes=processes).findings if one.code == "TRG006"]
        assert [one.keys for one in found] == [("key-199",)] or [one.keys for one in found] == [("key-0",)]
