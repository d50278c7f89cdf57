"""The one door that every text passes before it is sealed or proposed: gather what it is compared with, run the screen.

``screen_change`` takes a change that is worked out already and finds every text in it by itself (the served text, the
record's words, the trigger, the examples), so no verb can forget one. ``screen_proposal`` judges a proposal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from upheld.errors import FaultError
from upheld.model.answer import Refusal
from upheld.model.change import Change
from upheld.model.draft import CurrentInstruction, Draft, Screening, ScreenPolicy, Text
from upheld.model.index import Pointer
from upheld.model.proposal import Proposal
from upheld.model.remembered import Remembered
from upheld.model.route import Rule, Trigger
from upheld.model.value import Value
from upheld.policy.screen import run
from upheld.policy.shingles import fingerprints
from upheld.ports.near import Near
from upheld.routing.fired import trial
from upheld.services.base import Base
from upheld.services.current_instruction import examples_held
from upheld.services.current_instructions import Surroundings, Wanted, surroundings
from upheld.services.gather import read_record, with_source
from upheld.wire import examples as wire_examples
from upheld.wire import record as wire_record
from upheld.wire.trigger import decode_trigger

NEAR_SECONDS = 2.0
"""How long one screening reads in what the near index does not know yet."""
LOOK_TWICE = "look twice:"
"""How a note begins that says what a person should read again."""
RECORD_WORDS = (
    ("because", "change_reason"),
    ("evidence", "evidence"),
    ("owner", "owner"),
    ("reviewed_by", "reviewed_by"),
)
"""The words of a record: as the screen calls them, and as the record does."""


class Judge(Value):
    """What the screen needs besides the text and the store.

    Attributes:
        policy: limits and actions. remembered: what was rejected and served here.
        now: a monotonic clock, in seconds.
        would_fire: given a task, the keys that it fires today, or None where the route index is damaged; None in its
            stead where there is no route index of this version.
        near: what finds the like of a text in a large store; None where there is nothing of the kind.
    """

    now: Callable[[], float]
    policy: ScreenPolicy = ScreenPolicy()
    remembered: Remembered = Remembered()
    would_fire: Callable[[str], Iterable[str] | None] | None = None
    near: Near | None = None


class Judged(Value):
    """What the screen says of one key's texts, and how much of the store it was compared with.

    Attributes:
        key: whose texts they are.
        screening: what it says.
        around: what they were compared with.
        also_fires: other keys that the new statements of its trigger fire today; None where that could not be found
            out, for there is no route index of this version, or it is damaged.
    """

    key: str
    screening: Screening
    around: Surroundings
    also_fires: tuple[str, ...] | None = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """One line for each flag, and one where the comparison was cut short."""
        made = [
            f"{LOOK_TWICE} {finding.code} {finding.entry.what}{_facts(finding.facts)}"
            for finding in self.screening.findings
        ]
        made += self._firing
        made += self._compared
        return tuple(made)

    @property
    def _firing(self) -> list[str]:
        if self.also_fires is None:
            return [f"what else would fire with `{self.key}` was not looked at: run `upheld triggers build`"]
        fired = ", ".join(f"`{key}`" for key in self.also_fires)
        return [f"{LOOK_TWICE} what fires `{self.key}` fires {fired} as well"] if fired else []

    @property
    def _compared(self) -> list[str]:
        around = self.around
        read, made = len(around.instructions), []
        if around.compared < around.total:
            counts = f"{around.compared:,} of {around.total:,} instructions"
            made.append(f"`{self.key}` was compared with {counts}; `upheld triggers build` reads in the rest")
        if around.alike > read:
            made.append(f"`{self.key}` is like {around.alike:,} instructions; the {read:,} likeliest were looked at")
        return made


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
    served = _present(change.entries)
    touched = {**{k: e for k, e in change.retired.items() if e is not None}, **served}
    held = _held(base, {*touched, *gone})
    drafts = [_draft_of(change, key, entry, held) for key, entry in touched.items()]
    peers = [_served_as(draft) for draft in drafts if draft.key in served]
    return tuple(
        _judged(
            base,
            draft,
            judge,
            Beside(
                without=(gone | served.keys()) - {draft.key},
                peers=tuple(peer for peer in peers if peer.key != draft.key and peer.text),
                trigger=_trigger(touched[draft.key]) if draft.trigger else None,
            ),
        )
        for draft in drafts
    )


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
    return _judged(base, draft, judge, Beside(echo=True))


def demand(judged: Iterable[Judged], today: str) -> None:
    """Insist that nothing is refused.

    Raises:
        RefusedError: it carries every finding that refuses.
    """
    for one in judged:
        if one.screening.refused:
            refusing = tuple(r.finding for r in one.screening.results if r.action == "refuse")
            Refusal(key=one.key, findings=refusing, as_of=today).require()


class Beside(Value):
    """What else a draft is judged with.

    Attributes:
        without: keys that the same change takes out or replaces; what they say today is not compared with.
        peers: what the same change says under other keys.
        trigger: its structured trigger.
        echo: whether what was served may not be said again.
    """

    without: frozenset[str] = frozenset()
    peers: tuple[CurrentInstruction, ...] = ()
    trigger: Trigger | None = None
    echo: bool = False


def _judged(base: Base, draft: Draft, judge: Judge, beside: Beside) -> Judged:
    statements = tuple(text for text in (draft.read_when, *draft.examples) if text.strip())
    texts = tuple(text.text for text in draft.texts if text.field == "text")
    late = judge.now() + NEAR_SECONDS
    wanted = Wanted(key=draft.key, texts=texts, statements=statements, without=beside.without)
    around = surroundings(base, wanted, judge.near, lambda: judge.now() > late)
    current = (*around.instructions, *beside.peers)
    served: frozenset[str] = frozenset()
    if beside.echo:
        served = frozenset(judge.remembered.served).union(*(fingerprints(one.text) for one in current))
    full = draft.replace(
        current=current,
        served_fingerprints=served,
        rejected=judge.remembered.sketches,
        would_fire=_with_the_draft(draft, statements, beside.trigger, current),
        policy=judge.policy,
    )
    also = _also_fires(draft.key, statements, judge, around.total)
    return Judged(key=draft.key, screening=run(full, now=judge.now), around=around, also_fires=also)


def _with_the_draft(
    draft: Draft, statements: tuple[str, ...], trigger: Trigger | None, current: tuple[CurrentInstruction, ...]
) -> Callable[[str], Iterable[str]] | None:
    """Return what says which keys a task would fire if the draft were there beside its neighbours."""
    others = tuple(one.rule or Rule(key=one.key, read_when=one.read_when, fires=one.fires) for one in current)
    if not (statements or trigger) or not any(one.key != draft.key for one in others):
        return None
    mine = Rule(
        key=draft.key, read_when=draft.read_when, trigger=trigger, fires=draft.examples, nots=draft.counterexamples
    )
    return trial((mine, *(one for one in others if one.key != draft.key)))


def _also_fires(key: str, statements: tuple[str, ...], judge: Judge, total: int) -> tuple[str, ...] | None:
    if not statements or not total:
        return ()
    if judge.would_fire is None:
        return None
    also: set[str] = set()
    for text in statements:
        fired = judge.would_fire(text)
        if fired is None:
            return None
        also.update(fired)
    return tuple(sorted(also - {key}))


def _served_as(draft: Draft) -> CurrentInstruction:
    text = next((text.text for text in draft.texts if text.field == "text"), "")
    return CurrentInstruction(key=draft.key, text=text, read_when=draft.read_when, fires=draft.examples)


def _trigger(entry: Mapping[str, object]) -> Trigger | None:
    """Return an entry's structured trigger; one that cannot be read never fires, and is refused elsewhere."""
    said = entry.get("trigger")
    return decode_trigger(said, "", "")[0] if isinstance(said, Mapping) else None


def _draft_of(change: Change, key: str, entry: Mapping[str, object], held: frozenset[str]) -> Draft:
    record = _record(change, entry)
    texts = [Text(field=field, text=str(record[name])) for field, name in RECORD_WORDS if record.get(name)]
    source = change.files.get(str(record.get("durable_source", "")))
    if source is not None:
        texts.insert(0, Text(field="text", text=source.decode("utf-8", "surrogateescape")))
    read_when = str(entry.get("read_when", ""))
    examples = _examples(change, entry, key)
    return Draft(
        key=key,
        texts=tuple(text for text in texts if text.text not in held),
        read_when="" if read_when in held else read_when,
        trigger=tuple(text for text in strings_in(entry.get("trigger")) if text not in held),
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
        found.update(strings_in(entry.fields.get("trigger")))
        member = with_source(base.store, read_record(base.store, entry.target), keep=True)
        if member.record is not None:
            found.update(str(member.record.fields.get(name) or "") for _, name in RECORD_WORDS)
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


def strings_in(value: object) -> Iterator[str]:
    """Yield every text in a structured trigger, names of fields too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield str(name)
            yield from strings_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings_in(inner)


def _present(entries: Mapping[str, Mapping[str, object] | None]) -> dict[str, Mapping[str, object]]:
    return {key: entry for key, entry in entries.items() if entry is not None}


def _asker(proposal: Proposal) -> list[tuple[str, str]]:
    asker = proposal.asker
    return [(f"asker.{name}", str(getattr(asker, name))) for name in ("client", "agent", "session", "channel", "words")]


def _facts(facts: tuple[tuple[str, str], ...]) -> str:
    return f" ({'; '.join(f'{label} {text}' for label, text in facts[:3])})" if facts else ""
