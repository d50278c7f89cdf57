"""The one door that every text passes before it is sealed or proposed: gather what it is compared with, run the screen.

``screen_change`` takes a change that is worked out already and finds every text in it by itself (the served text, the
record's words, the trigger, the examples), so no verb can forget one. ``screen_proposal`` judges a proposal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from upheld.errors import FaultError
from upheld.model.answer import Refusal
from upheld.model.change import Change
from upheld.model.draft import Draft, Screening, ScreenPolicy, Text
from upheld.model.index import Pointer
from upheld.model.proposal import Proposal
from upheld.model.remembered import Remembered
from upheld.model.value import Value
from upheld.policy.screen import run
from upheld.policy.shingles import fingerprints
from upheld.services.base import Base
from upheld.services.current_instructions import Surroundings, examples_held, surroundings
from upheld.services.gather import read_record, with_source
from upheld.wire import examples as wire_examples
from upheld.wire import record as wire_record

_RECORD = (("because", "change_reason"), ("evidence", "evidence"), ("owner", "owner"), ("reviewed_by", "reviewed_by"))


class Judge(Value):
    """What the screen needs besides the text and the store.

    Attributes:
        policy: limits and actions. remembered: what was rejected and served here.
        now: a monotonic clock, in seconds.
        would_fire: given a task, the keys that it would fire; None where no router is at hand.
    """

    now: Callable[[], float]
    policy: ScreenPolicy = ScreenPolicy()
    remembered: Remembered = Remembered()
    would_fire: Callable[[str], Iterable[str]] | None = None


class Judged(Value):
    """What the screen says of one key's texts, and how much of the store it was compared with."""

    key: str
    screening: Screening
    around: Surroundings

    @property
    def notes(self) -> tuple[str, ...]:
        """One line for each flag, and one where the comparison was cut short."""
        made = [
            f"look twice: {finding.code} {finding.entry.what}{_facts(finding.facts)}"
            for finding in self.screening.findings
        ]
        read, total = len(self.around.instructions), self.around.total
        if read < total:
            made.append(f"`{self.key}` was compared with {read:,} of {total:,} instructions, the likeliest first")
        return tuple(made)


def screen_change(base: Base, change: Change, judge: Judge) -> tuple[Judged, ...]:
    """Judge every text that a change brings, one draft a key.

    A text that the touched keys hold already is not brought by the change: a key can be retired, renamed or redacted
    whatever it says. An echo of what was served is no fault here, since restoring and renaming say again what was
    said; it is one in a proposal (``screen_proposal``).

    Args:
        base: the version that the change was made from.
        change: the change, worked out in full.
        judge: policy, memory and clock.
    """
    gone = frozenset(key for key, entry in change.entries.items() if entry is None)
    touched = {**{k: e for k, e in change.retired.items() if e is not None}, **_present(change.entries)}
    held = _held(base, {*touched, *gone})
    drafts = [_draft_of(change, key, entry, held) for key, entry in touched.items()]
    return tuple(_judged(base, draft, judge, gone - {draft.key}) for draft in drafts)


def screen_proposal(base: Base, proposal: Proposal, judge: Judge, *, pending: int = 0, recent: int = 0) -> Judged:
    """Judge a proposal: all its texts, an echo of what was served or is current, and how many there are.

    Args:
        base: the admitted version.
        proposal: what is wanted.
        judge: policy, memory and clock.
        pending: how many proposals wait.
        recent: how many this proposer made in the last hour.
    """
    texts = [("text", proposal.text), ("because", proposal.because), ("owner", proposal.owner)]
    texts += [("source", proposal.source), *(_asker(proposal))]
    draft = Draft(
        key=proposal.key,
        texts=tuple(Text(field=field, text=text) for field, text in texts if text),
        read_when=proposal.read_when,
        examples=proposal.fires,
        counterexamples=proposal.nots,
        pending=pending,
        recent=recent,
    )
    return _judged(base, draft, judge, frozenset(), echo=True)


def demand(judged: Iterable[Judged], today: str) -> None:
    """Insist that nothing is refused.

    Raises:
        RefusedError: it carries every finding that refuses.
    """
    for one in judged:
        if one.screening.refused:
            refusing = tuple(r.finding for r in one.screening.results if r.action == "refuse")
            Refusal(key=one.key, findings=refusing, as_of=today).require()


def _judged(base: Base, draft: Draft, judge: Judge, without: frozenset[str], *, echo: bool = False) -> Judged:
    words = " ".join([draft.key, draft.read_when, *(text.text for text in draft.texts if text.field == "text")])
    around = surroundings(base, draft.key, words[:_MAX_NEIGHBOUR_TEXT], without=without)
    served: frozenset[str] = frozenset()
    if echo:
        current = (fingerprints(one.text) for one in around.instructions)
        served = frozenset(judge.remembered.served).union(*current)
    full = draft.replace(
        current=around.instructions,
        served_fingerprints=served,
        rejected=judge.remembered.sketches,
        would_fire=judge.would_fire,
        policy=judge.policy,
    )
    return Judged(key=draft.key, screening=run(full, now=judge.now), around=around)


_MAX_NEIGHBOUR_TEXT = 4_000
"""How many characters of a draft its neighbours are looked for by."""


def _draft_of(change: Change, key: str, entry: Mapping[str, object], held: frozenset[str]) -> Draft:
    record = _record(change, entry)
    texts = [Text(field=field, text=str(record[name])) for field, name in _RECORD if record.get(name)]
    source = change.files.get(str(record.get("durable_source", "")))
    if source is not None:
        texts.insert(0, Text(field="text", text=source.decode("utf-8", "surrogateescape")))
    read_when = str(entry.get("read_when", ""))
    examples = _examples(change, entry, key)
    return Draft(
        key=key,
        texts=tuple(text for text in texts if text.text not in held),
        read_when="" if read_when in held else read_when,
        trigger=tuple(text for text in _strings(entry.get("trigger")) if text not in held),
        examples=tuple(text for text in examples.fires if text not in held),
        counterexamples=tuple(text for text in examples.nots if text not in held),
    )


def _held(base: Base, keys: Iterable[str]) -> frozenset[str]:
    """Return every text that these keys hold today."""
    found: set[str] = set()
    for key in keys:
        entry = base.pointer(key) or base.retired(key)
        if entry is None:
            continue
        found.add(str(entry.fields.get("read_when", "")))
        found.update(_strings(entry.fields.get("trigger")))
        member = with_source(base.store, read_record(base.store, entry.target), keep=True)
        if member.record is not None:
            found.update(str(member.record.fields.get(name) or "") for _, name in _RECORD)
        if member.source is not None and member.source.data is not None:
            found.add(member.source.data.decode("utf-8", "surrogateescape"))
        if isinstance(entry, Pointer):
            examples = examples_held(base, entry)
            found.update((*examples.fires, *examples.nots))
    return frozenset(found)


def _record(change: Change, entry: Mapping[str, object]) -> Mapping[str, object]:
    target = str(entry.get("target", ""))
    data = change.files.get(target)
    return wire_record.decode(data, target)[0].fields if data is not None else {}


def _examples(change: Change, entry: Mapping[str, object], key: str) -> wire_examples.Examples:
    place = wire_examples.place_of(key, str(entry.get("trigger_sha256") or ""))
    data = change.files.get(place)
    if data is None:
        return wire_examples.Examples()
    try:
        return wire_examples.decode(data, place)
    except FaultError:
        # Not in our form, so nothing of ours reads it; every text in it is judged all the same.
        return wire_examples.Examples(fires=(data.decode("utf-8", "surrogateescape"),))


def _strings(value: object) -> Iterator[str]:
    """Yield every text in a structured trigger, names of fields too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield str(name)
            yield from _strings(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _strings(inner)


def _present(entries: Mapping[str, Mapping[str, object] | None]) -> dict[str, Mapping[str, object]]:
    return {key: entry for key, entry in entries.items() if entry is not None}


def _asker(proposal: Proposal) -> list[tuple[str, str]]:
    asker = proposal.asker
    return [(f"asker.{name}", str(getattr(asker, name))) for name in ("client", "agent", "session", "channel", "words")]


def _facts(facts: tuple[tuple[str, str], ...]) -> str:
    return f" ({'; '.join(f'{label} {text}' for label, text in facts[:3])})" if facts else ""
