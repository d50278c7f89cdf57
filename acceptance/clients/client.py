"""What the harness needs to know of a client."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from acceptance.script import Call
from upheld.model.value import Value


class Package(Value):
    """One package of the registry, pinned.

    Attributes:
        name: its name there.
        version: exactly this one.
        folder: the folder of the cache that it is installed into.
    """

    name: str
    version: str
    folder: str


class Place(Value):
    """Where a client runs: one user with one project.

    Attributes:
        home: the user's home.
        project: the folder that the agent works in.
        programs: the folder where the clients are installed.
    """

    home: Path
    project: Path
    programs: Path


class Session(Value):
    """One headless run.

    Attributes:
        prompt: what the person types.
        model: where the model listens.
        resume: go on with the session before.
        plugin: a folder with a plugin that the client loads besides; nothing for none.
    """

    prompt: str
    model: str
    resume: bool = False
    plugin: str = ""


class Client(Protocol):
    """One agent client, as it is run without a screen."""

    @property
    def name(self) -> str:
        """What ``upheld connect`` calls it."""
        ...

    @property
    def version(self) -> str:
        """Exactly which version is run."""
        ...

    @property
    def packages(self) -> tuple[Package, ...]:
        """What is installed for it."""
        ...

    def prepare(self, place: Place) -> None:
        """Write the settings that a person's own machine would have: the model's provider, and trust in the project."""
        ...

    def trust(self, place: Place) -> None:
        """Give the trust that is the person's to give, after the hooks were registered."""
        ...

    def argv(self, place: Place, session: Session) -> list[str]:
        """The command."""
        ...

    def environment(self, place: Place, session: Session) -> Mapping[str, str]:
        """Its variables, besides those of the user."""
        ...

    def shell(self, command: str) -> Call:
        """How its model runs a command."""
        ...

    def write(self, path: Path, text: str) -> Call:
        """How its model writes a file."""
        ...
