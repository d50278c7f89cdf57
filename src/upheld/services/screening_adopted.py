"""The screen over what is sealed without being a change of a key: a migrated store, the words of a trust root."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from upheld.model.draft import FLAG, Draft, Text
from upheld.model.index import Pointer
from upheld.policy.screen import run
from upheld.services.base import Base
from upheld.services.current_instruction import read_instruction
from upheld.services.current_instructions import Surroundings
from upheld.services.every_key import pointers
from upheld.services.gather import read_record
from upheld.services.rules import examples_of
from upheld.services.screening import RECORD_WORDS, Judge, Judged, strings_in
from upheld.wire.root import Root

_WRITING_RULE = ("POL020", "POL021", "POL022", "POL023", "POL024", "POL025")
"""How a text opens. An unsealed store is served as it is today: it is said, and no reason to leave it unsealed."""


def screen_store(base: Base, judge: Judge) -> tuple[Judged, ...]:
    """Judge every text of a store that is to be sealed as it stands; none of them was ever judged.

    The instructions are not compared with one another: they are served side by side already.
    """
    actions = (*judge.policy.actions, *((code, FLAG) for code in _WRITING_RULE))
    judge = judge.replace(policy=judge.policy.replace(actions=actions))
    return tuple(_judged(_adopted(base, pointer), judge) for pointer in pointers(base))


def screen_words(words: Iterable[tuple[str, str]], judge: Judge) -> Judged:
    """Judge names and the like, each with its field: what a trust root says besides numbers and keys."""
    texts = tuple(Text(field=field, text=text) for field, text in words if text)
    return _judged(Draft(key="trust", texts=texts), judge)


def words_of(root: Root) -> tuple[tuple[str, str], ...]:
    """Return the words that people chose in a trust root, each with its dotted path."""
    names = [(f"keys.{key.public_key.key_id[:8]}.name", key.name) for key in root.keys]
    return (*names, ("policy.branch", root.policy.branch or ""))


def _adopted(base: Base, pointer: Pointer) -> Draft:
    found = read_instruction(base, pointer)
    examples, _ = examples_of(base.store, pointer)
    return Draft(
        key=pointer.key,
        texts=tuple(Text(field=field, text=text) for field, text in _texts(base, pointer, found.text if found else "")),
        read_when=pointer.read_when,
        trigger=tuple(strings_in(pointer.trigger)),
        examples=examples.fires,
        counterexamples=examples.nots,
    )


def _texts(base: Base, pointer: Pointer, text: str) -> Iterator[tuple[str, str]]:
    if text:
        yield "text", text
    record = read_record(base.store, pointer.target).record
    for field, name in RECORD_WORDS:
        if record is not None and record.fields.get(name):
            yield field, str(record.fields[name])


def _judged(draft: Draft, judge: Judge) -> Judged:
    full = draft.replace(policy=judge.policy, rejected=judge.remembered.sketches)
    around = Surroundings(instructions=(), total=0, compared=0)
    return Judged(key=draft.key, screening=run(full, now=judge.now), around=around)
