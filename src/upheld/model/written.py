"""What a writing verb did, or would do."""

from __future__ import annotations

from upheld.model.value import Value


class FileChange(Value):
    """One file that a commit makes, replaces or takes away.

    Attributes:
        was: its name before; None for a new file.
        name: its name from now on; None for one that goes.
        before, after: its bytes then and from now on; empty where there are none.
        is_hidden: its bytes are not shown: they may be what is to be got rid of.
    """

    was: str | None
    name: str | None
    before: bytes
    after: bytes
    is_hidden: bool = False


class Served(Value):
    """What a change means for one key, in plain words.

    Attributes:
        key: the key.
        before, after: the text that is served, and that would be; empty for none. Equal where it stays.
        read_when, was_read_when: the sentence of the trigger, and what it was.
        matchers: what else of its trigger is new. fires, nots: examples that are new.
        because, evidence: what the record will say.
        review_on, expires_on: days.
    """

    key: str
    before: str = ""
    after: str = ""
    read_when: str = ""
    was_read_when: str = ""
    matchers: tuple[str, ...] = ()
    fires: tuple[str, ...] = ()
    nots: tuple[str, ...] = ()
    because: str = ""
    evidence: str = ""
    review_on: str = ""
    expires_on: str = ""


class Written(Value):
    """The outcome of one verb that writes.

    Attributes:
        outcome: ``written``, or ``planned`` (a dry run, or what a person is asked about).
        verb: the command. key: the key that it was about; empty where it is about the store.
        version: the store's version after it; index_sha256: the digest of that version's index, empty when planned.
        record_id, record_sha256: the record that the key leads to from now on; empty where there is none.
        review_on, expires_on: days, of that record.
        changes: every file, in the order of their names, the index last.
        served: the same for each key in plain words, where it is about keys.
        notes: what the person should know besides.
        warning: what did not go as it should although the change is committed.
    """

    outcome: str
    verb: str
    key: str
    version: int
    index_sha256: str = ""
    record_id: str = ""
    record_sha256: str = ""
    review_on: str = ""
    expires_on: str = ""
    changes: tuple[FileChange, ...] = ()
    served: tuple[Served, ...] = ()
    notes: tuple[str, ...] = ()
    warning: str = ""
