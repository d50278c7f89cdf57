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
    ("SIG020", "root-threshold-not-met", "fewer keys signed this trust root than its rules demand",
     "have the missing holders sign it, or restore the trust root's files", "error"),
    ("SIG021", "root-version-gap", "a trust root is not the next version after the one before it",
     "restore every version of the trust root from `trust/`, or fetch them with `upheld sync --pull`", "error"),
    ("SIG025", "root-other-store", "the trust root belongs to another store",
     "restore this store's own trust root", "error"),
    ("SIG026", "root-digest-mismatch", "the trust root is not the one whose digest is pinned",
     "compare the digest with the store's owner; pin it anew only if they confirm it", "error"),
    ("SIG028", "revocation-withdrawn", "a trust root drops a key from the revoked ones",
     "a revoked key stays revoked: list it again and sign the trust root anew", "error"),
    ("SIG023", "root-malformed", "a field of the trust root is missing, of the wrong form, or contradicts another",
     "restore the trust root's file from version control", "error"),
    ("SIG022", "root-expired", "the trust root has expired",
     "a holder of its keys renews it with `upheld trust renew`", "error"),
    ("SIG024", "revoked-key", "the signature was made with a revoked key",
     "seal again with a key that the trust root lists and has not revoked", "error"),
    ("SIG027", "key-expired", "the signature was made with a key that has expired",
     "seal again with another key, or renew the key with `upheld trust renew`", "error"),
    ("SIG013", "signature-invalid", "the signature does not fit the bytes it stands for",
     "restore the file and its signature together; if nothing was restored, somebody changed the bytes", "error"),
    ("SIG012", "wrong-namespace", "the signature was made for another purpose",
     "sign these bytes for the purpose they serve; a signature is never reused", "error"),
    ("SIG014", "unknown-key", "the signature was made with a key that the trust root does not list",
     "seal with a listed key, or list this one with `upheld trust add-key`", "error"),
    ("SIG015", "user-presence-missing", "a security key signed without being touched",
     "sign again with the touch required (`ssh-keygen -t ed25519-sk` without `-O no-touch-required`)", "error"),
    ("SIG011", "unsupported-algorithm", "a key, signature or hash algorithm is not one that counts here",
     "use an Ed25519 key, plain or on a FIDO device, with SHA-512 or SHA-256", "error"),
    ("SIG016", "public-key-malformed", "a public key is malformed, or one that anybody can sign for",
     "copy the whole line of the `.pub` file again", "error"),
    ("SIG010", "signature-malformed", "a signature file is not an SSH signature in its canonical form",
     "restore the signature from version control, or sign again", "error"),
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
    # --- worth mending, but refusing nothing ----------------------------------------------------------------------
    ("SIG030", "key-usable-without-a-person", "a sealing key signs without a person, so an agent can use it too",
     "demand a passphrase, `ssh-add -c` or a touch for it, or accept it by name", "warning"),
    ("STO007", "unreferenced-file", "a file is there that nothing names; it is never served",
     "remove it, or let `upheld gc` do so after its grace period", "warning"),
)
# fmt: on

_RANK = {"error": 0, "warning": 10_000, "note": 20_000}

CODES: dict[str, Code] = {
    code: Code(code=code, name=name, what=what, help=help_, severity=severity, order=_RANK[severity] + row)
    for row, (code, name, what, help_, severity) in enumerate(_ROWS)
}
