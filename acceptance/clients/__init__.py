"""The clients, one a file: which packages, how it is started, and how its model is asked to act."""

from __future__ import annotations

from acceptance.clients.claude import Claude
from acceptance.clients.client import Client
from acceptance.clients.codex import Codex
from acceptance.clients.gemini import Gemini

CLIENTS: tuple[Client, ...] = (Claude(), Codex(), Gemini())
