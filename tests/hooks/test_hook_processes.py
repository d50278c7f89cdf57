"""A hook as a process of its own: what it imports, and what it says where everything around it is broken."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hooking import DEPLOYS
from keeping import environment, kept_store
from test_cold_path import FORBIDDEN
from upheld.compose.hook_command import hook_command, hook_line

PROMPT = {"prompt": "Before deploying to production."}
# Under a tracer that is installed by a start-up file, everything is imported anyway: -S leaves those out.
REPORT = "; import sys; from upheld.hooks.main import main; main(sys.argv[2:]); sys.stderr.write(','.join(sys.modules))"


class Project:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "project"
        self.environ = {**environment(folder / "home"), "XDG_CONFIG_HOME": str(folder / "home/config")}

    def run(
        self, *command: str, sent: bytes | None = None, environ: dict[str, str] | None = None, cwd: Path | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        if sent is None:  # of a session of its own, so that it is no repetition of another test's
            sent = json.dumps({**PROMPT, "session_id": os.urandom(8).hex(), "cwd": str(self.path)}).encode()
        used = self.environ if environ is None else environ
        return subprocess.run(
            command, input=sent, env=used, cwd=cwd or self.folder, capture_output=True, timeout=60, check=False
        )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    made = Project(tmp_path_factory.mktemp("hooks"))
    made.path.mkdir()
    (made.folder / "home").mkdir()
    with pytest.MonkeyPatch.context() as patch:
        for name in ("SSH_AUTH_SOCK", "UPHELD_KEY", "UPHELD_STORE"):
            patch.delenv(name, raising=False)
        for name, value in made.environ.items():
            patch.setenv(name, value)
        memory = kept_store(made.path)
        memory.remember("deploys", DEPLOYS, when="Before deploying to production.", because="agreed")
        yield made


def imported(project: Project, event: str, payload: dict[str, object]) -> set[str]:
    start = ";".join(hook_command("claude", event)[4].split(";")[:2])
    sent = json.dumps({"cwd": str(project.path), **payload, "session_id": os.urandom(8).hex()}).encode()
    command = [sys.executable, "-I", "-S", "-c", start + REPORT, "hook", "--client", "claude", event]
    done = project.run(*command, sent=sent)
    assert done.returncode == 0 and done.stdout, done.stderr
    bare = project.run(sys.executable, "-I", "-S", "-c", "import sys; sys.stderr.write(','.join(sys.modules))")
    return set(done.stderr.decode().split(",")) - set(bare.stderr.decode().split(","))


LIGHT = {
    "__future__", "_bisect", "_collections_abc", "_json", "_sha2", "_sha256", "_signal", "_stat", "_struct", "abc",
    "binascii", "bisect", "errno", "gc", "genericpath", "itertools", "math", "mmap", "os", "os.path", "posixpath", "stat",
    "struct", "_abc", "_opcode_metadata", "zlib",
}  # fmt: skip
"""What a hook may take from the standard library."""

OURS = {
    "upheld.checks", "upheld.compose", "upheld.errors", "upheld.hooks", "upheld.model", "upheld.ports", "upheld.render",
    "upheld.routing", "upheld.services", "upheld.stores", "upheld.wire", "upheld.policy",
}  # fmt: skip
NEVER = {
    "upheld.cli", "upheld.mcp", "upheld.trust", "upheld.model.codes", "upheld.services.admission_slow",
    "upheld.services.commit", "upheld.stores.directory_writer", "upheld.stores.state_writer", "upheld.stores.git_plumbing",
}  # fmt: skip


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("prompt", PROMPT),
        ("prompt", {"session_id": "s", "prompt": "Tell me a joke about cats"}),
        ("session-start", {"session_id": "s", "source": "startup"}),
        ("before-tool", {"session_id": "s", "tool_name": "Bash", "tool_input": {"command": "upheld approve ID"}}),
        ("subagent-start", {"session_id": "s"}),
    ],
    ids=["governed", "ungoverned", "session", "denied", "subagent"],
)
def test_a_hook_imports_the_read_path_and_the_light_part_of_the_standard_library(
    project: Project, event: str, payload: dict[str, object]
) -> None:
    project.run(*hook_command("claude", event))  # what is remembered once, after the answer, is remembered by this one
    found = imported(project, event, payload)
    others = {name for name in found if name.partition(".")[0] != "upheld"}
    assert others <= LIGHT, others - LIGHT
    assert others & FORBIDDEN == set()
    ours = {".".join(name.split(".")[:2]) for name in found - {"upheld"} if name.startswith("upheld")}
    assert ours <= OURS, ours - OURS
    assert found & NEVER == set()
    assert len([name for name in found if name.startswith("upheld")]) <= 105


def test_the_command_line_names_an_absolute_interpreter_and_answers(project: Project) -> None:
    command = hook_command("claude", "prompt")
    assert os.path.isabs(command[0]) and command[1:4] == ("-I", "-S", "-c")
    for _ in range(3):  # the first may make the image, the next use it
        sent = json.dumps({**PROMPT, "session_id": os.urandom(8).hex(), "cwd": str(project.path)}).encode()
        done = project.run(*command, sent=sent)
        assert done.returncode == 0 and done.stderr == b""
        assert DEPLOYS in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]


def test_the_line_for_a_shell_says_the_same(project: Project) -> None:
    done = project.run("sh", "-c", hook_line("codex", "session-start"))
    assert "deploys" in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]


def test_a_spoilt_image_is_no_reason_to_fail(project: Project) -> None:
    from upheld.hooks import start

    folder = Path(start.__file__).parent / "__pycache__"
    image = folder / f"subagent-start.{sys.implementation.cache_tag}.image"
    folder.mkdir(exist_ok=True)
    image.write_bytes(b"\xff\xff spoilt")
    done = project.run(*hook_command("claude", "subagent-start"), sent=json.dumps({"cwd": str(project.path)}).encode())
    assert "deploys" in done.stdout.decode() and done.returncode == 0


SPOILT = {
    "empty": b"",
    "not JSON": b"hello",
    "cut short": b'{"prompt": "Before depl',
    "one key twice": b'{"prompt": "a", "prompt": "b"}',
    "no prompt": b"{}",
    "huge": b'{"prompt": "' + b"x" * 100_000_000 + b'"}',
    "deep": b'{"a":' * 100_000,
}


@pytest.mark.parametrize("case", SPOILT)
def test_whatever_is_sent_the_answer_is_one_constant_sentence_and_exit_0(project: Project, case: str) -> None:
    done = project.run(*hook_command("gemini", "prompt"), sent=SPOILT[case])
    assert done.returncode == 0 and done.stderr == b""
    specific = json.loads(done.stdout)["hookSpecificOutput"]
    assert specific["hookEventName"] == "BeforeAgent"
    assert "Memory could not be checked (POL06" in specific["additionalContext"]
    assert "no governed action is authorised" in specific["additionalContext"]


def test_input_that_never_ends_is_answered_all_the_same(project: Project) -> None:
    with subprocess.Popen(
        hook_command("claude", "prompt"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=project.environ
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b'{"prompt": "Before')
        process.stdin.flush()
        said = process.stdout.read()
    assert "POL060" in json.loads(said)["hookSpecificOutput"]["additionalContext"]
    assert process.returncode == 0


def test_closed_descriptors_do_not_bring_a_hook_down(project: Project) -> None:
    line = hook_line("claude", "prompt")
    closed_in = project.run("sh", "-c", f"{line} <&-")
    assert closed_in.returncode == 0 and "POL061" in closed_in.stdout.decode() and closed_in.stderr == b""
    closed_out = project.run("sh", "-c", f"{line} >&-")
    assert closed_out.returncode == 0 and closed_out.stderr == b""
    gone = project.run("sh", "-c", f"{{ {line}; echo $? >&2; }} | true")
    assert gone.stderr == b"0\n"


def test_a_bare_environment_and_a_foreign_locale_change_nothing(project: Project) -> None:
    kept = {name: project.environ[name] for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME")}
    sent = json.dumps(
        {"prompt": "Vor dem Ausliefern \u00fcberpr\u00fcfen \u4e2d\u6587", "cwd": str(project.path)}, ensure_ascii=False
    )
    done = project.run(
        *hook_command("claude", "prompt"), sent=sent.encode(), environ={**kept, "LC_ALL": "C", "LANG": "C"}
    )
    assert done.returncode == 0 and done.stderr == b"" and "[upheld]" in done.stdout.decode("ascii")


def test_a_working_directory_that_is_gone_is_a_fault_only_where_nobody_says_where_we_are(project: Project) -> None:
    gone = project.folder / "gone"
    script = f"mkdir -p {gone} && cd {gone} && rmdir {gone} && exec {hook_line('claude', 'prompt')}"
    said = project.run("sh", "-c", script, sent=b'{"prompt": "x"}').stdout.decode()
    assert "POL062" in said
    assert DEPLOYS in project.run("sh", "-c", script).stdout.decode()


def test_a_state_that_cannot_be_written_stops_no_answer(project: Project) -> None:
    hooks = Path(project.environ["XDG_STATE_HOME"]) / "upheld" / "hooks"
    kept = hooks.with_name("hooks-kept")
    hooks.rename(kept)
    hooks.write_text("in the way")
    try:
        sent = json.dumps({**PROMPT, "session_id": "blocked", "cwd": str(project.path)}).encode()
        done = project.run(*hook_command("claude", "prompt"), sent=sent)
        assert DEPLOYS in done.stdout.decode() and done.stderr == b""
    finally:
        hooks.unlink()
        kept.rename(hooks)


@pytest.mark.parametrize(
    "arguments", [[], ["prompt"], ["--client", "nobody", "prompt"], ["--client", "claude", "later"]]
)
def test_a_call_that_makes_no_sense_never_stops_a_prompt(project: Project, arguments: list[str]) -> None:
    done = project.run(sys.executable, "-m", "upheld", "hook", *arguments)
    assert done.returncode == 0 and b"POL061" in done.stdout


def test_help_shows_examples_and_the_list_of_commands_names_it(project: Project) -> None:
    for word in ("--help", "-h"):
        done = project.run(sys.executable, "-m", "upheld", "hook", word)
        assert done.returncode == 0 and b"Examples:" in done.stdout and b"--client" in done.stdout
    assert b"\n  hook " in project.run(sys.executable, "-m", "upheld", "--help").stdout
