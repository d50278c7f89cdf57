"""The servers that are compared: how each is installed, told something, told better, and asked.

One more peer is one more class here and one line in ``PEERS``. Each keeps its store in one folder of its own, so that
the same two things can be done to all of them: change the stored text, and put an old copy back. Keys and trusted state
that a server keeps elsewhere are left alone, since whoever can write a store need not be able to write those.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol

from line_client import LineClient

FIRST = "The deploy window is Tuesday before noon."
SECOND = "The deploy window is Thursday before noon."


class Peer(Protocol):
    """One server.

    Attributes:
        name: what it is called.
        package: what is installed: ``pip`` or ``npm``, and the requirement.
        needs: the oldest Python that it runs on.
        doubt: by what word an answer of it says that a check failed, where it has one.
    """

    name: str
    package: tuple[str, str]
    needs: tuple[int, int]
    doubt: str

    def command(self, installed: Path) -> list[str]:
        """The command line of the server, installed in this folder."""

    def environment(self, home: Path) -> dict[str, str]:
        """What it needs to see of the environment."""

    def store(self, home: Path) -> Path:
        """The folder of what it stores."""

    def prepare(self, home: Path) -> None:
        """Make what has to be there before the server starts."""

    def teach(self, client: LineClient, home: Path) -> None:
        """Have ``FIRST`` remembered."""

    def correct(self, client: LineClient, home: Path) -> None:
        """Have ``SECOND`` in its place."""

    def recall(self, client: LineClient) -> dict[str, Any]:
        """Ask for the deploy window."""

    def fill(self, client: LineClient, home: Path, notes: Sequence[Note], late: Callable[[], bool]) -> int:
        """Have many notes remembered, until it is late; return how many were. ``prepare`` was called before."""

    def find(self, client: LineClient, note: Note) -> dict[str, Any]:
        """Ask for one of them: by its name, or where the server knows no names, by what its text says."""


class Note(NamedTuple):
    """One of many: its name, its text in one sentence, and what it is about in words of that text."""

    name: str
    text: str
    subject: str


class _Common:
    package: tuple[str, str]
    program: ClassVar[str]
    needs: tuple[int, int] = (3, 11)
    doubt = ""

    def command(self, installed: Path) -> list[str]:
        folder = installed / ("node_modules/.bin" if self.package[0] == "npm" else "bin")
        return [str(folder / self.program)]

    def environment(self, home: Path) -> dict[str, str]:
        return {"HOME": str(home)}

    def prepare(self, home: Path) -> None:
        self.store(home).mkdir(parents=True)

    def store(self, home: Path) -> Path:
        raise NotImplementedError

    def fill(self, client: LineClient, home: Path, notes: Sequence[Note], late: Callable[[], bool]) -> int:
        for number, note in enumerate(notes):
            if late():
                return number
            self.note(client, note)
        return len(notes)

    def note(self, client: LineClient, note: Note) -> None:
        """Have one note remembered."""
        raise NotImplementedError


class Fireweed(_Common):
    """Claims with receipts into registered sources; its keys lie outside the store."""

    name = "fireweed-mcp"
    package = ("pip", "fireweed-mcp")
    program = "fireweed-mcp"
    doubt = "FAILED"

    def store(self, home: Path) -> Path:
        return home / ".fireweed" / "mcp"

    def teach(self, client: LineClient, home: Path) -> None:
        client.call("remember", claim=FIRST, evidence=FIRST, source_id="review", source_text=FIRST)

    def correct(self, client: LineClient, home: Path) -> None:
        client.call("remember", claim=SECOND, evidence=SECOND, source_id="review-2", source_text=SECOND)

    def recall(self, client: LineClient) -> dict[str, Any]:
        return client.call("recall", query="deploy window")

    def note(self, client: LineClient, note: Note) -> None:
        client.call("remember", claim=note.text, evidence=note.text, source_id=note.name, source_text=note.text)

    def find(self, client: LineClient, note: Note) -> dict[str, Any]:
        return client.call("recall", query=note.subject)


class ServerMemory(_Common):
    """The reference server: a graph in one JSON-lines file."""

    name = "server-memory"
    package = ("npm", "@modelcontextprotocol/server-memory")
    program = "mcp-server-memory"

    def environment(self, home: Path) -> dict[str, str]:
        return {"HOME": str(home), "MEMORY_FILE_PATH": str(home / "graph" / "memory.jsonl")}

    def store(self, home: Path) -> Path:
        return home / "graph"

    def teach(self, client: LineClient, home: Path) -> None:
        made = {"name": "deploy-window", "entityType": "instruction", "observations": [FIRST]}
        client.call("create_entities", entities=[made])

    def correct(self, client: LineClient, home: Path) -> None:
        client.call("delete_observations", deletions=[{"entityName": "deploy-window", "observations": [FIRST]}])
        client.call("add_observations", observations=[{"entityName": "deploy-window", "contents": [SECOND]}])

    def recall(self, client: LineClient) -> dict[str, Any]:
        return client.call("open_nodes", names=["deploy-window"])

    def fill(self, client: LineClient, home: Path, notes: Sequence[Note], late: Callable[[], bool]) -> int:
        made = [{"name": note.name, "entityType": "instruction", "observations": [note.text]} for note in notes]
        client.call("create_entities", entities=made)
        return len(notes)

    def find(self, client: LineClient, note: Note) -> dict[str, Any]:
        return client.call("open_nodes", names=[note.name])


class BetterMemory(_Common):
    """Markdown files with a search index beside them, and verdicts on staleness."""

    name = "bettermemory"
    package = ("pip", "bettermemory")
    program = "bettermemory"

    def store(self, home: Path) -> Path:
        return home / ".claude-memory"

    def teach(self, client: LineClient, home: Path) -> None:
        client.call("memory_write", content=FIRST, scopes=["project"])

    def correct(self, client: LineClient, home: Path) -> None:
        listed = client.call("memory_list")["structuredContent"]["result"]
        client.call("memory_update", id=listed[0]["id"], content=SECOND)

    def recall(self, client: LineClient) -> dict[str, Any]:
        return client.call("memory_search", query="deploy window")

    def note(self, client: LineClient, note: Note) -> None:
        client.call("memory_write", content=note.text, scopes=["project"])

    def find(self, client: LineClient, note: Note) -> dict[str, Any]:
        return client.call("memory_search", query=note.subject)


class Inspeximus(_Common):
    """An append-only ledger in one JSON file, recalled by relevance."""

    name = "inspeximus"
    package = ("pip", "inspeximus[mcp]")
    program = "inspeximus-mcp"

    def environment(self, home: Path) -> dict[str, str]:
        return {"HOME": str(home), "INSPEXIMUS_PATH": str(home / "ledger" / "inspeximus_memory.json")}

    def store(self, home: Path) -> Path:
        return home / "ledger"

    def teach(self, client: LineClient, home: Path) -> None:
        client.call("remember", text=FIRST, key="deploy-window")

    def correct(self, client: LineClient, home: Path) -> None:
        client.call("remember", text=SECOND, key="deploy-window")

    def recall(self, client: LineClient) -> dict[str, Any]:
        return client.call("recall", query="deploy window")

    def note(self, client: LineClient, note: Note) -> None:
        client.call("remember", text=note.text, key=note.name)

    def find(self, client: LineClient, note: Note) -> dict[str, Any]:
        return client.call("recall", query=note.subject)


class BasicMemory(_Common):
    """Notes in Markdown with a database beside them."""

    name = "basic-memory"
    package = ("pip", "basic-memory")
    program = "basic-memory"
    needs = (3, 12)

    def command(self, installed: Path) -> list[str]:
        return [*super().command(installed), "mcp"]

    def store(self, home: Path) -> Path:
        return home / "basic-memory"

    def teach(self, client: LineClient, home: Path) -> None:
        client.call("write_note", title="deploy window", content=FIRST, folder="notes")

    def correct(self, client: LineClient, home: Path) -> None:
        client.call("write_note", title="deploy window", content=SECOND, folder="notes")

    def recall(self, client: LineClient) -> dict[str, Any]:
        return client.call("read_note", identifier="deploy window")

    def note(self, client: LineClient, note: Note) -> None:
        client.call("write_note", title=note.name, content=note.text, folder="notes")

    def find(self, client: LineClient, note: Note) -> dict[str, Any]:
        return client.call("read_note", identifier=note.name)


class Upheld(_Common):
    """This project, from the checkout. Only a person writes, so teaching it is done on the command line."""

    name = "upheld"
    package = ("here", "upheld[mcp]")
    program = "upheld"

    def command(self, installed: Path) -> list[str]:
        return [str(Path(sys.executable).parent / "upheld"), "mcp", "--store", ".upheld"]

    def environment(self, home: Path) -> dict[str, str]:
        own = {"XDG_STATE_HOME": "state", "XDG_CONFIG_HOME": "config", "HOME": ""}
        return {**{name: str(home / folder) for name, folder in own.items()}, "SSH_AUTH_SOCK": "", "UPHELD_KEY": ""}

    def store(self, home: Path) -> Path:
        return home / ".upheld"

    def teach(self, client: LineClient, home: Path) -> None:
        self._run(home, "remember", "deploy-window", FIRST, "--when", "deploying to production", "--because", "a")

    def correct(self, client: LineClient, home: Path) -> None:
        self._run(home, "correct", "deploy-window", SECOND, "--because", "The operations review moved it.")

    def recall(self, client: LineClient) -> dict[str, Any]:
        return client.call("recall", key="deploy-window")

    def fill(self, client: LineClient, home: Path, notes: Sequence[Note], late: Callable[[], bool]) -> int:
        """Make the store in one sealed commit, as the other benchmarks do: approving each would take a person."""
        shutil.rmtree(home)
        home.mkdir()
        code = "import sys; from pathlib import Path; from large_store import sealed_store; "
        code += "sealed_store(Path(sys.argv[1]), int(sys.argv[2]))"
        path = str(Path(__file__).parent.parent)
        environment = {**os.environ, **self.environment(home), "PYTHONPATH": path}
        subprocess.run(
            [sys.executable, "-c", code, str(self.store(home)), str(len(notes))], env=environment, check=True
        )
        return len(notes)

    def find(self, client: LineClient, note: Note) -> dict[str, Any]:
        return client.call("recall", key=note.name)

    def prepare(self, home: Path) -> None:
        """Make the store. The key has no passphrase, since a benchmark has no person; that is accepted by name."""
        self._run(home, "init", "--no-passphrase", "--accept", "SIG030", "--automation", "remember,correct")

    def _run(self, home: Path, *arguments: str) -> None:
        program = self.command(home)[0]
        environment = {**os.environ, **self.environment(home)}
        done = subprocess.run(
            [program, *arguments, "--yes"], cwd=home, env=environment, capture_output=True, check=False
        )
        if done.returncode != 0:
            raise RuntimeError(done.stderr.decode())


PEERS: tuple[Peer, ...] = (Upheld(), Fireweed(), ServerMemory(), BetterMemory(), Inspeximus(), BasicMemory())
