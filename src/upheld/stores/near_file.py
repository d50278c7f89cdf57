"""The near index of a place: one SQLite file in this user's state folder, derived from the store.

It holds marks of words and keys, no text. Losing it costs time, so it is never fsynced; a file that is damaged, or that
somebody else could have written, is made anew.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from struct import pack, unpack

from upheld.errors import StorageError
from upheld.model.near import Document, NearEntry, NearHit, OddKey
from upheld.ports.near import Near
from upheld.stores.place import mark_of

FOLDER = "near"
_VERSION = 3
_WAIT_SECONDS = 2.0
_SCHEMA = """
    CREATE TABLE node (prefix TEXT PRIMARY KEY, sha256 TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE entry (
        id INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL, hash TEXT NOT NULL, mark TEXT NOT NULL, ties BLOB NOT NULL
    );
    CREATE INDEX entry_hash ON entry (hash);
    CREATE TABLE odd (key TEXT PRIMARY KEY, hash TEXT NOT NULL, folded TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX odd_folded ON odd (folded);
    CREATE TABLE document (
        id INTEGER PRIMARY KEY, entry INTEGER NOT NULL, size INTEGER NOT NULL, whole INTEGER NOT NULL,
        terms BLOB NOT NULL
    );
    CREATE INDEX document_entry ON document (entry);
    CREATE INDEX document_whole ON document (whole);
    CREATE TABLE posting (term INTEGER NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (term, document)) WITHOUT ROWID;
    CREATE TABLE tie (mark INTEGER NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (mark, entry)) WITHOUT ROWID;
"""


def near_file(root: str, place: str) -> str:
    """Return the file of a place's near index below the state folder ``root``."""
    return os.path.join(root, FOLDER, mark_of(place) + ".sqlite")


class NearFile:
    """The near index in ``file``; it is made where it is missing."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._open: sqlite3.Connection | None = None

    def close(self) -> None:
        """Let go of the file."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def node(self, prefix: str) -> str | None:
        """See ``Near.node``."""
        with self._reading() as opened:
            row = opened.execute("SELECT sha256 FROM node WHERE prefix = ?", (prefix,)).fetchone()
        return None if row is None else str(row[0])

    def marks(self, prefix: str) -> Mapping[str, str]:
        """See ``Near.marks``."""
        with self._reading() as opened:
            rows = opened.execute("SELECT key, mark FROM entry WHERE hash >= ? AND hash < ?", _below(prefix))
            return {str(key): str(mark) for key, mark in rows}

    def put(
        self, prefix: str, sha256: str, changed: Iterable[NearEntry], gone: Iterable[str], odd: Iterable[OddKey] = ()
    ) -> None:
        """See ``Near.put``."""
        made = tuple(changed)
        with self._reading() as opened, opened:
            for key in (*gone, *(entry.key for entry in made)):
                _remove(opened, key)
            for entry in made:
                _add(opened, entry)
            opened.execute("DELETE FROM odd WHERE hash >= ? AND hash < ?", _below(prefix))
            rows = [(one.key, one.hash, one.folded) for one in odd]
            opened.executemany("INSERT OR REPLACE INTO odd VALUES (?, ?, ?)", rows)
            opened.execute("DELETE FROM node WHERE prefix >= ? AND prefix < ?", _below(prefix))
            opened.execute("INSERT OR REPLACE INTO node VALUES (?, ?)", (prefix, sha256))

    def known(self, prefix: str, sha256: str) -> None:
        """See ``Near.known``."""
        with self._reading() as opened, opened:
            opened.execute("INSERT OR REPLACE INTO node VALUES (?, ?)", (prefix, sha256))

    def folding_to(self, folded: str) -> tuple[str, ...]:
        """See ``Near.folding_to``."""
        with self._reading() as opened:
            rows = opened.execute("SELECT key FROM odd WHERE folded = ? LIMIT 100", (folded,))
            return tuple(str(key) for (key,) in rows)

    def tied(self, ties: Iterable[int]) -> tuple[str, ...]:
        """See ``Near.tied``."""
        query = "SELECT e.key FROM tie t JOIN entry e ON e.id = t.entry WHERE t.mark = ?"
        with self._reading() as opened:
            return tuple(sorted({str(key) for mark in ties for (key,) in opened.execute(query, (mark,))}))

    def look(self, document: Document, most: int) -> tuple[list[NearHit], int]:
        """See ``Near.look``."""
        with self._reading() as opened:
            chosen = _rarest(opened, document, most)
            shared = _shared(opened, chosen)
            same = {int(row[0]) for row in opened.execute(_SAME, (document.whole,))}
            for one in same:
                shared.setdefault(one, len(document.terms))
            skipped = len(document.terms) - len(chosen)
            sizes = {one: size for part in _parts(list(shared)) for one, size in opened.execute(*_sizes(part))}
            # What shares less than half of the smaller of the two is nothing's like (``policy.near.closeness``).
            enough = {
                one: size
                for one, size in sizes.items()
                if one in same or 2 * (shared[one] + skipped) >= min(size, len(document.terms))
            }
            keys = {one: key for part in _parts(list(enough)) for one, key in opened.execute(*_keys(part))}
        hits = [NearHit(key=keys[one], size=size, shared=shared[one], same=one in same) for one, size in enough.items()]
        return hits, skipped

    def count(self) -> int:
        """See ``Near.count``."""
        with self._reading() as opened:
            return int(opened.execute("SELECT count(*) FROM entry").fetchone()[0])

    @contextlib.contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            if self._open is None:
                self._open = _opened(self._file)
            yield self._open
        except sqlite3.OperationalError as error:  # locked, a full disk: it may be sound
            self.close()
            raise StorageError(f"the near index cannot be used: {error}") from None
        except (sqlite3.Error, OSError) as error:
            self.close()
            with contextlib.suppress(OSError):
                os.unlink(self._file)
            raise StorageError(f"the near index is damaged, and is made anew: {error}") from None


_SAME = "SELECT id FROM document WHERE whole = ? LIMIT 100"
_AT_ONCE = 500


def _opened(file: str) -> sqlite3.Connection:
    os.makedirs(os.path.dirname(file), mode=0o700, exist_ok=True)
    # SQLite would make the file with the umask's rights, and follow a link.
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(file, flags, 0o600)
    try:
        status = os.fstat(descriptor)
        if hasattr(os, "geteuid") and (status.st_uid != os.geteuid() or status.st_mode & 0o022):
            raise OSError("others could have written it")
    finally:
        os.close(descriptor)
    opened = sqlite3.connect(file, timeout=_WAIT_SECONDS)
    opened.execute("PRAGMA synchronous = OFF")
    opened.execute("PRAGMA secure_delete = ON")
    version = opened.execute("PRAGMA user_version").fetchone()[0]
    if version == 0:
        opened.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {_VERSION}; COMMIT;")
    elif version != _VERSION:
        opened.close()
        raise sqlite3.DatabaseError("it is of another version")
    return opened


def _below(prefix: str) -> tuple[str, str]:
    """Return the first text that begins with ``prefix`` and the first after all of them; digits are hexadecimal."""
    return prefix, prefix + "g"


def _remove(opened: sqlite3.Connection, key: str) -> None:
    found = opened.execute("SELECT id, ties FROM entry WHERE key = ?", (key,)).fetchone()
    if found is None:
        return
    row = found[:1]
    pairs = ((mark, *row) for mark in _unpacked(found[1]))
    opened.executemany("DELETE FROM tie WHERE mark = ? AND entry = ?", pairs)
    for document, terms in opened.execute("SELECT id, terms FROM document WHERE entry = ?", row).fetchall():
        pairs = ((term, document) for term in _unpacked(terms))
        opened.executemany("DELETE FROM posting WHERE term = ? AND document = ?", pairs)
    opened.execute("DELETE FROM document WHERE entry = ?", row)
    opened.execute("DELETE FROM entry WHERE id = ?", row)


def _add(opened: sqlite3.Connection, entry: NearEntry) -> None:
    number = opened.execute(
        "INSERT INTO entry (key, hash, mark, ties) VALUES (?, ?, ?, ?)",
        (entry.key, entry.hash, entry.mark, _packed(entry.ties)),
    ).lastrowid
    opened.executemany("INSERT INTO tie VALUES (?, ?)", ((mark, number) for mark in entry.ties))
    for one in entry.documents:
        row = (number, len(one.terms), one.whole, _packed(one.terms))
        document = opened.execute("INSERT INTO document (entry, size, whole, terms) VALUES (?, ?, ?, ?)", row).lastrowid
        opened.executemany("INSERT INTO posting VALUES (?, ?)", ((term, document) for term in one.terms))


def _packed(marks: Iterable[int]) -> bytes:
    listed = sorted(marks)
    return pack(f">{len(listed)}q", *listed)


def _unpacked(data: bytes) -> tuple[int, ...]:
    return unpack(f">{len(data) // 8}q", data)


def _rarest(opened: sqlite3.Connection, document: Document, most: int) -> list[int]:
    """Return the rarest terms, as many as have no more than ``most`` postings together."""
    often = []
    for term in document.terms:
        count = "SELECT count(*) FROM (SELECT 1 FROM posting WHERE term = ? LIMIT ?)"
        often.append((int(opened.execute(count, (term, most + 1)).fetchone()[0]), term))
    chosen, left = [], most
    for found, term in sorted(often):
        left -= found
        if left < 0:
            break
        chosen.append(term)
    return chosen


def _shared(opened: sqlite3.Connection, terms: list[int]) -> dict[int, int]:
    """Return how many of the terms each document has."""
    shared: dict[int, int] = {}
    for term in terms:
        for (document,) in opened.execute("SELECT document FROM posting WHERE term = ?", (term,)):
            shared[document] = shared.get(document, 0) + 1
    return shared


def _parts(documents: list[int]) -> Iterator[list[int]]:
    return (documents[start : start + _AT_ONCE] for start in range(0, len(documents), _AT_ONCE))


def _sizes(documents: list[int]) -> tuple[str, list[int]]:
    return f"SELECT id, size FROM document WHERE id IN ({_marks(documents)})", documents  # noqa: S608 - question marks


def _keys(documents: list[int]) -> tuple[str, list[int]]:
    joined = "SELECT d.id, e.key FROM document d JOIN entry e ON e.id = d.entry"
    return f"{joined} WHERE d.id IN ({_marks(documents)})", documents


def _marks(documents: list[int]) -> str:
    return ",".join("?" * len(documents))


_: type[Near] = NearFile
