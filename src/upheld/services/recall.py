"""recall: from a key to the one text that governs it, or to a refusal.

The steps are numbered as in docs/explanation/verification.md; 3 to 8 are ``upheld.checks``.
"""

from __future__ import annotations

from upheld.checks import check_chain
from upheld.checks.finding_of import finding_of
from upheld.checks.instruction import instruction
from upheld.checks.trie import pointer_in, retired_in
from upheld.errors import BusyError, FaultError
from upheld.model.answer import Answer, Refusal
from upheld.model.finding import Finding, worst_first
from upheld.model.index import Pointer
from upheld.services.gather import gather, read_pool
from upheld.services.snapshot import decoded, index_bytes, is_still, leaf_of
from upheld.wire import index as wire

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from upheld.model.chain import Chain
    from upheld.model.index import Index, Retired
    from upheld.ports.store import ReadableStore
    from upheld.services.snapshot import Admission

    Admit = Callable[[bytes, Index], Admission]

ATTEMPTS = 5
"""How often a reader starts again when the index moves under it."""


def recall(store: ReadableStore, key: str, *, as_of: str, today: str, admit: Admit) -> Answer | Refusal:
    """Return the verified text of ``key``, or why it is refused.

    Args:
        store: the store to read.
        key: the key, exactly as its pointer spells it.
        as_of: the day to judge dates by; another day than ``today`` makes the answer hypothetical.
        today: the day it is, UTC.
        admit: decides whether this index may be used at all (seal, trusted state, or explicitly unsealed).

    Raises:
        BusyError: the index kept moving through every attempt.
    """
    for _ in range(ATTEMPTS):
        before, outcome = _attempt(store, key, as_of, today, admit)
        # A refusal may only be a commit in flight: it counts if the index is still the one it was found under.
        if isinstance(outcome, Answer) or is_still(store, before):
            return outcome
    raise BusyError("the store kept changing while it was read", help="try again in a moment")


def _attempt(
    store: ReadableStore, key: str, as_of: str, today: str, admit: Admit
) -> tuple[bytes | None, Answer | Refusal]:
    data: bytes | None = None
    findings: list[Finding]
    # 1. The index: read, decoded, admitted.
    try:
        data = index_bytes(store)
        index = decoded(data)
        admission = admit(data, index)
        findings = list(admission.refusals)
        if not findings:
            # 2. The pointer: exactly one entry of the key, on the path its hash leads along.
            entry, findings = entry_of(store, index, key)
            if entry is None and not findings:
                return data, unknown(store, index, key, as_of, today)
            if isinstance(entry, Pointer):
                pool = None if index.is_closed else read_pool(store)
                # 3 to 8. Records, binding, links, sources, dates, bound file.
                chain = gather(store, entry, pool)
                findings = check_chain(chain, as_of)
                if not findings:
                    return data, _answer(chain, entry, index, admission, as_of, today)
            elif entry is not None:
                findings = [_gone(entry)]
    except FaultError as fault:
        findings = [finding_of(fault, key)]
    return data, _refusal(key, findings, as_of, today)


def entry_of(store: ReadableStore, index: Index, key: str) -> tuple[Pointer | Retired | None, list[Finding]]:
    """Step 2: return the one entry of ``key``; no entry and no finding where the index does not know the key."""
    leaf, findings = leaf_of(store, index, key)
    if leaf is None or findings:
        return None, findings
    pointer, findings = pointer_in(leaf, key)
    return (pointer, findings) if pointer is not None or findings else retired_in(leaf, key)


def _gone(retired: Retired) -> Finding:
    facts = (("renamed to", retired.renamed_to),) if retired.renamed_to else ()
    code = "PTR008" if retired.renamed_to else "PTR005"
    return Finding(code=code, place=retired.place, path=retired.path, keys=(retired.key,), facts=facts)


def unknown(store: ReadableStore, index: Index, key: str, as_of: str, today: str) -> Refusal:
    """Refuse a key that the index does not know, with the keys that look like it and whom to ask."""
    from upheld.services.nearest import nearest  # deferred: a served recall never needs it

    near = nearest(store, index, key)
    refusal = _refusal(key, [Finding(code="PTR001", place=wire.PLACE, keys=(key,))], as_of, today)
    return refusal.replace(nearest=near.keys, owner=near.owner)


def _answer(chain: Chain, pointer: Pointer, index: Index, admission: Admission, as_of: str, today: str) -> Answer:
    record, source = chain.current.record, chain.current.source
    if record is None or source is None or source.data is None:  # the checks refuse each of these
        raise AssertionError("an answer needs a record and its source")
    text = source.data.decode("utf-8")
    return Answer(
        outcome="verified" if admission.sealed else "unsealed",
        hypothetical=as_of != today,
        key=pointer.key,
        read_when=pointer.read_when,
        instruction=instruction(text) or "",
        text=text,
        source=record.bound_source or record.durable_source,
        source_sha256=record.source_sha256,
        record_id=record.id,
        last_verified=record.last_verified,
        review_on=record.review_on,
        expires_on=record.expires_on,
        as_of=as_of,
        sealed=admission.sealed,
        version=index.version,
        checked=_checked(chain, admission),
        not_checked=admission.not_checked,
        notices=admission.notices,
    )


def _checked(chain: Chain, admission: Admission) -> tuple[str, ...]:
    count = len(chain.members)
    checked = ["seal"] if admission.sealed else []
    checked += ["pointer", "record digest", "source digest"]
    checked.append(f"supersession chain ({count} record{'s' if count > 1 else ''})")
    checked.append("dates")
    return tuple(checked + (["bound file"] if chain.bound is not None else []))


def _refusal(key: str, findings: list[Finding], as_of: str, today: str) -> Refusal:
    return Refusal(key=key, findings=worst_first(tuple(findings)), as_of=as_of, hypothetical=as_of != today)
