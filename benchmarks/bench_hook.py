"""A hook against a bare start of the same interpreter, for each event, in the form that ``connect`` writes.

Every row is a fresh process of this environment, run in turn with all the others so that a busy machine slows them
alike; the figure is the ratio of its median to that of ``python -c pass``, on the wall and in processor time. Each
prompt is of a session of its own, so that nothing is taken for a repetition.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import upheld
from upheld.compose.hook_command import hook_command
from upheld.compose.library import Memory
from upheld.model.trigger_edit import TriggerEdit

SIZES = (10, 100)
Row = tuple[list[str], dict[str, object]]


def store(folder: Path, keys: int) -> Path:
    """Make a sealed store of so many keys, pinned in the home that the environment names; return its project."""
    folder.mkdir(parents=True)
    memory = Memory(path=str(folder / ".upheld"), why="named")
    memory.init(passphrase=False, automation=("remember", "triggers"))
    for number in range(keys):
        memory.remember(
            f"instruction-{number}",
            f"# Instruction {number}\n\nDo thing number {number} first.\n",
            when=f"Before doing thing number {number}.",
            because="It is to be measured.",
        )
    memory.triggers.add("instruction-0", TriggerEdit(commands=("kubectl apply",)))
    return folder


def events(project: Path) -> dict[str, tuple[str, dict[str, object]]]:
    """What a client sends, by what it comes to."""
    tool = {"cwd": str(project), "tool_name": "Bash"}
    return {
        "prompt that a key governs": ("prompt", {"cwd": str(project), "prompt": "Before doing thing number 0."}),
        "prompt that nothing governs": ("prompt", {"cwd": str(project), "prompt": "Tell me a joke about cats"}),
        "tool call that a key governs": ("before-tool", {**tool, "tool_input": {"command": "kubectl apply -f x"}}),
        "tool call that nothing governs": ("before-tool", {**tool, "tool_input": {"command": "ls -la"}}),
        "session start": ("session-start", {"cwd": str(project), "source": "startup"}),
    }


def seconds(command: list[str], payload: dict[str, object]) -> tuple[float, float]:
    """The wall time of one fresh process, and its processor time."""
    sent = json.dumps({**payload, "session_id": os.urandom(8).hex()}).encode()
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, input=sent, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rows_in(place: str) -> dict[str, Row]:
    """Every row: its command and what is sent to it."""
    rows: dict[str, Row] = {
        "python -c pass": ([sys.executable, "-c", "pass"], {}),
        "python -I -S -c pass": ([sys.executable, "-I", "-S", "-c", "pass"], {}),
    }
    for keys in SIZES:
        for title, (event, payload) in events(store(Path(place, str(keys)), keys)).items():
            rows[f"{title}, {keys} keys"] = (list(hook_command("claude", event)), payload)
    event, payload = events(Path(place, str(SIZES[0])))["prompt that a key governs"]
    script = str(Path(sys.executable).with_name("upheld"))
    rows[f"the same by `upheld hook`, {SIZES[0]} keys"] = ([script, "hook", "--client", "claude", event], payload)
    rows["prompt, neither a store nor a pin"] = (list(hook_command("claude", "prompt")), {"cwd": place, "prompt": "x"})
    return rows


def main() -> None:
    """Measure all rows in turn and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=25, help="processes a row (default: 25)")
    rounds = parser.parse_args().rounds
    # Where PYTHONDONTWRITEBYTECODE is set, every start would compile our source anew; an installed package never does.
    compileall.compile_dir(Path(upheld.__file__).parent, quiet=1)
    with tempfile.TemporaryDirectory() as place:
        for name in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
            os.environ[name] = str(Path(place, "home"))
        for name in ("SSH_AUTH_SOCK", "UPHELD_KEY", "UPHELD_STORE", "CLAUDE_PROJECT_DIR"):
            os.environ.pop(name, None)
        rows = rows_in(place)
        times: dict[str, list[tuple[float, float]]] = {title: [] for title in rows}
        for number in range(-2, rounds):  # the first two make the images, and are not counted
            for title, (command, payload) in rows.items():
                taken = seconds(command, payload)
                if number >= 0:
                    times[title].append(taken)
    bare = times["python -c pass"]
    base = [statistics.median(column) for column in zip(*bare, strict=True)]
    version = sys.version.split()[0]
    print(f"Python {version}, {os.cpu_count()} cores, {rounds} processes a row, bare start {base[0] * 1000:.1f} ms\n")
    print("| what the process does | wall, times `python -c pass` | processor time, times that |\n|---|---|---|")
    for title, measured in times.items():
        wall, used = (statistics.median(column) for column in zip(*measured, strict=True))
        print(f"| {title} | {wall / base[0]:.2f} | {used / base[1]:.2f} |")


if __name__ == "__main__":
    main()
