"""What a dialect is: how one client's event is read, and how an answer is written for it."""

from __future__ import annotations

from upheld.hooks import payload as read
from upheld.hooks.asked import BEFORE_TOOL, PROMPT, Asked
from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from upheld.hooks.asked import Said

FOLDER_VARIABLES = ("CLAUDE_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR", "COPILOT_PROJECT_DIR")
"""Where clients name the folder that the session was started for. An agent that changes directory does not leave it."""


class Dialect(Value):
    """One client.

    Attributes:
        name: the client.
        injects: the events at which a text for the model arrives.
        encode: an event and an answer to the object that the client takes; None where there is nothing to say to it.
    """

    name: str
    injects: frozenset[str]
    encode: Callable[[str, Said], dict[str, object] | None]

    def read(self, event: str, payload: dict[str, object], environ: dict[str, str]) -> Asked:
        """Return what the client asked.

        Raises:
            Malformed: the payload lacks what the event is about.
        """
        shell = read.text(payload, "command") if event == BEFORE_TOOL else ""
        tool = ""
        if event == BEFORE_TOOL:
            tool = "shell" if shell and "tool_name" not in payload else read.wanted(payload, "tool_name", "toolName")
        return Asked(
            client=self.name,
            event=event,
            session=read.text(payload, "session_id", "sessionId", "conversation_id"),
            turn=read.text(payload, "tool_use_id", "toolUseId", "prompt_id", "turn_id", "generation_id"),
            source=read.text(payload, "source"),
            agent=read.text(payload, "agent_id", "agentId"),
            cwd=read.text(payload, "cwd"),
            folders=_folders(payload, environ),
            prompt=read.wanted(payload, "prompt") if event == PROMPT else "",
            tool=tool,
            given={"command": shell} if shell else read.inner(payload, "tool_input", "toolArgs", "toolInput"),
        )


def _folders(payload: dict[str, object], environ: dict[str, str]) -> tuple[str, ...]:
    named = [environ.get(name, "") for name in FOLDER_VARIABLES]
    named += read.texts(payload, "workspace_roots", "workspaceFolders")
    named.append(read.text(payload, "cwd"))
    return tuple(dict.fromkeys(folder for folder in named if folder))
