from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from acceptance.__main__ import main
from acceptance.clients import CLIENTS
from acceptance.clients.client import Package
from acceptance.install import NotInstallableError, cache_folder, install

PACKAGE = Package(name="some-client", version="1.2.3", folder="some")


def npm(folder: Path, code: int, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put an npm on the PATH that writes down how it was called, complains, and exits with ``code``."""
    folder.mkdir(exist_ok=True)
    calls = folder / "calls"
    script = folder / "npm"
    script.write_text(
        f"#!{sys.executable}\nimport sys\nopen({str(calls)!r}, 'a').write(' '.join(sys.argv[1:]) + '\\n')\n"
        f"sys.stderr.write('npm error code ECONNREFUSED\\nnpm error  no such place\\n')\nsys.exit({code})\n"
    )
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(folder))
    return calls


def test_a_pinned_package_is_installed_once_and_runs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = npm(tmp_path / "bin", 0, monkeypatch)
    for _ in range(2):
        install([PACKAGE], tmp_path / "cache")
    (call,) = calls.read_text().splitlines()
    assert call.startswith(f"install --prefix {tmp_path}/cache/some ")
    assert "--ignore-scripts" in call
    assert call.endswith(" some-client@1.2.3")


def test_what_npm_complains_of_is_said_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    npm(tmp_path / "bin", 1, monkeypatch)
    with pytest.raises(
        NotInstallableError, match=r"could not bring some-client@1\.2\.3: code ECONNREFUSED no such place"
    ):
        install([PACKAGE], tmp_path / "cache")
    calls = npm(tmp_path / "bin", 0, monkeypatch)
    install([PACKAGE], tmp_path / "cache")
    assert len(calls.read_text().splitlines()) == 2


def test_without_npm_every_client_is_skipped_loudly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("UPHELD_ACCEPTANCE_CACHE", str(tmp_path / "cache"))
    out = tmp_path / "result.json"
    assert main(["--out", str(out)]) == 0
    said = capsys.readouterr()
    for client in CLIENTS:
        assert f"SKIPPED {client.name} {client.version}: npm is not on the PATH" in said.err
        assert f"{client.name} was not run: npm is not on the PATH" in said.out
    assert "NOT ALL CLIENTS WERE RUN" in said.err
    result = json.loads(out.read_text())
    assert result["figure"]["right"] == result["figure"]["governed"] == 0
    assert [one["skipped"] for one in result["clients"]] == ["npm is not on the PATH"] * 3
    assert main(["--out", str(out), "--require"]) == 3


def test_the_cache_lies_outside_the_project(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("UPHELD_ACCEPTANCE_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "upheld-acceptance"


def test_every_client_is_pinned_to_one_version() -> None:
    for client in CLIENTS:
        assert client.packages
        for package in client.packages:
            assert package.version[0].isdigit() and package.version.count(".") == 2
