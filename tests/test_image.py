"""The image of a call only saves time: with it, without it and with a spoilt one, a command says the same."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import upheld
from keeping import environment, kept_store

RUN = "import sys; sys.path.insert(0, sys.argv.pop(1)); from upheld.__main__ import main; sys.exit(main())"


class Installed:
    """A copy of the package, as a user would have it, and a store with one key."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.site = folder / "site"
        shutil.copytree(
            Path(upheld.__file__).parent, self.site / "upheld", ignore=shutil.ignore_patterns("__pycache__")
        )
        self.environ = environment(folder / "home")
        for name, value in self.environ.items():
            patch.setenv(name, value)
        patch.delenv("XDG_CONFIG_HOME", raising=False)
        self.memory = kept_store(folder)
        self.memory.remember("deploys", "Deploy on Tuesdays.\n", when="Before deploying", because="Agreed.")

    def said(self, *arguments: str, **environ: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-c", RUN, str(self.site), *arguments],
            cwd=self.memory.path + "/..", env={**self.environ, **environ}, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    @property
    def images(self) -> list[str]:
        return sorted(path.name.partition(".")[0] for path in self.site.rglob("*.image"))


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Installed:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    return Installed(tmp_path, monkeypatch)


CALLS = (
    ("recall", "deploys"),
    ("recall", "deploys", "--format", "json"),
    ("recall", "nobody"),
    ("recall", "deploys", "--line"),
    ("recall",),
    ("recall", "--help"),
    ("recall", "deploys", "--format", "nonsense"),
    ("route", "Before deploying"),
    ("route", "Something else", "--format", "json"),
    ("route", "--help"),
)


def test_with_and_without_an_image_the_same_is_said(installed: Installed) -> None:
    plain = {call: installed.said(*call, PYTHONDONTWRITEBYTECODE="1") for call in CALLS}
    assert installed.images == []
    for _ in range(3):  # the first makes them, the next use them
        assert {call: installed.said(*call) for call in CALLS} == plain
    assert installed.images == ["recall-json", "recall-text", "route-json", "route-text"]
    assert installed.said(*CALLS[0], PYTHONDONTWRITEBYTECODE="1") == plain[CALLS[0]]


def test_what_only_a_fault_or_the_command_framework_needs_is_in_no_image(installed: Installed) -> None:
    installed.said("recall", "--help")
    installed.said("recall", "nobody")
    assert installed.images == []


def test_a_changed_source_is_run_as_it_is_now(installed: Installed) -> None:
    for _ in range(2):
        assert "Tuesdays" in installed.said("recall", "deploys")[1]
    source = installed.site / "upheld" / "cli" / "recall.py"
    source.write_text(source.read_text().replace("        write(outcome, call.format", "        write(outcome, 'json'"))
    assert installed.said("recall", "deploys")[1].startswith("{")


@pytest.mark.parametrize("harm", ["empty", "cut", "noise", "of another Python", "of other code"])
def test_a_spoilt_image_is_passed_over(installed: Installed, harm: str) -> None:
    from marshal import dumps, loads

    installed.said("recall", "deploys")  # the first contact is something unusual
    plain = installed.said("recall", "deploys")
    [image] = installed.site.rglob("recall-text.*.image")
    data = image.read_bytes()
    version, rows, codes = loads(data)
    spoilt = {
        "empty": b"",
        "cut": data[: len(data) // 2],
        "noise": os.urandom(500),
        "of another Python": dumps(("2.7", rows, codes)),
        "of other code": dumps((version, rows, codes[::-1])),
    }
    image.write_bytes(spoilt[harm])
    assert installed.said("recall", "deploys") == plain


def test_where_no_image_can_be_written_nothing_is_compiled_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from upheld import image

    monkeypatch.setattr(image, "_compiled", lambda text, source: pytest.fail("compiled for nothing"))
    (tmp_path / "file").write_text("")
    image._save(str(tmp_path / "file" / "a.image"), ((), ()), [("upheld.image", image.__spec__)])


def images_of(site: Path) -> dict[str, set[str]]:
    from marshal import loads

    found = {}
    for path in site.rglob("*.image"):
        _, rows, _ = loads(path.read_bytes())
        found[path.name.partition(".")[0]] = {row[0] for row in rows}
    return found


def test_what_a_first_serving_needs_besides_is_not_paid_for_by_every_later_call(installed: Installed) -> None:
    """A text that is served for the first time is noted, which takes ``re`` and more: no image may carry that."""
    hook = (
        "import sys; sys.path.append(sys.argv.pop(1)); sys.argv[1:1] = ['hook', '--client', 'claude'];"
        "from upheld.hooks.start import run; run()"
    )
    for number in range(3):
        installed.memory.correct("deploys", f"Deploy on day {number}.\n", because="Again.")
        for turn in range(2):
            sent = f'{{"session_id": "s{number}{turn}", "prompt": "Before deploying", "cwd": "{installed.memory.path}/.."}}'
            done = subprocess.run(
                [sys.executable, "-I", "-S", "-c", hook, str(installed.site), "prompt"],
                input=sent, env=installed.environ, capture_output=True, text=True, check=True,
            )  # fmt: skip
            assert f"Deploy on day {number}." in done.stdout
            assert "Deploy on day" in installed.said("recall", "deploys")[1]
    made = images_of(installed.site)
    assert {"prompt", "recall-text"} <= made.keys()
    for modules in made.values():
        assert modules.isdisjoint({"upheld.policy.fold", "upheld.policy.shingles", "upheld.stores.state_writer"})
