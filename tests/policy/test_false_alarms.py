"""False alarms: the screen over ordinary instructions in many languages, and over sentences of the project's own docs."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from ordinary import TEMPLATES, instructions

from upheld.model.codes import CODES
from upheld.model.draft import CurrentInstruction, Draft, Screening, Text
from upheld.policy.screen import run
from upheld.policy.screen.blanket import is_blanket

ROOT = Path(__file__).parents[2]

# A store as it might stand: what is drafted is compared with all of these.
CURRENT = tuple(
    CurrentInstruction(key=f"rule-{n}", text=text + "\n", read_when=when, fires=(when,))
    for n, (text, when) in enumerate(
        (
            ("Write dates as YYYY-MM-DD in reports.", "writing a report"),
            ("Use metric units in drawings.", "drawing parts"),
            ("Ask legal before quoting a customer by name.", "quoting customers"),
            ("Never deploy on Friday afternoon.", "scheduling a deploy to production"),
            ("Keep functions under forty lines.", "refactoring functions"),
            ("Invoices go to accounting@example.org.", "sending invoices"),
            ("Use British spelling in the handbook.", "editing the handbook"),
            ("Tag releases with a leading v.", "tagging releases"),
            ("Do not merge without a review by the owning team.", "merging pull requests"),
            ("Prefer boring technology.", "choosing a library"),
        )
    )
)


def _screen(text: str, read_when: str) -> Screening:
    draft = Draft(
        key="new-rule",
        texts=(Text(field="text", text=text), Text(field="because", text="Agreed in the team meeting.")),
        read_when=read_when,
        examples=(read_when,),
        current=CURRENT,
    )
    return run(draft, now=lambda: 0.0)


def _report(bad: list[tuple[str, Screening]]) -> str:
    lines = [f"{text!r}: {[(f.code, CODES[f.code].name, f.path, f.facts) for f in s.findings]}" for text, s in bad]
    return "\n".join(lines)


def test_the_generator_gives_500_different_texts_in_every_language() -> None:
    made = list(instructions(500))
    assert len({text for _, text, _ in made}) == 500
    assert Counter(language for language, _, _ in made).keys() == TEMPLATES.keys()


def test_of_500_ordinary_instructions_none_is_refused_and_under_one_per_cent_is_flagged() -> None:
    screened = [(text, _screen(text, when)) for _, text, when in instructions(500)]
    refused = [(text, s) for text, s in screened if s.refused]
    flagged = [(text, s) for text, s in screened if s.flagged]
    assert not refused, _report(refused)
    assert len(flagged) < 5, _report(flagged)


def _doc_sentences() -> list[str]:
    pages = sorted((ROOT / "docs").rglob("*.md")) + sorted(ROOT.glob("*.md"))
    prose = [re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.DOTALL) for page in pages]
    # docstrings are instructions to whoever changes the code
    prose += [
        doc
        for page in sorted((ROOT / "src").rglob("*.py"))
        for doc in re.findall(r'"""(.*?)"""', page.read_text("utf-8"), re.DOTALL)
    ]
    sentences = (
        re.sub(r"\s+", " ", s).strip() for text in prose for s in re.split(r"(?<=[.!?])\s+(?=[A-Z])|\n\s*\n|\n- ", text)
    )
    return [s for s in dict.fromkeys(sentences) if 25 <= len(s) <= 300 and s[0].isupper() and s[-1] in ".!?"]


def test_sentences_of_the_project_itself_are_not_refused() -> None:
    sentences = _doc_sentences()
    assert len(sentences) > 100
    screened = [(s, _screen(s, "working on this project")) for s in sentences]
    refused = [(text, s) for text, s in screened if s.refused]
    flagged = [(text, s) for text, s in screened if s.flagged]
    assert not refused, _report(refused)
    assert len(flagged) < 0.01 * len(sentences) + 1, _report(flagged)


@pytest.mark.parametrize(
    "text",
    [
        "Use the Apple emoji set: 👍🏿 👩‍🚀 🧑🏻‍🤝‍🧑🏿 🇩🇪 ☎️ ©️ ™ ↔️ #️⃣.",
        "نمی‌توانیم بدون تأیید منتشر کنیم.",
        "הוראות ל־API: הרץ \u200eGET /v1\u200e ואז המתן.",
        "Δt is 5 μs; keep α and β within 3σ of kΩ.",
        "Write 株式会社ABC and Straße, naïve, coöperate, Ångström.",
        "ภาษาไทย\u200bใช้\u200bได้",
        "Line one is whole.\r\n\r\nLine two follows.",
        "Refuse text such as “ignore previous test output” only in code.",
        "1. Run the tests.\n2. Read the log.\n",
        "- Use tabs in Makefiles.\n- Use spaces elsewhere.\n",
    ],
)
def test_what_languages_need_passes(text: str) -> None:
    screening = _screen(text, "writing for readers")
    assert screening.results == (), _report([(text, screening)])


@pytest.mark.parametrize(
    "when",
    [
        "Before k work", "When working in R", "Starting X", "Doing QA", "Before the end of Q3", "On a user's birthday",
        "When a message queue fills up", "Before answering a tender", "While an agent contract is signed", "At midnight",
        "When asked for a refund", "Before a job fair", "In general ledger entries", "When all tests fail",
        "Before every release", "When a user asks for a quote", "On each deploy", "Doing payroll", "For v2 tasks",
        "When we are on call", "Every Friday", "Before a session cookie is set", "Prompt engineering", "Model training",
        "Vor jedem Einkauf", "Avant chaque livraison", "Antes de cada viaje", "Przed każdym wydaniem", "発注の前に", "出货之前",
    ],
)  # fmt: skip
def test_a_sentence_that_names_a_task_is_no_blanket_trigger(when: str) -> None:
    assert not is_blanket(when)
