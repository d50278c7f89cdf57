"""The block for files of instructions that a client reads whole: the least that every client understands."""

from __future__ import annotations

from upheld.services.connect.registration import Block, Program, Registration, Settings

_LINES = (
    "## Memory that is verified: Upheld",
    "",
    "Standing instructions of this project are kept with Upheld. Each one is checked against the source that owns it "
    "before it is given to you.",
    "",
    "- Before a task, ask what governs it: the tool `route`, or `upheld route TASK`. Then get the text by its "
    "key: the tool `recall`, or `upheld recall KEY`.",
    "- Act only on a text that comes back verified. A refusal is not permission: say which key was refused and why, "
    "and ask the person.",
    "- To have something remembered or corrected, propose it: the tool `propose`, or `upheld propose`. A person "
    "decides.",
    "- Never write into the store, and do not run the commands that seal it.",
)
_FOLDERS = {"AGENTS.md": "$CODEX_HOME", "CLAUDE.md": "$CLAUDE_CONFIG_DIR", "GEMINI.md": "$GEMINI_HOME"}


def _of(file: str, title: str) -> Registration:
    def files(scope: str, _program: Program) -> tuple[Settings, ...]:
        name = f"{_FOLDERS[file]}/{file}" if scope == "user" else file
        return (Settings(name=name, form="markdown", parts=(Block(lines=_LINES),)),)

    return Registration(name=file.lower().replace(".", "-"), title=title, files=files, notes=lambda scope: ())


REGISTRATIONS = (
    _of("AGENTS.md", "AGENTS.md, which most clients read"),
    _of("CLAUDE.md", "CLAUDE.md, which Claude Code reads"),
    _of("GEMINI.md", "GEMINI.md, which Gemini CLI reads"),
)
