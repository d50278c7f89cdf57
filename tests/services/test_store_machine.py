"""Any sequence of verbs against a dictionary: a recall says what the dictionary says, and the article's rules hold."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from article_rules import broken
from keeping import code_of, kept_store, text_of
from upheld.compose.library import Memory
from upheld.errors import UsageError

CHECKER = Path(__file__).parents[2].parent / "shared" / "article-store" / "memory_check.py"
KEYS = st.sampled_from(("alpha", "beta", "gamma", "delta"))
TEXTS = st.builds("# {}\n\nDo {}.\n".format, st.sampled_from("ABC"), st.integers(0, 5))
pytestmark = pytest.mark.usefixtures("memory")


class Keeping(RuleBasedStateMachine):
    """``texts`` holds what applies; ``past`` every version of a key, oldest first, None for one without a text."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="upheld-machine-"))
        self.memory: Memory = kept_store(self.folder)
        self.texts: dict[str, str] = {}
        self.past: dict[str, list[str | None]] = {}
        self.retired: set[str] = set()
        self.renamed: dict[str, str] = {}

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    @initialize()
    def start(self) -> None:
        assert broken(Path(self.memory.path)) == []

    @rule(key=KEYS, text=TEXTS)
    def remember(self, key: str, text: str) -> None:
        if key in self.past or key in self.renamed:
            with pytest.raises(UsageError):
                self.memory.remember(key, text, when="w", because="b")
            return
        self.memory.remember(key, text, when="w", because="b")
        self.texts[key] = text
        self.past[key] = [text]

    @rule(key=KEYS, text=TEXTS)
    def correct(self, key: str, text: str) -> None:
        if self.texts.get(key) in (None, text):
            with pytest.raises(UsageError):
                self.memory.correct(key, text, because="b")
            return
        self.memory.correct(key, text, because="b")
        self.texts[key] = text
        self.past[key].append(text)

    @precondition(lambda self: self.texts)
    @rule(data=st.data())
    def confirm(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.texts)))
        self.memory.review(key, confirm=True, evidence="e", volatility=data.draw(st.sampled_from(("normal", "stable"))))
        self.past[key].append(self.texts[key])

    @precondition(lambda self: self.texts)
    @rule(data=st.data())
    def retire(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.texts)))
        self.memory.retire(key, because="b")
        del self.texts[key]
        self.past[key].append(None)
        self.retired.add(key)

    @precondition(lambda self: self.past)
    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.past)))
        number = data.draw(st.integers(1, len(self.past[key])))
        text = self.past[key][number - 1]
        if text is None or text == self.texts.get(key):
            with pytest.raises(UsageError):
                self.memory.restore(key, to=str(number), because="b")
            return
        self.memory.restore(key, to=str(number), because="b")
        self.texts[key] = text
        self.past[key].append(text)
        self.retired.discard(key)

    @precondition(lambda self: self.texts)
    @rule(data=st.data(), new=KEYS)
    def rename(self, data: st.DataObject, new: str) -> None:
        key = data.draw(st.sampled_from(sorted(self.texts)))
        is_own = new in self.renamed and self._leads_to(new) == key
        if new in self.past or (new in self.renamed and not is_own):
            with pytest.raises(UsageError):
                self.memory.rename(key, new, because="b")
            return
        self.memory.rename(key, new, because="b")
        text = self.texts.pop(key)
        self.texts[new] = text
        self.past[new] = [*self.past.pop(key), text]
        self.renamed.pop(new, None)
        self.renamed[key] = new

    def _leads_to(self, name: str) -> str:
        while name in self.renamed:
            name = self.renamed[name]
        return name

    @precondition(lambda self: self.past)
    @rule(data=st.data())
    def redact(self, data: st.DataObject) -> None:
        key = data.draw(st.sampled_from(sorted(self.past)))
        number = data.draw(st.integers(1, len(self.past[key])))
        text = self.past[key][number - 1]
        if text is None or text == self.texts.get(key):
            return  # tombstones share their text or not by the day; that the current one stays is tested by itself
        self.memory.redact(key, str(number))
        self.past[key] = [None if old == text else old for old in self.past[key]]

    @invariant()
    def every_recall_says_what_the_dictionary_says(self) -> None:
        for key in ("alpha", "beta", "gamma", "delta"):
            if key in self.texts:
                assert text_of(self.memory, key) == self.texts[key]
            else:
                code = "PTR005" if key in self.retired else "PTR008" if key in self.renamed else "PTR001"
                assert code_of(self.memory, key) == code

    @invariant()
    def the_articles_rules_hold(self) -> None:
        assert broken(Path(self.memory.path)) == []
        verdict = self.memory.verify()
        assert verdict.findings == ()
        assert verdict.keys == len(self.texts)


Keeping.TestCase.settings = settings(
    max_examples=30, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
TestKeeping = Keeping.TestCase


@pytest.mark.skipif(not CHECKER.is_file(), reason="the article's checker is not at hand at ../shared/article-store")
def test_the_articles_own_checker_passes_for_every_key(memory: Memory) -> None:
    for key in ("a", "b", "c", "d", "e"):
        memory.remember(key, f"Do {key}.\n", when="w", because="b")
        memory.correct(key, f"Do {key} now.\n", because="b")
    memory.retire("a", because="b")
    memory.rename("b", "bb", because="b")
    memory.redact("bb", "1")
    memory.restore("c", to="1", because="b")
    memory.review("d", confirm=True, evidence="e")
    Path(next((Path(memory.path) / "sources").glob("e.*.md"))).chmod(0o644)
    shutil.copy(CHECKER, memory.path)
    for key in ("bb", "c", "d", "e"):
        done = subprocess.run(
            [sys.executable, "memory_check.py", key], cwd=memory.path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert f"PASS key={key}" in done.stdout


@pytest.mark.skipif(not CHECKER.is_file(), reason="the article's checker is not at hand at ../shared/article-store")
def test_the_articles_own_checker_passes_with_128_keys(memory: Memory) -> None:
    for number in range(128):
        memory.remember(f"key-{number}", f"Do {number}.\n", when="w", because="b")
    shutil.copy(CHECKER, memory.path)
    for key in ("key-0", "key-64", "key-127"):
        command = [sys.executable, "memory_check.py", key]
        assert subprocess.run(command, cwd=memory.path, capture_output=True, check=False).returncode == 0
