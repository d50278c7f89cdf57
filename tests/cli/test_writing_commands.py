"""The commands that keep a store: what they print, what they exit with, and that they never wait for nobody."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from keeping import OPTIONS, environment, run, text_of, tree
from upheld.cli.app import COMMANDS, app
from upheld.compose.library import Memory
from upheld.stores.directory_writer import WritableDirectory

REMEMBER = ("remember", "deploy", "Deploy before 15:00 UTC.", "--when", "Before deploying.", "--because", "Agreed.")
CORRECT = ("correct", "deploy", "Deploy before 12:00 UTC.", "--because", "The rota changed.")
WRITING = ("init", "remember", "correct", "review", "retire", "restore", "rename", "redact", "gc", "doctor")
VERBS = (*WRITING, "diff", "due")


@pytest.fixture
def kept(memory: Memory) -> Memory:
    assert run(*REMEMBER, "--yes").code == 0
    assert run(*CORRECT, "--yes").code == 0
    return memory


@pytest.mark.parametrize("verb", VERBS)
def test_every_command_has_help_with_an_example_and_is_a_method_of_the_library(verb: str) -> None:
    assert verb in COMMANDS
    assert callable(getattr(Memory, verb))
    shown = CliRunner().invoke(app, [verb, "--help"])
    assert shown.exit_code == 0
    assert f"upheld {verb}" in shown.output.partition("Example")[2]
    if verb in WRITING:
        assert "--dry-run" in shown.output
        assert "--yes" in shown.output


def test_without_a_terminal_and_without_a_yes_nothing_is_written(kept: Memory) -> None:
    before = tree(kept.path)
    for arguments in (
        ("remember", "other", "Do it.", "--when", "w", "--because", "b"),
        ("correct", "deploy", "Deploy never.", "--because", "b"),
        ("review", "deploy", "--confirm", "--evidence", "e"),
        ("retire", "deploy", "--because", "b"),
        ("restore", "deploy", "--to", "1", "--because", "b"),
        ("rename", "deploy", "release", "--because", "b"),
        ("redact", "deploy", "--version", "1"),
    ):
        done = run(*arguments)
        assert (done.code, done.out) == (2, ""), arguments
        assert "needs a person's yes, and there is no terminal" in done.err
        assert "--yes" in done.err
        dry = run(*arguments, "--dry-run")
        assert dry.code == 0
        assert "+++ b/index.json\n" in dry.out
        planned = json.loads(run(*arguments, "--dry-run", "--format", "json").out)
        assert (planned["outcome"], planned["verb"]) == ("planned", arguments[0])
        assert "+++ b/index.json\n" in planned["diff"]
    assert tree(kept.path) == before


def test_json_says_what_was_written(kept: Memory) -> None:
    done = json.loads(run("retire", "deploy", "--because", "b", "--yes", "--format", "json").out)
    assert (done["outcome"], done["verb"], done["key"], done["version"]) == ("written", "retire", "deploy", 4)
    assert len(done["index_sha256"]) == 64
    assert done["files"][-1] == {"was": "index.json", "name": "index.json"}


@pytest.mark.parametrize(
    ("arguments", "needle"),
    [
        (("review", "deploy", "--format", "json"), '"state": "current"'),
        (("diff", "deploy", "--format", "json"), '"number": 1'),
        (("due", "--within", "400d", "--format", "json"), '"total": 1'),
        (("gc", "--dry-run", "--format", "json"), '"removed": []'),
        (("doctor", "--format", "json"), '"findings": []'),
        (("review", "deploy"), "current: `deploy`, version 2"),
        (("diff", "deploy"), "+Deploy before 12:00 UTC.\n"),
        (("due", "--within", "400"), "1 of 1 keys need review within 400 days"),
        (("gc",), "removed 0 of 0 files"),
        (("doctor",), "doctor: no findings"),
    ],
)
def test_what_the_reading_verbs_print(kept: Memory, arguments: tuple[str, ...], needle: str) -> None:
    done = run(*arguments)
    assert (done.code, done.err) == (0, "")
    assert needle in done.out
    if "json" in arguments:
        json.loads(done.out)


def test_exit_codes(kept: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("correct", "nothing", "Do it.", "--because", "b", "--yes").code == 2
    assert run("--as-of", "2020-01-01", *CORRECT, "--yes").code == 2
    assert run("remember", "x", "Half a line\nthat goes on.", "--when", "w", "--because", "b", "--yes").code == 4
    assert run("correct", "deploy", "Deploy never.", "--because", "b", "--yes", "--base", "0" * 64).code == 4
    assert run("--store", str(tmp_path / "none"), *CORRECT, "--yes").code == 10
    monkeypatch.setattr("upheld.services.commit.LOCK_SECONDS", 0.05)
    with WritableDirectory(kept.path) as other, other.lock(1):
        busy = run("correct", "deploy", "Deploy never.", "--because", "b", "--yes")
    assert busy.code == 11
    assert "another writer" in busy.err
    assert run("gc", "--format", "sarif").code == 2


def test_a_conflict_names_both_versions(kept: Memory) -> None:
    done = run("correct", "deploy", "Deploy never.", "--because", "b", "--yes", "--base", "ab" * 32)
    assert "yours was made from abababab…abab, the store has deploy-v2-" in done.err


def test_a_refused_text_is_shown_with_the_mended_one(memory: Memory) -> None:
    done = run("remember", "x", "Half a line\nthat goes on.", "--when", "w", "--because", "b", "--yes")
    assert "error[POL025]" in done.out
    assert "Half a line that goes on." in done.out
    refused = json.loads(run("remember", "x", "# H", "--when", "w", "--because", "b", "--yes", "--format", "json").out)
    assert refused["code"] == "POL020"


def test_the_text_comes_from_a_file_or_from_standard_input(memory: Memory) -> None:
    rest = ("--when", "w", "--because", "b", "--yes")
    Path("text.md").write_text("# A\n\nDo a.\n")
    assert run("remember", "a", "--file", "text.md", *rest).code == 0
    assert run("remember", "b", *rest, stdin=b"Do b.\n").code == 0
    assert run("remember", "c", "-", *rest, stdin=b"Do c.\n").code == 0
    assert [text_of(memory, key) for key in "abc"] == ["# A\n\nDo a.\n", "Do b.\n", "Do c.\n"]
    for arguments in (("d",), ("d", "Do d.", "--file", "text.md"), ("d", "--file", "missing.md")):
        assert run("remember", *arguments, *rest).code == 2


def test_a_bound_source_is_corrected_without_reading_standard_input(memory: Memory) -> None:
    Path("policy.md").write_text("Do this.\n")
    assert run("remember", "p", "--source", "policy.md", "--when", "w", "--because", "b", "--yes").code == 0
    Path("policy.md").write_text("Do that.\n")
    assert run("correct", "p", "--because", "b", "--yes", stdin=b"Something else.\n").code == 0
    assert text_of(memory, "p") == "Do that.\n"


def test_a_redacted_text_is_never_printed(memory: Memory) -> None:
    secret = "hunter2-hunter2"
    rest = ("--when", "w", "--because", "b", "--yes")
    assert run("remember", "p", f"The password is {secret}.", *rest).code == 0
    assert run("correct", "p", "Ask Grace.", "--because", "b", "--yes").code == 0
    for form in ("text", "json"):
        done = run("redact", "p", "--version", "1", "--dry-run", "--format", form)
        assert done.code == 0
        assert secret not in done.out + done.err
    done = run("redact", "p", "--version", "1", "--yes")
    assert secret not in done.out + done.err
    assert "git" in done.out


def test_a_text_cannot_act_on_the_terminal_that_shows_it(memory: Memory) -> None:
    done = run("remember", "p", "Do \u202eit.", "--when", "w", "--because", "b", "--dry-run")
    assert "\u202e" not in done.out
    assert "U+202E" in done.out


def test_doctor_exits_1_while_an_error_is_left(kept: Memory) -> None:
    next((Path(kept.path) / "sources").iterdir()).unlink()
    done = run("doctor")
    assert done.code == 1
    assert "STO001" in done.out


def test_the_shell_completes_the_commands(tmp_path: Path) -> None:
    code = "import sys; from upheld.cli.main import main; sys.exit(main())"
    answers = {}
    for step, words in (("bash_source", ""), ("bash_complete", "upheld re")):
        extra = {"_UPHELD_COMPLETE": step, "COMP_WORDS": words, "COMP_CWORD": "1"}
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**environment(tmp_path), **extra},
            capture_output=True,
            text=True,
            check=False,
        )
        answers[step] = done.stdout
    assert "complete" in answers["bash_source"]
    assert {"plain,remember", "plain,review", "plain,redact", "plain,retire"} <= set(answers["bash_complete"].split())


# --- a person at a terminal -------------------------------------------------------------------------------------------


class Terminal:
    """One command at a terminal of its own."""

    def __init__(self, home: Path, *arguments: str, stdin: bytes | None = None, editor: str = "") -> None:
        self._ours, theirs = pty.openpty()
        code = "import sys; from upheld.cli.main import main; sys.exit(main())"
        self._process = subprocess.Popen(
            [sys.executable, "-c", code, *OPTIONS, *arguments],
            stdin=theirs if stdin is None else subprocess.PIPE,
            stdout=theirs,
            stderr=theirs,
            env={**environment(home), "TERM": "xterm", **({"EDITOR": editor} if editor else {})},
            start_new_session=True,
        )
        os.close(theirs)
        if self._process.stdin is not None and stdin is not None:
            self._process.stdin.write(stdin)
            self._process.stdin.close()
        self.shown = ""

    def until(self, needle: str) -> None:
        """Read until something is shown."""
        late = time.monotonic() + 60
        while needle not in self.shown:
            assert time.monotonic() < late, self.shown
            ready, _, _ = select.select([self._ours], [], [], 1)
            if ready:
                try:
                    data = os.read(self._ours, 65536)
                except OSError:  # the command ended
                    data = b""
                assert data, f"ended before {needle!r}: {self.shown}"
                self.shown += data.decode("utf-8", "replace")

    def say(self, line: str) -> None:
        """Type a line."""
        os.write(self._ours, f"{line}\n".encode())

    def ended(self) -> int:
        """Read the rest and return the exit code."""
        while True:
            try:
                data = os.read(self._ours, 65536)
            except OSError:
                break
            if not data:
                break
            self.shown += data.decode("utf-8", "replace")
        os.close(self._ours)
        return self._process.wait(timeout=60)


def test_a_person_is_shown_the_change_and_asked(kept: Memory, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "correct", "deploy", "Deploy at noon.", "--because", "b")
    terminal.until("correct deploy? [y/N] ")
    assert "+ Deploy at noon." in terminal.shown
    terminal.say("y")
    assert terminal.ended() == 0
    assert text_of(kept, "deploy") == "Deploy at noon.\n"


@pytest.mark.parametrize("answer", ["n", "", "yess", "of course"])
def test_anything_but_yes_is_no(kept: Memory, tmp_path: Path, answer: str) -> None:
    before = tree(kept.path)
    terminal = Terminal(tmp_path, "retire", "deploy", "--because", "b")
    terminal.until("[y/N] ")
    terminal.say(answer)
    assert terminal.ended() == 12
    assert "nothing was changed" in terminal.shown
    assert tree(kept.path) == before


def test_a_missing_reason_is_asked_for(kept: Memory, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "retire", "deploy", "--yes")
    terminal.until("Why is it retired?")
    terminal.say("It is continuous now.")
    assert terminal.ended() == 0
    assert any(b"It is continuous now." in data for data in tree(kept.path).values())


def test_a_correction_opens_the_editor_on_the_current_text(kept: Memory, tmp_path: Path) -> None:
    script = tmp_path / "editor"
    change = "open(p, 'w').write(t.replace('12:00', '11:00'))"
    script.write_text(f"#!{sys.executable}\nimport sys\np = sys.argv[1]\nt = open(p).read()\n{change}\n")
    script.chmod(0o755)
    terminal = Terminal(tmp_path, "correct", "deploy", "--because", "b", editor=str(script))
    terminal.until("[y/N] ")
    terminal.say("yes")
    assert terminal.ended() == 0
    assert text_of(kept, "deploy") == "Deploy before 11:00 UTC.\n"


def test_a_text_left_as_it_was_changes_nothing(kept: Memory, tmp_path: Path) -> None:
    before = tree(kept.path)
    terminal = Terminal(tmp_path, "correct", "deploy", "--because", "b", editor="true")
    assert terminal.ended() == 2
    assert "left as it was" in terminal.shown
    assert tree(kept.path) == before


WRITES = "import sys; p = sys.argv[1]; open(p, 'w').write({text!r}); sys.exit({code})"


def editor_that(folder: Path, text: str, code: int = 0) -> str:
    script = folder / "editor"
    script.write_text(f"#!{sys.executable}\n{WRITES.format(text=text, code=code)}\n")
    script.chmod(0o755)
    return str(script)


def kept_texts(kept: Memory, terminal: Terminal) -> list[str]:
    """What the notes on the terminal say is kept, read from where they say."""
    places = re.findall(r"what you wrote is kept in (\S+\.md); give it with --file", terminal.shown)
    return [Path(place).read_text() for place in places]


@pytest.mark.parametrize(
    ("text", "code", "said", "is_kept"),
    [
        ("Deploy at noon.\n", 3, "ended with 3, so nothing was changed", True),
        ("Deploy at noon.\nPassword: hunter2hunter2 AKIAIOSFODNN7EXAMPLQ\n", 0, "POL0", True),
        ("", 0, "the text is empty", False),
    ],
)
def test_what_a_person_wrote_outlives_a_failure(
    kept: Memory, tmp_path: Path, text: str, code: int, said: str, is_kept: bool
) -> None:
    before = tree(kept.path)
    terminal = Terminal(
        tmp_path, "correct", "deploy", "--because", "b", "--yes", editor=editor_that(tmp_path, text, code)
    )
    assert terminal.ended() != 0
    assert said in terminal.shown
    assert kept_texts(kept, terminal) == ([text] if is_kept else [])
    assert tree(kept.path) == before


def test_what_a_person_wrote_and_then_did_not_want_is_kept_too(kept: Memory, tmp_path: Path) -> None:
    terminal = Terminal(
        tmp_path, "correct", "deploy", "--because", "b", editor=editor_that(tmp_path, "Deploy at noon.\n")
    )
    terminal.until("[y/N] ")
    terminal.say("no")
    assert terminal.ended() != 0
    assert kept_texts(kept, terminal) == ["Deploy at noon.\n"]


def test_a_text_that_was_used_is_not_kept(kept: Memory, tmp_path: Path) -> None:
    editor = editor_that(tmp_path, "Deploy at noon.\n")
    terminal = Terminal(tmp_path, "correct", "deploy", "--because", "b", "--yes", editor=editor)
    assert terminal.ended() == 0
    assert not list(tmp_path.rglob("unsaved/*.md"))


@pytest.mark.parametrize(("key", "said"), [("deploy", "is remembered already"), ("De ploy", "cannot be a key")])
def test_a_key_that_cannot_be_made_is_refused_before_anything_is_asked(
    kept: Memory, tmp_path: Path, key: str, said: str
) -> None:
    terminal = Terminal(tmp_path, "remember", key, editor=editor_that(tmp_path, "Deploy at noon.\n"))
    assert terminal.ended() == 2
    assert said in terminal.shown
    assert "When does it apply?" not in terminal.shown


def test_a_piped_text_at_no_controlling_terminal_needs_a_yes(kept: Memory, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "correct", "deploy", "--because", "b", stdin=b"Deploy at noon.\n")
    assert terminal.ended() == 2
    assert "--yes" in terminal.shown


def test_from_init_to_a_corrected_instruction_in_new_processes(tmp_path: Path) -> None:
    def fresh(*arguments: str) -> str:
        code = "import sys; from upheld.cli.main import main; sys.exit(main())"
        done = subprocess.run(
            [sys.executable, "-c", code, *OPTIONS, *arguments],
            cwd=tmp_path, env=environment(tmp_path), stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout

    fresh("init", "--no-passphrase", "--automation", "remember,correct", "--yes")
    fresh(*REMEMBER, "--yes")
    fresh(*CORRECT, "--yes")
    assert fresh("recall", "deploy", "--line") == "Deploy before 12:00 UTC.\n"
