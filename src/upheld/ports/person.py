"""The person who decides about a change, wherever they are asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from upheld.model.written import Written


class Ask(Protocol):
    """Asks a person, or knows their answer already (``--yes``)."""

    @property
    def is_person(self) -> bool:
        """Whether somebody is really asked; otherwise the store's policy must allow the verb to go without."""
        ...

    def agrees(self, planned: Written) -> bool:
        """Show what is going to be written and return whether the person wants it.

        Raises:
            UsageError: nobody can be asked.
        """
        ...

    def secret(self, prompt: str) -> str | None:
        """Ask for a passphrase without showing it; None if the person declines or nobody can be asked."""
        ...
