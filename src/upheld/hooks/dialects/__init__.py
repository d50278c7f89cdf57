"""What each client sends and takes, one file a client. One more client is one file and one line in ``CLIENTS``."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.hooks.dialect import Dialect

CLIENTS = ("claude", "codex", "gemini", "copilot", "cursor", "vscode", "opencode")


def dialect_of(client: str) -> Dialect:
    """Return the dialect of one of ``CLIENTS``; only its own file is loaded."""
    module = __import__(f"upheld.hooks.dialects.{client}", fromlist=["DIALECT"])
    found: Dialect = module.DIALECT
    return found
