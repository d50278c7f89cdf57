"""What ``connect`` and ``disconnect`` did to a client's settings, or would do, or leave to the person."""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.written import FileChange


class Pasted(Value):
    """What belongs into one file: the path, and the text."""

    path: str
    text: str


class Connection(Value):
    """One client and its files.

    Attributes:
        verb: ``connect`` or ``disconnect``. client, title, scope: of what.
        outcome: ``written``, ``planned`` (a dry run), ``unchanged`` or ``printed``.
        changes: every file that changes.
        kept: the copies that were made of files before they changed.
        pasted: what to put where; only when it was asked for.
        notes: what the person must still do, or should know.
    """

    verb: str
    client: str
    title: str
    scope: str
    outcome: str
    changes: tuple[FileChange, ...] = ()
    kept: tuple[str, ...] = ()
    pasted: tuple[Pasted, ...] = ()
    notes: tuple[str, ...] = ()
