"""import: every Markdown file of a folder becomes a proposal, or says why not. Nothing is written but proposals."""

from __future__ import annotations

from upheld.errors import FaultError, RefusedError, UpheldError
from upheld.model.imported import Imported, ImportedFile
from upheld.model.proposal import Asker
from upheld.policy.front_matter import key_from, split
from upheld.stores.markdown_folder import markdown_files
from upheld.wire.text import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.compose.library import Memory


def import_folder(memory: Memory, folder: str) -> Imported:
    """See ``Memory.import_folder``."""
    return Imported(files=tuple(_one(memory, name, data) for name, data in markdown_files(folder)))


def _one(memory: Memory, name: str, data: bytes | FaultError) -> ImportedFile:
    try:
        if isinstance(data, FaultError):
            raise data
        found = split(decode(data, name))
        key = found.get("key") or key_from(name)
        made = memory.propose(
            key,
            found.text,
            when=found.get("when") or _when(name),
            because=found.get("because") or f"Imported from {name}.",
            owner=found.get("owner"),
            volatility=found.get("volatility"),
            review_on=found.get("review_on"),
            expires_on=found.get("expires_on"),
            source=name,
            asker=Asker(client="upheld", channel="import"),
        )
    except RefusedError as error:
        return ImportedFile(name=name, skipped=error.message)
    except UpheldError as error:
        return ImportedFile(name=name, skipped=f"{error.message}{f' ({error.help})' if error.help else ''}")
    return ImportedFile(name=name, key=made.key, proposal=made.id, notes=made.notes)


def _when(name: str) -> str:
    """A trigger for a file that names none; a person should write a better one before approving it."""
    words = name.rpartition("/")[2].rpartition(".")[0].replace("-", " ").replace("_", " ").strip()
    return f"When the task concerns {words}."
