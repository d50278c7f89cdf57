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
    # --- the screen: what may be written (POL); `error` refuses and `warning` flags, unless the policy says otherwise --
    ("POL001", "screen-failed", "a check of the screen failed or ran out of time, so this text was not judged",
     "try again; if it fails again, shorten the text, and report it with the check's name", "error"),
    ("POL002", "text-too-large", "a text is larger than its kind may be",
     "shorten it, or split it into instructions with keys of their own", "error"),
    ("POL003", "too-many-proposals", "more is waiting, or has just been asked, than the policy allows",
     "clear the inbox with `upheld inbox --review`, or wait", "error"),
    ("POL004", "secret-in-text", "a text holds what looks like a key, a token or a password",
     "take it out and say where it is kept instead; if it was real, replace it at its provider", "error"),
    ("POL005", "control-character-in-draft", "a text holds control characters or hidden line breaks",
     "remove the characters listed; only line feeds and tabs may stand in a text", "error"),
    ("POL006", "bidirectional-control", "a text holds characters that reorder what is shown",
     "remove the characters listed", "error"),
    ("POL007", "tag-character", "a text holds tag characters or variation selectors that can carry hidden text",
     "remove the characters listed", "error"),
    ("POL008", "invisible-character", "a text holds characters that cannot be seen",
     "remove the characters listed, or let the policy allow them by code point", "error"),
    ("POL009", "private-use-character", "a text holds private-use characters, which mean nothing outside one font",
     "remove the characters listed, or let the policy allow them by code point", "error"),
    ("POL010", "unassigned-character", "a text holds noncharacters or code points that stand for nothing yet",
     "remove the characters listed, or let the policy allow them by code point", "error"),
    ("POL011", "stacked-marks", "a text piles more combining marks on one letter than any language does",
     "remove the marks", "error"),
    ("POL012", "not-nfc", "a text is not in Unicode normal form C, so equal texts could have unequal bytes",
     "normalise it to NFC; the first places are listed", "error"),
    ("POL013", "mixed-scripts", "a word mixes letters of scripts that look alike, or only looks like another word",
     "write the word in one script; the odd letters are listed", "error"),
    ("POL014", "role-marker", "a text holds a role tag or a token of a chat template",
     "write it in words; what a model could take for a change of speaker is not kept", "error"),
    ("POL015", "forged-frame", "a text holds a delimiter like those that Upheld frames its answers with",
     "take the delimiter out; a copy of an answer is no instruction", "error"),
    ("POL016", "broken-fence", "a text opens or closes a block that it does not own",
     "close every fence and comment that the text opens, and take out lines that pretend to end it", "error"),
    ("POL017", "agent-override", "a text tells the agent to drop its instructions, to send data away or to hide what it does",
     "write down the rule itself, in plain words", "error"),
    ("POL018", "echo-of-served-text", "a text repeats what the store itself served",
     "correct the instruction that it came from, if that is meant: `upheld correct KEY`", "error"),
    ("POL019", "rejected-before", "a person has rejected this text, or one very like it",
     "a person may lift the rejection; an agent may not", "error"),
    ("POL020", "text-without-instruction", "a text holds no line that is neither blank nor a heading",
     "write the instruction as a line of its own", "error"),
    ("POL021", "instruction-is-front-matter", "the first served line belongs to front matter",
     "remove the front matter; its fields belong in the record", "error"),
    ("POL022", "instruction-is-comment", "the first served line is a comment",
     "remove the comment, or put it below the instruction", "error"),
    ("POL023", "instruction-after-hashtag", "a line that begins with `#` and is no heading stands before the instruction",
     "put a space after its `#` if it is a heading; otherwise put it below the instruction", "error"),
    ("POL024", "instruction-not-a-sentence", "the first served line is a fence, a rule, a table or an underlined heading",
     "put the instruction first, as a line of its own", "error"),
    ("POL025", "instruction-wraps", "the first served line is half of a wrapped paragraph",
     "write the instruction on one line", "error"),
    # --- worth mending, but refusing nothing ----------------------------------------------------------------------
    ("STO007", "unreferenced-file", "a file is there that nothing names; it is never served",
     "remove it, or let `upheld gc` do so after its grace period", "warning"),
    # --- the screen: shown to the person who decides (POL) --------------------------------------------------------
    ("POL040", "suspect-phrase", "a text speaks to the agent in words that attacks use, and ordinary texts seldom do",
     "read it twice: who would want the agent to do this?", "warning"),
    ("POL041", "blanket-trigger", "a trigger names no task, so it would fire on everything",
     "say in which task it applies: `--when \"writing customer-facing copy\"`", "warning"),
    ("POL042", "trigger-takeover", "a trigger would fire on another pointer's examples",
     "make the two triggers differ, or correct the other instruction", "warning"),
    ("POL043", "stuffed-text", "a text repeats its words so often that it seems written for a ranking",
     "say it once", "warning"),
    ("POL044", "likely-contradiction", "a text seems to say the opposite of a current instruction",
     "if it should replace the other, correct that one instead", "warning"),
    ("POL045", "near-duplicate", "a text says nearly the same as a current instruction",
     "correct the other instruction instead of writing a second one", "warning"),
)
# fmt: on

_RANK = {"error": 0, "warning": 10_000, "note": 20_000}

CODES: dict[str, Code] = {
    code: Code(code=code, name=name, what=what, help=help_, severity=severity, order=_RANK[severity] + row)
    for row, (code, name, what, help_, severity) in enumerate(_ROWS)
}
