"""Every exception that Upheld raises on purpose, as one tree.

::

    UpheldError                  exit 70   the root: catch this to catch all of ours
    ├── UsageError               exit 2    the call itself is wrong; nothing was read or written
    ├── NoStoreError             exit 10   no store here, and none pinned at this place
    ├── BusyError                exit 11   another writer holds the store, or it moved under every retry
    ├── NoKeyError               exit 12   no key, a wrong passphrase, or the person said no
    ├── RefusedError             exit 4    raised by ``require()``: carries the refusal it stands for
    ├── ConflictError            exit 4    the base of a write moved meanwhile: names both versions
    ├── CommitUnknownError       exit 70   the pointer may or may not have moved: re-read to settle it
    ├── StorageError             exit 70   the place of a store failed (EIO, ENOSPC, no permission)
    └── FaultError               exit 4    one file cannot be read or parsed: carries code, place and path

Inside the core a governed "no" is a value (a finding, a verdict, a refusal). ``FaultError`` is how ``wire`` and
``stores`` report one unreadable file to the check that asked for it; checks turn it into a finding.
"""

from __future__ import annotations


class UpheldError(Exception):
    """Root of the tree.

    Args:
        message: what is wrong, in one sentence.
        help: the command or act that mends it; empty when there is none.
    """

    exit_code = 70

    def __init__(self, message: str, *, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.help = help


class UsageError(UpheldError):
    """The call is wrong: an unknown option, a value of the wrong form."""

    exit_code = 2


class NoStoreError(UpheldError):
    """There is no store where one was looked for."""

    exit_code = 10


class BusyError(UpheldError):
    """The store is being written, and went on being written through every retry."""

    exit_code = 11


class NoKeyError(UpheldError):
    """Nothing can sign: no key, a wrong passphrase, or a person who declined."""

    exit_code = 12


class RefusedError(UpheldError):
    """``require()`` was asked of a refusal or of a verdict that is not verified."""

    exit_code = 4

    def __init__(self, message: str, *, refusal: object = None, help: str = "") -> None:
        super().__init__(message, help=help)
        self.refusal = refusal


class ConflictError(UpheldError):
    """The base of a write moved meanwhile; ``mine`` and ``theirs`` name both versions.

    ``conflicts`` holds a value for each key that a sync found changed on both sides; it is what ``resolve`` settles.
    """

    exit_code = 4

    def __init__(
        self, message: str, *, mine: str = "", theirs: str = "", help: str = "", conflicts: tuple[object, ...] = ()
    ) -> None:
        super().__init__(message, help=help)
        self.mine = mine
        self.theirs = theirs
        self.conflicts = conflicts


class CommitUnknownError(UpheldError):
    """The replacement of the index may or may not have reached the disk; re-reading settles it."""


class StorageError(UpheldError):
    """The place of a store failed; nothing was committed."""


class FaultError(UpheldError):
    """One file cannot be read or parsed.

    Args:
        code: the finding's code, for example ``FMT004``.
        place: the file, relative to the store.
        path: the dotted path inside the file, empty for the file as a whole.
        detail: what exactly, for a person; never a secret and never unescaped text.
    """

    exit_code = 4

    def __init__(self, code: str, place: str, *, path: str = "", detail: str = "") -> None:
        super().__init__(f"{code}: {place}{': ' + path if path else ''}{': ' + detail if detail else ''}")
        self.code = code
        self.place = place
        self.path = path
        self.detail = detail
