"""Triggers as they stand in a store: the matchers in a pointer, and the file of examples that its digest binds.

Decoding is strict, because a slip here is silent otherwise: a misspelt field or a text where a list is wanted would
make a rule that never fires, or a veto that is never heard. Whatever is wrong is reported, and who routes takes a
pointer whose trigger has a fault for one that never fires.
"""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.model.route import Matchers, Trigger
from upheld.model.value import Value
from upheld.wire import strictjson
from upheld.wire.fields import Fields, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA = "1.0"
MAX_BYTES = 1024 * 1024
"""The largest file of trigger examples that is read."""

MATCHERS = ("paths", "tools", "commands", "keywords")
RELATIONS = ("together_with", "overrides")
_EXAMPLES = ("schema_version", "key", "fires", "not")


class Examples(Value):
    """The examples of one pointer.

    Attributes:
        fires: tasks that it governs.
        nots: tasks that it does not govern.
        fields: the file's fields as parsed; those that are not ours go on when it is written again.
    """

    fires: tuple[str, ...] = ()
    nots: tuple[str, ...] = ()
    fields: Mapping[str, object]


NO_EXAMPLES = Examples(fields={})


def place_of(key: str, sha256: str) -> str:
    """Return the file that holds the examples of a key."""
    return f"triggers/{key}.{sha256[:12]}.json"


def decode_trigger(
    values: Mapping[str, object] | None, place: str, path: str = "trigger"
) -> tuple[Trigger | None, tuple[FaultError, ...]]:
    """Decode the ``trigger`` of a pointer.

    Args:
        values: the parsed object; None where the pointer has none.
        place: the file that it stands in, for the faults.
        path: its dotted path there.

    Returns:
        The trigger, and every fault of it (TRG001). With a fault, the trigger must not be used.
    """
    if values is None:
        return None, ()
    reader = _Reader(place, path)
    given = {name: reader.texts(values, name) for name in (*MATCHERS, *RELATIONS)}
    vetoes: Matchers | None = None
    if values.get("not_when") is not None:
        inner = values["not_when"]
        if isinstance(inner, dict):
            vetoes = Matchers(**{name: reader.texts(inner, name, "not_when.") for name in MATCHERS})
            reader.known(inner, MATCHERS, "not_when.")
        else:
            reader.fault("not_when", f"an object is wanted, not {kind(inner)}")
    reader.known(values, (*MATCHERS, *RELATIONS, "not_when"))
    return Trigger(**given, not_when=vetoes), tuple(reader.faults)


class _Reader:
    """Reads lists of texts and collects what is wrong with them."""

    def __init__(self, place: str, path: str) -> None:
        self.place = place
        self.path = path
        self.faults: list[FaultError] = []

    def fault(self, name: str, detail: str) -> None:
        self.faults.append(FaultError("TRG001", self.place, path=f"{self.path}.{name}", detail=detail))

    def texts(self, values: Mapping[str, object], name: str, prefix: str = "") -> tuple[str, ...]:
        found = values.get(name)
        if found is None:
            return ()
        if not isinstance(found, list):
            self.fault(f"{prefix}{name}", f"a list of texts is wanted, not {kind(found)}")
            return ()
        for number, text in enumerate(found):
            if type(text) is not str:
                self.fault(f"{prefix}{name}[{number}]", f"a text is wanted, not {kind(text)}")
        return tuple(text for text in found if type(text) is str)

    def known(self, values: Mapping[str, object], names: tuple[str, ...], prefix: str = "") -> None:
        """A field that nothing here reads may be a misspelt one, and then its rule would never fire."""
        for name in values:
            if name not in names:
                self.fault(f"{prefix}{name[:40]}", f"no field has this name; there are {', '.join(names)}")


def encode_trigger(trigger: Trigger) -> dict[str, object]:
    """Return a trigger as the object that a pointer holds; empty lists are left out."""
    made: dict[str, object] = {name: list(getattr(trigger, name)) for name in MATCHERS if getattr(trigger, name)}
    vetoes = trigger.not_when
    if vetoes is not None:
        made["not_when"] = {name: list(getattr(vetoes, name)) for name in MATCHERS if getattr(vetoes, name)}
    made.update({name: list(getattr(trigger, name)) for name in RELATIONS if getattr(trigger, name)})
    return made


def decode_examples(data: bytes, place: str, key: str) -> tuple[Examples, tuple[FaultError, ...]]:
    """Decode the file of examples of ``key``, whose digest the caller has checked.

    Returns:
        The examples, and every fault of the file. With a fault, they must not be used.
    """
    try:
        values = strictjson.parse(data, place, limit=MAX_BYTES)
    except FaultError as fault:
        return NO_EXAMPLES, (fault,)
    fields = Fields(values, place)
    if values.get("schema_version", SCHEMA) != SCHEMA:
        fields.faults.append(FaultError("FMT012", place, path="schema_version"))
    if values.get("key", key) != key:
        fields.fault("FMT007", "key", "these are the examples of another key")
    made = Examples(fires=_examples(fields, "fires"), nots=_examples(fields, "not"), fields=values)
    if "fires" not in values and "not" not in values:
        fields.fault("FMT008", "fires", "it is missing, and so is `not`")
    return made, tuple(fields.faults)


def _examples(fields: Fields, name: str) -> tuple[str, ...]:
    found = fields.array(name)
    for number, text in enumerate(found):
        if type(text) is not str:
            fields.fault("FMT007", f"{name}[{number}]", f"a string is wanted, not {kind(text)}")
    return tuple(text for text in found if type(text) is str)


def encode_examples(key: str, examples: Examples) -> bytes:
    """Write the file of examples of ``key``; fields that are not ours stay."""
    from json import dumps

    fields: dict[str, object] = {
        "schema_version": SCHEMA,
        "key": key,
        "fires": list(examples.fires),
        "not": list(examples.nots),
        **{name: value for name, value in examples.fields.items() if name not in _EXAMPLES},
    }
    return (dumps(fields, indent=2, ensure_ascii=False) + "\n").encode("utf-8")
