"""The clients, one a file. One more client is one file and one line in ``CLIENTS``."""

from __future__ import annotations

from upheld.services.connect.clients import claude, codex, copilot, cursor, gemini, instructions, opencode, vscode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.services.connect.registration import Registration

CLIENTS: dict[str, Registration] = {
    one.name: one
    for one in (
        claude.REGISTRATION,
        codex.REGISTRATION,
        gemini.REGISTRATION,
        *instructions.REGISTRATIONS,
        copilot.REGISTRATION,
        cursor.REGISTRATION,
        opencode.REGISTRATION,
        vscode.REGISTRATION,
    )
}
