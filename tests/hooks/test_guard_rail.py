"""What no agent may do is denied however it is spelt, and ordinary work is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from upheld.hooks.guard import why_denied
from upheld.hooks.protected import Protected
from upheld.hooks.shell import simple_commands
from upheld.hooks.tool_input import commands_of, is_writing, paths_of

HERE = "/work/project"
PROTECTED = Protected(folders=("/work/project/.upheld", "/home/ada/.local/state/upheld", "/home/ada/.config/upheld"))

DENIED = [
    "upheld approve 20261201-ab --yes",
    "upheld remember k 'Text.' --when w --because b --yes",
    "upheld correct k 'Text.' --because b",
    "upheld retire k --because b",
    "upheld restore k --to 1 --because b",
    "upheld rename a b --because c",
    "upheld redact k --version 1",
    "upheld reject ID --because b",
    "upheld init",
    "upheld migrate",
    "upheld resolve k --mine",
    "upheld sync",
    "upheld draft drop",
    "upheld trust pin abc",
    "upheld trust policy --automation approve --yes",
    "upheld trust forget",
    "upheld triggers add k --fires x",
    "upheld review k --confirm --evidence e",
    "upheld inbox --review",
    "upheld doctor --fix",
    "upheld recall k --unsealed",
    "upheld recall k --as-of 2020-01-01",
    "upheld --as-of=2020-01-01 recall k",
    "upheld --store /tmp/x approve ID",
    "  upheld   approve   ID",
    "'upheld' approve ID",
    'u"p"held approve ID',
    "up\\held approve ID",
    "/work/project/.venv/bin/upheld approve ID",
    "./.venv/bin/upheld approve ID",
    "~/.local/bin/upheld approve ID",
    "command upheld approve ID",
    "exec upheld approve ID",
    "env UPHELD_KEY=/tmp/k upheld approve ID",
    "UPHELD_KEY=/tmp/k X=1 upheld approve ID",
    "/usr/bin/env -u FOO upheld approve ID",
    "sudo -u ada upheld approve ID",
    "nohup upheld approve ID &",
    "time upheld approve ID",
    "timeout 5 upheld approve ID",
    "timeout -k 1 5 upheld approve ID",
    "uv run upheld approve ID",
    "uvx upheld approve ID",
    "pipx run upheld approve ID",
    "poetry run upheld approve ID",
    "echo ID | xargs upheld approve",
    "echo ID | xargs -I{} upheld approve {}",
    "python -m upheld approve ID",
    "python3.12 -I -m upheld approve ID",
    "python -Im upheld approve ID",
    "python -X dev -m upheld approve ID",
    "/usr/bin/python3 -m upheld approve ID",
    "python .venv/bin/upheld approve ID",
    "python -c 'import upheld; upheld.open().approve(\"ID\")'",
    'python -c \'import upheld; m = upheld.open(); m.remember("k", "t", when="w", because="b")\'',
    'python -c \'from upheld.__main__ import main; main(["approve", "ID"])\'',
    "python -c 'from upheld.cli.main import main; main()' approve ID",
    "cd docs && upheld approve ID",
    "true; upheld approve ID",
    "false || upheld approve ID",
    "true\nupheld approve ID",
    "(upheld approve ID)",
    "{ upheld approve ID; }",
    "if true; then upheld approve ID; fi",
    "for i in 1 2; do upheld approve $i; done",
    "echo $(upheld approve ID)",
    'echo "$(upheld approve ID)"',
    "echo `upheld approve ID`",
    "cat <(upheld approve ID)",
    "sh -c 'upheld approve ID'",
    "bash -lc 'cd x && upheld approve ID'",
    'bash -c "sh -c \\"upheld approve ID\\""',
    "eval 'upheld approve ID'",
    "sh <<'E'\nupheld approve ID\nE",
    "bash <<< 'upheld approve ID'",
    "echo 'upheld approve ID' | sh",
    "$(which upheld) approve ID",
    "`which upheld` approve ID",
    "U=upheld; $U approve ID",
    "U=upheld && ${U} approve ID",
    "upheld inbox && yes | upheld approve ID",
    "upheld approve ID > /tmp/log 2>&1",
    "env --unset FOO upheld approve ID",
    "exec -a x upheld approve ID",
    "ls | xargs -d '\\n' upheld approve",
    "ls | xargs --max-args 1 upheld approve",
    "find . -name x -exec upheld approve {} \\;",
    "find .upheld -type f -exec rm {} +",
    "find .upheld -type f -exec sed -i s/a/b/ {} \\;",
    "script -qc 'upheld approve ID' /dev/null",
    "script -q /dev/null upheld approve ID",
    "expect -c 'spawn upheld approve ID'",
    "su ada -c 'upheld approve ID'",
    "watch 'upheld approve ID'",
    "tmux send-keys 'upheld approve ID' Enter",
    "ssh localhost upheld approve ID",
    "ssh localhost \"bash -c 'upheld approve ID'\"",
    "docker exec box upheld approve ID",
    "conda run -n x upheld approve ID",
    "uv run --python 3.12 upheld approve ID",
    "uv tool run upheld approve ID",
    "flock /tmp/lock upheld approve ID",
    "strace -f python -m upheld approve ID",
    "coproc upheld approve ID",
    "bash -euc 'upheld approve ID'",
    "bash -c -e 'upheld approve ID'",
    "bash -euo pipefail -c 'upheld approve ID'",
    "cat <<'E' | sh\nupheld approve ID\nE",
    "builtin eval 'upheld approve ID'",
    ". /dev/stdin <<< 'upheld approve ID'",
    "export U=upheld; $U approve ID",
    "alias u=upheld; u approve ID",
    "python -m upheld.__main__ approve ID",
    "python -Bm upheld approve ID",
    "python -c \"import subprocess; subprocess.run(['upheld', 'approve', 'ID'])\"",
    "python -c \"import os; os.system('upheld approve ID')\"",
    "python <<'E'\nimport upheld\nupheld.open().approve('ID')\nE",
    "python - <<'E'\nimport os\nos.system('upheld approve ID')\nE",
    "echo \"import upheld; upheld.open().approve('ID')\" | python",
    "node -e \"require('child_process').execSync('upheld approve ID')\"",
    "perl -e 'system(\"upheld approve ID\")'",
    "cp -t .upheld /tmp/x",
    "cp --target-directory=.upheld/records /tmp/x",
    "sed -Ei s/a/b/ .upheld/sources/x.md",
    "awk -i inplace 1 .upheld/index.json",
    "sponge .upheld/index.json < x",
    "echo x > .upheld/index.json",
    "echo x >> /work/project/.upheld/records/a.json",
    "echo x >| .upheld/index.json",
    "cat y >.upheld/index.json",
    "cd .upheld && echo x > index.json",
    "cd .upheld; rm index.json",
    "rm -rf .upheld",
    "rm -rf ./.upheld/",
    "rm -rf /work/project/docs/../.upheld",
    "mv .upheld /tmp/x",
    "mv /tmp/old .upheld",
    "cp /tmp/index.json .upheld/index.json",
    "cp -r /tmp/old/. .upheld",
    "ln -s /tmp/x .upheld/records/y.json",
    "tee .upheld/index.json < x",
    "echo x | sudo tee .upheld/index.json",
    "sed -i s/a/b/ .upheld/sources/x.md",
    "perl -pi -e s/a/b/ .upheld/sources/x.md",
    "chmod u+w .upheld/sources/x.md",
    "touch .upheld/proposals/x.json",
    "truncate -s 0 .upheld/index.json",
    "dd if=/dev/zero of=.upheld/index.json",
    "find .upheld -name '*.json' -delete",
    "tar xf old.tar -C .upheld",
    "rm -rf /home/ada/.local/state/upheld/places",
    "cp key /home/ada/.config/upheld/key",
    "echo '{}' > /home/ada/.local/state/upheld/places/x.json",
]

ORDINARY = [
    "find .upheld -name '*.json' -exec cat {} +",
    "find .upheld -type f -exec cp {} /tmp/copy \\;",
    "find . -name upheld -exec grep approve {} +",
    "time rg upheld approve",
    "uv run pytest -k 'upheld approve'",
    "uv tool install upheld",
    "ssh host 'grep \"upheld approve\" notes.md'",
    "watch upheld status",
    "tmux new -d 'upheld status'",
    "docker build -t upheld .",
    "bash -c 'echo upheld approve ID'",
    "cat > run.md <<'E'\nupheld approve ID\nE\nbash -n x.sh",
    "sed -n s/upheld/approve/p .upheld/sources/x.md",
    "sed -e s/a/i/ .upheld/index.json",
    "python - <<'E'\nprint('upheld approve ID')\nE",
    "python - <<'E'\nfrom pathlib import Path\nPath('a.md').write_text('Run upheld approve ID; m.remember(1)')\nE",
    "python -c \"import subprocess; subprocess.run(['upheld', 'inbox'])\"",
    "node -e \"console.log('upheld approve')\"",
    "git commit -m 'remember to approve the upheld store'",
    'git commit -m "upheld approve ID"',
    "git commit -m 'x' -m 'upheld trust pin abc'",
    "git log --grep='upheld remember'",
    "grep -rn upheld .",
    "grep -rn 'upheld approve' docs",
    "rg 'upheld approve' | head",
    "cat docs/upheld.md",
    "less .upheld/index.json",
    "cat .upheld/index.json",
    "ls -la .upheld",
    "find .upheld -name '*.json'",
    "diff .upheld/index.json /tmp/x",
    "cp .upheld/index.json /tmp/copy.json",
    "cp -r .upheld /tmp/backup",
    "tar czf /tmp/b.tgz .upheld",
    "sha256sum .upheld/index.json",
    "python memory_check.py .upheld",
    "echo 'upheld approve ID'",
    "echo upheld approve ID > notes.txt",
    "printf 'upheld approve' >> README.md",
    "upheld recall k",
    "upheld recall k --format json > /tmp/out.json",
    "upheld route 'approve the proposal'",
    "upheld index",
    "upheld status",
    "upheld inbox",
    "upheld show ID",
    "upheld history k",
    "upheld propose k 'Always approve.' --when w --because b",
    "upheld due --within 30d",
    "upheld verify",
    "upheld doctor",
    "upheld explain POL050",
    "upheld trust show",
    "upheld triggers show k",
    "upheld triggers test 'x'",
    "upheld triggers build",
    "upheld sync --pull",
    "upheld draft show",
    "upheld review k",
    "upheld approve --help",
    "upheld remember --dry-run k 'T.' --when w --because b",
    "upheld --version",
    "upheld",
    "python -m upheld recall k",
    "python -m pytest tests/test_upheld.py -k 'approve and remember'",
    "python -c 'import upheld; print(upheld.open().recall(\"k\"))'",
    "python -c 'print(\"upheld approve\")'",
    "python scripts/remember.py upheld",
    "pip install upheld",
    "pip show upheld",
    "which upheld",
    "cd ~/src/upheld && make test",
    "cd upheld && git status",
    "vim src/upheld/cli/approve_command.py",
    "sed -i s/a/b/ src/upheld/x.py",
    "rm -rf build/upheld",
    "touch upheld.md",
    "mkdir -p docs/upheld",
    "mv upheld-notes.md docs/",
    "echo x > upheld/notes.md",
    "cat > notes.md <<'E'\nRun upheld approve ID to approve.\nE",
    "cat <<E\nupheld trust pin abc\nE",
    "# upheld approve ID",
    "true # upheld approve ID",
    "sh -c 'grep upheld README.md'",
    "man upheld approve",
    "docker run upheld-image",
    "npm run approve -- --package upheld",
    "upheld-lint approve",
    "myupheld approve ID",
    "gh pr create --title 'upheld: approve proposals' --body 'upheld approve ID'",
    "gh pr review --approve upheld",
]


@pytest.mark.parametrize("command", DENIED)
def test_what_only_a_person_may_do_is_denied(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert why_denied(command, HERE, PROTECTED)


@pytest.mark.parametrize("command", ORDINARY)
def test_ordinary_work_is_not(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert why_denied(command, HERE, PROTECTED) == ""


def test_a_reason_names_what_it_is_about() -> None:
    assert "approve" in why_denied("cd x && upheld approve ID", HERE, PROTECTED)
    assert "index.json" in why_denied("echo > .upheld/index.json", HERE, PROTECTED)


@given(st.text(alphabet="upheld aprove'\"\\$(){}`;&|<>\n#-=.~/", max_size=80))
def test_any_line_at_all_is_read_to_its_end(line: str) -> None:
    assert isinstance(why_denied(line, HERE, PROTECTED), str)
    assert all(isinstance(simple.words, tuple) for simple in simple_commands(line))


@given(st.lists(st.text(alphabet="abc.-/_", min_size=1, max_size=8), min_size=1, max_size=6))
def test_plain_words_come_back_as_they_are(words: list[str]) -> None:
    [simple] = simple_commands(" ".join(words))
    assert simple.words == tuple(words)


@given(st.text(alphabet=st.characters(blacklist_characters="'\0\r"), max_size=40))
def test_what_stands_in_single_quotes_is_one_word(text: str) -> None:
    [simple] = simple_commands(f"echo '{text}'")
    assert simple.words == ("echo", text.replace("\\\n", ""))


@pytest.mark.parametrize(
    ("given_input", "expected"),
    [
        ({"command": "ls"}, ("ls",)),
        ({"command": ["bash", "-lc", "ls -la"]}, ("ls -la",)),
        ({"command": ["ls", "-la", "a b"]}, ("ls -la 'a b'",)),
        ({"cmd": "ls"}, ("ls",)),
        ({"command": "*** Begin Patch\n*** Update File: a.md\n*** End Patch"}, ()),
        ({"file_path": "x"}, ()),
    ],
)
def test_commands_are_found_under_the_names_that_clients_use(
    given_input: dict[str, object], expected: tuple[str, ...]
) -> None:
    assert commands_of(given_input) == expected


@pytest.mark.parametrize(
    ("given_input", "expected"),
    [
        ({"file_path": "a"}, ("a",)),
        ({"notebook_path": "a.ipynb"}, ("a.ipynb",)),
        ({"edits": [{"file_path": "a"}, {"file_path": "b"}]}, ("a", "b")),
        ({"paths": ["a", "b", 3]}, ("a", "b")),
        ({"command": "*** Begin Patch\n*** Update File: a.md\n*** Add File: b.md\n*** End Patch"}, ("a.md", "b.md")),
        ({"input": "*** Begin Patch\n*** Move to: c.md"}, ("c.md",)),
        ({"query": "a"}, ()),
    ],
)
def test_files_are_found_under_the_names_that_clients_use(
    given_input: dict[str, object], expected: tuple[str, ...]
) -> None:
    assert paths_of(given_input) == expected


@pytest.mark.parametrize(
    ("tool", "given_input", "writes"),
    [
        ("Write", {"file_path": "a", "content": "x"}, True),
        ("Edit", {"file_path": "a", "old_string": "x", "new_string": "y"}, True),
        ("apply_patch", {"command": "*** Begin Patch\n*** Delete File: a"}, True),
        ("mcp__filesystem__move_file", {"source": "a", "destination": "b"}, True),
        ("create", {"path": "a", "file_text": ""}, True),
        ("Read", {"file_path": "a"}, False),
        ("Grep", {"pattern": "x", "path": "a"}, False),
        ("view", {"path": "a"}, False),
        ("list_directory", {"path": "a"}, False),
    ],
)
def test_a_tool_that_writes_is_told_from_one_that_reads(
    tool: str, given_input: dict[str, object], writes: bool
) -> None:
    assert is_writing(tool, given_input) is writes
