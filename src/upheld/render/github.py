"""For GitHub Actions: workflow commands, which the service shows as annotations on the files they name.

https://docs.github.com/actions/reference/workflow-commands-for-github-actions. A command's text ends at a line end and
its properties at a comma or colon, so these are percent-encoded (``escapeData`` and ``escapeProperty`` in
actions/toolkit): no text of a store can end our command or begin one of its own.
"""

from __future__ import annotations

from upheld.render import concise
from upheld.render.escape import bounded, escape
from upheld.render.finding import details
from upheld.render.summary import coverage, outcome
from upheld.render.text import MAX_SHOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.answer import Answer, Refusal
    from upheld.model.finding import Finding
    from upheld.model.history import History
    from upheld.model.page import Page
    from upheld.model.verdict import Verdict
    from upheld.render.formats import Scene

_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}
_DATA = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"))
_PROPERTY = (*_DATA, (":", "%3A"), (",", "%2C"))


def answer(answer: Answer, scene: Scene) -> str:
    """Render the text as a notice, and what the reader should be told."""
    mark = f"hypothetical as of {answer.as_of}: " if answer.hypothetical else ""
    # A bound source is named from the repository, a source of the store from the store: neither is claimed here.
    title = f"{mark}{answer.outcome}: {answer.key}"
    body = escape(answer.text[:MAX_SHOWN], lines=True)
    if len(answer.text) > MAX_SHOWN:
        body += f"\ncut: {len(answer.text) - MAX_SHOWN:,} of {len(answer.text):,} characters"
    body += f"\nnot checked: {escape('; '.join(answer.not_checked)) or 'nothing'}"
    return _command("notice", body, title=title) + "".join(_finding(notice, scene) for notice in answer.notices)


def refusal(refusal: Refusal, scene: Scene) -> str:
    """Render one annotation a finding, then what is refused."""
    mark = f"hypothetical as of {refusal.as_of}: " if refusal.hypothetical else ""
    last = f"{mark}refused: {escape(refusal.key) + ': ' if refusal.key else ''}{refusal.code} {refusal.name}\n"
    return "".join(_finding(finding, scene) for finding in refusal.findings) + last


def verdict(verdict: Verdict, scene: Scene) -> str:
    """Render one annotation a finding, then what was checked and the verdict."""
    mark = f"hypothetical as of {verdict.as_of}: " if verdict.hypothetical else ""
    last = f"{coverage(verdict)}\n{mark}{outcome(verdict)}\n"
    return "".join(_finding(finding, scene) for finding in verdict.findings) + last


def history(history: History, scene: Scene) -> str:
    """Render one annotation a finding, then one line a version."""
    return "".join(_finding(finding, scene) for finding in history.findings) + concise.history(history)


def page(page: Page, scene: Scene) -> str:
    """Render one annotation a finding, then one line a key."""
    return "".join(_finding(finding, scene) for finding in page.findings) + concise.page(page.replace(findings=()))


def _finding(finding: Finding, scene: Scene) -> str:
    entry = finding.entry
    path = [f"at {bounded(finding.path, 300)}"] if finding.path else []
    lines = [entry.what, *path, *details(finding), f"help: {bounded(finding.help, 300)}"]
    place = "/".join(part for part in (scene.root, finding.place) if part)
    return _command(_COMMANDS[entry.severity], "\n".join(lines), file=place, title=f"{entry.code} {entry.name}")


def _command(command: str, message: str, **properties: str) -> str:
    given = ",".join(f"{name}={_encoded(escape(text), _PROPERTY)}" for name, text in properties.items() if text)
    return f"::{command} {given}::{_encoded(message, _DATA)}\n"


def _encoded(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    for character, code in pairs:
        text = text.replace(character, code)
    return text
