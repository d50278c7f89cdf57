"""The table of codes: what each says, how it is mended, how bad it is.

A code is three letters for the family and three digits, and is never reused. Each has a page (``upheld explain``),
a case in ``conformance/`` and at least one place that emits it; ``tests/test_codes.py`` holds all three to this table.
Rows stand worst first within a severity: where one fault shows as several findings, the first row names it.
"""

from __future__ import annotations

from upheld.model.value import Value


class Code(Value):
    """One row: ``help`` may hold ``{key}`` and ``{place}``; ``order`` is its rank when several findings are shown."""

    code: str
    name: str
    what: str
    help: str
    severity: str
    order: int


# fmt: off
_ROWS: tuple[tuple[str, str, str, str, str], ...] = (
    # --- trust: who sealed this, and is it the newest (SIG, RBK, LOG) ---------------------------------------------
    ("SIG001", "store-unsealed", "the store carries no seal, so nothing says who wrote it",
     "seal it with `upheld migrate`, or read it unverified with `--unsealed`", "error"),
    # --- files and their form (STO, FMT) --------------------------------------------------------------------------
    ("STO002", "unsafe-path", "a path could lead outside the store",
     "correct the path in {place}: a relative path with forward slashes and plain names", "error"),
    ("STO003", "symbolic-link", "a symbolic link stands where a file of the store should be",
     "put the file itself in its place; links are never followed", "error"),
    ("STO004", "not-a-regular-file", "something that is not a regular file stands where one should be",
     "put the file back from version control", "error"),
    ("STO005", "file-too-large", "a file is larger than any file of its kind may be",
     "put the file back from version control, or split the instruction", "error"),
    ("STO006", "file-unreadable", "a file cannot be read",
     "check its permissions and the disk, then try again", "error"),
    ("STO001", "file-missing", "a file that the store names is missing",
     "restore it from version control or with `upheld doctor`; the superseded one is never used instead", "error"),
    ("FMT011", "merge-conflict-marker", "a file holds the markers of an unfinished merge",
     "finish the merge: keep one side whole, then run `upheld verify`", "error"),
    ("FMT002", "byte-order-mark", "a file begins with a byte-order mark",
     "save it as UTF-8 without a byte-order mark, or restore it from version control", "error"),
    ("FMT001", "not-utf8", "a file is not valid UTF-8",
     "restore it from version control, or save it as UTF-8", "error"),
    ("FMT006", "nested-too-deep", "a JSON file is nested deeper than any of its kind may be",
     "restore it from version control", "error"),
    ("FMT003", "malformed-json", "a file is not valid JSON",
     "restore it from version control", "error"),
    ("FMT004", "duplicate-json-key", "a JSON object names the same key twice",
     "keep one of the two; readers disagree about which of them counts", "error"),
    ("FMT005", "number-out-of-range", "a JSON number is not finite or out of range",
     "restore the file from version control", "error"),
    ("FMT010", "lone-surrogate", "a JSON string holds half of a surrogate pair",
     "restore the file from version control", "error"),
    ("FMT009", "control-character", "a text holds control characters",
     "remove them; `upheld explain FMT009` lists what is allowed", "error"),
    ("FMT012", "unknown-schema", "the index says a schema version that this reader does not know",
     "read it with a newer Upheld", "error"),
    ("FMT007", "wrong-type", "a field has the wrong type or form",
     "restore the file from version control", "error"),
    ("FMT008", "missing-field", "a required field is missing",
     "restore the file from version control", "error"),
    # --- pointers (PTR) -------------------------------------------------------------------------------------------
    ("PTR001", "unknown-key", "no pointer has this key",
     "see `upheld index` for the keys that exist; a new instruction belongs in this same store", "error"),
    ("PTR005", "key-retired", "this key was retired",
     "bring it back with `upheld restore {key} --to VERSION` if it applies again", "error"),
    ("PTR008", "key-renamed", "this key was renamed",
     "recall it under its new key", "error"),
    ("PTR002", "duplicate-pointer", "two entries of the index have one key",
     "keep the entry that governs and remove the other", "error"),
    ("PTR007", "misplaced-key", "a key stands in an index node where its hash does not lead",
     "restore the index from version control or with `upheld doctor`", "error"),
    ("PTR006", "index-count-mismatch", "an index node holds more or fewer entries than its parent counted",
     "restore the index from version control or with `upheld doctor`", "error"),
    # --- digests (HSH) --------------------------------------------------------------------------------------------
    ("HSH004", "index-node-digest-mismatch", "a lower node of the index does not match the digest its parent recorded",
     "restore the file from version control or with `upheld doctor`", "error"),
    ("HSH002", "record-digest-mismatch", "the record does not match the digest its pointer recorded",
     "restore the record from version control; records are never edited in place", "error"),
    ("HSH003", "predecessor-digest-mismatch", "a superseded record does not match the digest its successor recorded",
     "restore the record from version control; records are never edited in place", "error"),
    ("HSH001", "source-digest-mismatch", "the source no longer matches the digest its record was verified with",
     "if the change is meant, `upheld correct {key}`; if not, restore the file from version control", "error"),
    ("HSH005", "trigger-digest-mismatch", "the trigger examples do not match the digest their pointer recorded",
     "restore the file from version control", "error"),
    ("PTR003", "pointer-record-mismatch", "the pointer and the record it leads to name different ids",
     "restore the index from version control", "error"),
    ("PTR004", "key-binding-mismatch", "the record was written for another key",
     "restore the index and the records from version control", "error"),
    # --- supersession (SUP, LNK) ----------------------------------------------------------------------------------
    ("SUP004", "invalid-status", "a record's status is neither `current` nor `superseded`",
     "restore the record from version control", "error"),
    ("SUP003", "duplicate-record-id", "two records bear one id",
     "keep the record that the index names and remove the other", "error"),
    ("LNK004", "self-link", "a record names itself as its predecessor or successor",
     "restore the one edge that the two records should describe", "error"),
    ("LNK005", "supersession-cycle", "the supersession links run in a circle and reach no current record",
     "restore the edges that the records should describe", "error"),
    ("LNK006", "two-successors", "two records claim to supersede one record",
     "decide which one governs; correct or remove the other", "error"),
    ("SUP001", "pointer-to-superseded", "the pointer leads to a record that has been superseded",
     "point the index at the current record; the superseded one is never served", "error"),
    ("SUP002", "two-current-records", "more than one current record belongs to this key",
     "mark the losing record superseded and link both ends", "error"),
    ("SUP005", "current-with-successor", "a record says it is current and also names a successor",
     "decide which is true: restore the record or finish the correction", "error"),
    ("SUP006", "superseded-without-successor", "a superseded record names no successor",
     "restore the edge in both records", "error"),
    ("LNK001", "supersedes-unresolved", "a record supersedes one that is not there",
     "restore the predecessor from version control", "error"),
    ("LNK002", "superseded-by-unresolved", "a record is superseded by one that is not there",
     "restore the successor from version control", "error"),
    ("LNK003", "links-disagree", "the two ends of a supersession do not name each other",
     "restore the one edge that both records should describe; do not guess it from the dates", "error"),
    # --- sources (SRC) --------------------------------------------------------------------------------------------
    ("SRC002", "bound-source-behind", "the bound file holds an earlier version of the instruction",
     "update the file from its branch, or take the earlier text back with `upheld restore {key}`", "error"),
    ("SRC004", "bound-source-missing", "the bound file is not there",
     "restore {place}, or move the instruction into the store with `upheld correct {key}`", "error"),
    ("SRC001", "bound-source-changed", "the bound file is no longer the bytes that were verified",
     "if the change is meant, `upheld correct {key}`; if not, restore the file", "error"),
    ("SRC003", "source-without-instruction", "the source holds no line that is neither blank nor a heading",
     "write the instruction with `upheld correct {key}`", "error"),
    # --- dates (DAT) ----------------------------------------------------------------------------------------------
    ("DAT003", "date-malformed", "a date is not a real day written as YYYY-MM-DD",
     "restore the record from version control", "error"),
    ("DAT004", "dates-out-of-order", "the dates of a record contradict each other",
     "restore the record; the order is recorded, verified, review, expiry", "error"),
    ("DAT005", "date-in-the-future", "a record says it was made or verified on a day that has not come yet",
     "check the clocks of this machine and of whoever wrote the record (days are UTC)", "error"),
    ("DAT002", "record-expired", "the record has expired",
     "a person checks it against reality: `upheld review {key}` or `upheld correct {key}`", "error"),
    ("DAT001", "review-due", "the record's review is due",
     "a person checks it against reality: `upheld review {key}`", "error"),
    # --- triggers (TRG) -------------------------------------------------------------------------------------------
    ("TRG001", "malformed-matcher", "a matcher of a trigger is malformed, so it never fires",
     "correct it in the trigger of `{key}`; `upheld explain TRG001` shows the forms", "error"),
    ("TRG002", "blanket-matcher", "a matcher of a trigger would fire on everything",
     "name what `{key}` governs: a folder, a suffix, a program, a telling word", "error"),
    ("TRG003", "empty-statement", "a sentence or example of a trigger holds no word",
     "write when `{key}` applies, in words", "error"),
    ("TRG004", "contradicting-examples", "one example both must and must not fire the same pointer",
     "keep it on one side: `upheld triggers add {key} --fires` or `--not`", "error"),
    ("TRG005", "unresolved-relation", "a trigger names a key that is not another pointer of this store",
     "correct `together_with` or `overrides` of `{key}`", "error"),
    ("TRG006", "colliding-triggers", "two pointers claim the same task, so it will always be ambiguous",
     "tell them apart, or say `together_with` or `overrides` in the trigger of `{key}`", "warning"),
    ("TRG007", "negatives-keep-colliding", "negatives of a pointer keep resembling what fires it",
     "give `{key}` a structured trigger: paths, tools, commands, or `not_when`", "warning"),
    # --- worth mending, but refusing nothing ----------------------------------------------------------------------
    ("STO007", "unreferenced-file", "a file is there that nothing names; it is never served",
     "remove it, or let `upheld gc` do so after its grace period", "warning"),
)
# fmt: on

_RANK = {"error": 0, "warning": 10_000, "note": 20_000}

CODES: dict[str, Code] = {
    code: Code(code=code, name=name, what=what, help=help_, severity=severity, order=_RANK[severity] + row)
    for row, (code, name, what, help_, severity) in enumerate(_ROWS)
}
