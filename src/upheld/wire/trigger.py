"""The structured trigger as it stands in a pointer. The file of examples beside it is ``wire.examples``.

Decoding is strict, because a slip here is silent otherwise: a misspelt field or a text where a list is wanted would
make a rule that never fires, or a veto that is never heard. Whatever is wrong is reported, and who routes takes a
pointer whose trigger has a fault for one that never fires.
"""

from __future__ import annotations

from upheld.errors import FaultError
from upheld.model.route import Matchers, Trigger
from upheld.wire.fields import kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MATCHERS = ("paths", "tools", "commands", "keywords")
RELATIONS = ("together_with", "overrides")


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
    if vetoes is not None and vetoes != Matchers():
        made["not_when"] = {name: list(getattr(vetoes, name)) for name in MATCHERS if getattr(vetoes, name)}
    made.update({name: list(getattr(trigger, name)) for name in RELATIONS if getattr(trigger, name)})
    return made


def is_empty(trigger: Trigger) -> bool:
    """Whether a trigger says nothing."""
    return not encode_trigger(trigger)
