"""The commands on files: questions, copies, links, modes, scopes, and what doctor says afterwards."""

from __future__ import annotations

import io
import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from upheld.cli.main import main
from upheld.stores.settings_file import SettingsFile

Capture = pytest.CaptureFixture[str]
FOREIGN = b'{\n\t"theme": "dark", // mine\n\t"hooks": {}\n}'


class Desk:
    """A user with a home, a project and the commands."""

    def __init__(self, folder: Path, capture: Capture) -> None:
        self.home, self.project = folder / "home", folder / "project"
        self._capture = capture

    def run(self, *arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        output, errors = self._capture.readouterr()
        return code, output, errors

    def codes(self) -> set[str]:
        said: dict[str, Any] = json.loads(self.run("doctor", "--clients", "--format", "json")[1])
        return {finding["code"] for finding in said["findings"]}

    def files(self) -> set[str]:
        return {
            path.relative_to(self.home.parent).as_posix()
            for top in (self.home, self.project)
            for path in top.rglob("*")
            if not path.is_dir()
        }


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Desk:
    for name in ("home", "project/.git", "project/src"):
        (tmp_path / name).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for name in ("UPHELD_STORE", "UPHELD_KEY", "SSH_AUTH_SOCK", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path / "project" / "src")
    return Desk(tmp_path, capsys)


@pytest.fixture
def foreign(desk: Desk) -> Path:
    path = desk.home / ".gemini" / "settings.json"
    path.parent.mkdir()
    path.write_bytes(FOREIGN)
    path.chmod(0o640)
    return path


@pytest.mark.parametrize("scope", ["user", "project"])
@pytest.mark.parametrize("client", ["claude", "codex", "gemini"])
def test_connecting_where_nothing_is_and_disconnecting_leaves_nothing(desk: Desk, client: str, scope: str) -> None:
    call = (client, "--scope", scope, "--yes")
    assert desk.run("connect", *call, "--portable")[0] == 0
    assert all(name.startswith("home" if scope == "user" else "project") for name in desk.files())
    code, output, _ = desk.run("connect", *call, "--portable")
    assert (code, output.startswith("nothing to change")) == (0, True)
    assert desk.run("disconnect", *call)[0] == 0
    assert desk.files() == set()
    assert desk.run("disconnect", *call)[1].startswith("nothing to change")


def test_foreign_settings_keep_mode_and_bytes_and_the_copy_goes_in_the_end(desk: Desk, foreign: Path) -> None:
    desk.run("connect", "gemini", "--yes")
    copy = foreign.with_name("settings.json.before-upheld")
    assert copy.read_bytes() == FOREIGN
    assert {stat.S_IMODE(path.stat().st_mode) for path in (foreign, copy)} == {0o640}
    desk.run("connect", "gemini", "--yes", "--portable")
    assert foreign.read_bytes().count(b"hook --client") == 4
    desk.run("disconnect", "gemini", "--yes")
    assert foreign.read_bytes() == FOREIGN
    assert os.listdir(foreign.parent) == ["settings.json"]


def test_what_was_changed_since_stays(desk: Desk, foreign: Path) -> None:
    desk.run("connect", "gemini", "--yes")
    foreign.write_bytes(foreign.read_bytes().replace(b'"dark"', b'"light"'))
    desk.run("disconnect", "gemini", "--yes")
    assert foreign.read_bytes().startswith(b'{\n\t"theme": "light"')
    assert b"// mine" in foreign.read_bytes()
    assert b"upheld" not in foreign.read_bytes()


@pytest.mark.parametrize("linked", [".claude", ".claude/settings.json"])
def test_a_project_cannot_lead_a_change_out_of_itself(desk: Desk, linked: str) -> None:
    outside = desk.home / "elsewhere"
    outside.mkdir()
    (outside / "settings.json").write_text('{"mine": 1}')
    (desk.project / ".claude").mkdir(exist_ok=True)
    if linked == ".claude":
        (desk.project / linked).rmdir()
        (desk.project / linked).symlink_to(outside)
    else:
        (desk.project / linked).symlink_to(outside / "settings.json")
    code, _, errors = desk.run("connect", "claude", "--scope", "project", "--yes")
    assert code == 2
    assert "out of the project" in errors
    assert [file.name for file in outside.iterdir()] == ["settings.json"]
    assert (outside / "settings.json").read_text() == '{"mine": 1}'


def test_a_link_is_followed_and_stays(desk: Desk, foreign: Path) -> None:
    real = desk.home / "dotfiles.json"
    foreign.rename(real)
    foreign.symlink_to(real)
    desk.run("connect", "gemini", "--yes")
    assert foreign.is_symlink()
    assert b"hook --client gemini" in real.read_bytes()
    assert (desk.home / "dotfiles.json.before-upheld").read_bytes() == FOREIGN


def test_a_dry_run_and_a_print_write_nothing(desk: Desk, foreign: Path) -> None:
    code, output, _ = desk.run("connect", "gemini", "--dry-run")
    assert code == 0
    assert '+        "BeforeAgent"' in output
    assert "dry run" in output
    for client in ("claude", "copilot", "cursor", "opencode", "vscode"):
        assert f"--client {client} " in desk.run("connect", client, "--print")[1]
    assert desk.files() == {"home/.gemini/settings.json"}
    assert foreign.read_bytes() == FOREIGN


def test_without_a_person_nothing_is_written_and_a_no_is_a_no(
    desk: Desk, foreign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("upheld.cli.connecting.person", lambda: None)
    assert desk.run("connect", "gemini")[0] == 2
    monkeypatch.setattr("upheld.cli.connecting.person", lambda: io.StringIO("n\n"))
    assert desk.run("connect", "gemini")[0] == 130
    assert foreign.read_bytes() == FOREIGN
    monkeypatch.setattr("upheld.cli.connecting.person", lambda: io.StringIO("y\n"))
    assert desk.run("connect", "gemini")[0] == 0
    assert foreign.read_bytes() != FOREIGN


def test_a_file_that_cannot_be_edited_is_left_alone_and_the_help_says_what_to_paste(desk: Desk, foreign: Path) -> None:
    foreign.write_bytes(b'{"hooks": [')
    code, _, errors = desk.run("connect", "gemini", "--yes")
    assert code == 2
    assert "left alone" in errors
    assert "hook --client gemini prompt" in errors
    assert foreign.read_bytes() == b'{"hooks": ['


def test_clients_that_are_only_printed_are_not_written(desk: Desk) -> None:
    code, _, errors = desk.run("connect", "cursor", "--yes")
    assert (code, "--print" in errors) == (2, True)


def test_nothing_that_is_written_gives_trust(desk: Desk) -> None:
    for client in ("claude", "codex", "gemini"):
        for scope in ("user", "project"):
            desk.run("connect", client, "--scope", scope, "--yes", "--portable")
    written = b"".join(path.read_bytes() for path in sorted(desk.home.parent.rglob("*")) if path.is_file())
    for word in (
        b"trusted_hash",
        b"hasTrustDialogAccepted",
        b"enableAllProjectMcpServers",
        b"enabledMcpjsonServers",
        b"TRUST_",
    ):
        assert word not in written
    assert b'"alwaysLoad": true' in written
    assert desk.codes() >= {"CLI001", "CLI005", "CLI008"}


def test_a_block_that_was_edited_is_left_and_reported(desk: Desk) -> None:
    call = ("connect", "agents-md", "--scope", "project", "--yes")
    desk.run(*call)
    path = desk.project / "AGENTS.md"
    edited = path.read_bytes().replace(b"Act only", b"Act mostly")
    path.write_bytes(edited)
    assert "was edited" in desk.run(*call)[1]
    assert path.read_bytes() == edited
    assert desk.codes() == {"CLI010"}
    desk.run(*call, "--renew-block")
    assert desk.codes() == set()


def test_a_new_claude_md_never_hides_an_agents_md(desk: Desk) -> None:
    (desk.project / "AGENTS.md").write_text("mine\n")
    assert desk.run("connect", "claude-md", "--scope", "project", "--yes")[0] == 2
    assert not (desk.project / "CLAUDE.md").exists()


def test_trust_that_a_person_gave_is_seen(desk: Desk) -> None:
    desk.run("connect", "codex", "--yes")
    file = desk.home / ".codex" / "hooks.json"
    assert "CLI001" in desk.codes()
    names = ("session_start", "user_prompt_submit", "pre_tool_use", "subagent_start")
    state = "".join(f'[hooks.state."{file}:{name}:0:0"]\ntrusted_hash = "sha256:0"\n' for name in names)
    config = desk.home / ".codex" / "config.toml"
    config.write_text((config.read_text() if config.exists() else "") + state)
    assert "CLI001" not in desk.codes()


def test_a_file_that_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(b"one")
    file = SettingsFile(str(path))
    path.write_bytes(b"two")
    with pytest.raises(Exception, match="changed meanwhile"):
        file.replace(b"one", b"three")
    assert path.read_bytes() == b"two"


def test_the_plugin_registers_what_connect_registers() -> None:
    from upheld import __version__
    from upheld.compose.connecting import program
    from upheld.services.connect.clients import CLIENTS
    from upheld.services.connect.edit import to_paste

    top = Path(__file__).parents[2] / "plugins" / "claude"
    hooks, server = (json.loads(to_paste(one)) for one in CLIENTS["claude"].files("user", program(portable=True)))
    assert json.loads((top / "hooks/hooks.json").read_bytes())["hooks"] == hooks["hooks"]
    assert json.loads((top / ".mcp.json").read_bytes()) == server
    assert json.loads((top / ".claude-plugin/plugin.json").read_bytes())["version"] == __version__


@pytest.mark.parametrize(("moved", "said"), [(True, True), (False, False)])
def test_where_the_state_lies_elsewhere_the_person_is_told_to_pass_it_on(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, moved: bool, said: bool
) -> None:
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME") if not moved else ():
        monkeypatch.delenv(name)
    code, output, errors = desk.run("connect", "codex", "--dry-run")
    assert (code, "XDG_STATE_HOME and XDG_CONFIG_HOME: set here" in output + errors) == (0, said)
