"""A program whose lines do not depend on this machine, texts to edit, and what a client would make of them."""

from __future__ import annotations

from upheld.services.connect.clients import CLIENTS
from upheld.services.connect.registration import Program, Settings


def program(folder: str = "/opt/up held/bin") -> Program:
    """How Upheld is run, from an environment whose path has a space in it."""
    return Program(
        hook=lambda client, event: f"'{folder}/python' -I -m upheld hook --client {client} {event}",
        server=lambda client: (f"{folder}/python", "-I", "-m", "upheld", "mcp", "--client-name", client),
    )


def settings(client: str, number: int = 0, folder: str = "/opt/up held/bin") -> Settings:
    """One file of a client's registration, in the user's scope."""
    return CLIENTS[client].files("user", program(folder))[number]
