"""As much of the index as fits into a budget."""

from __future__ import annotations

from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.finding import Finding


class Line(Value):
    """One key of the listing. ``is_broken`` says that its entry cannot be read as a pointer."""

    key: str
    read_when: str
    is_broken: bool = False


class Page(Value):
    """The first keys of an index, and how many there are.

    Attributes:
        lines: the keys that fit, in the order of the index.
        total: how many keys the store holds; ``budget``: how many characters the lines might take.
        findings: the parts of the index that could not be read on the way.
    """

    lines: tuple[Line, ...]
    total: int
    budget: int
    findings: tuple[Finding, ...]
    sealed: bool
    not_checked: tuple[str, ...]
    version: int | None

    @property
    def cut(self) -> int:
        """How many keys are not shown."""
        return max(self.total - len(self.lines), 0)
