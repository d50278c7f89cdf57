"""A finding: one fault, where it is, what it does and how to mend it."""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.codes import Code


class Finding(Value):
    """One fault.

    Attributes:
        code: three letters and three digits; its sentence, remedy and severity stand in ``model.codes``.
        place: the file, relative to the store; empty for the store as a whole.
        path: dotted path inside the file (``entries[3].target``); empty for the file as a whole.
        keys: the keys that this fault refuses; empty when it refuses none.
        facts: what was compared, as label and text, in the order to show them (``("now", "91fa…95fc")``).
        cause: the likely cause where the bytes show one ("line endings were converted"); empty otherwise.
    """

    code: str
    place: str = ""
    path: str = ""
    keys: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    cause: str = ""

    @property
    def entry(self) -> Code:
        """The code's entry in the table (deferred: a sound recall never needs it)."""
        from upheld.model.codes import CODES

        return CODES[self.code]

    @property
    def severity(self) -> str:
        """``error`` refuses, ``warning`` is worth mending, ``note`` is said and no more."""
        return self.entry.severity

    @property
    def help(self) -> str:
        """The remedy, with the first refused key, the place, and the signing key filled in."""
        key = self.keys[0] if self.keys else "KEY"
        signing = dict(self.facts).get("key", "KEY-ID")
        return self.entry.help.replace("{key}", key).replace("{place}", self.place).replace("{id}", signing)


def worst_first(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Order findings for a reader: errors, warnings, notes; within these by rank of code, then place and path."""
    return tuple(
        sorted(findings, key=lambda f: (f.entry.order, f.place, f.path, f.keys, f.facts)),
    )
