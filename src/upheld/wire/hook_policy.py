"""The part of a trust root's policy that is about hooks: ``"hooks": {"on_fault": "say" | "block"}``."""

from __future__ import annotations

SAY, BLOCK = "say", "block"
CHOICES = (SAY, BLOCK)


def on_fault(policy: object) -> str:
    """Return what a hook does when memory could not be checked; ``say`` where the policy says nothing."""
    hooks = policy.get("hooks") if isinstance(policy, dict) else None
    said = hooks.get("on_fault") if isinstance(hooks, dict) else None
    return said if isinstance(said, str) and said in CHOICES else SAY


def with_on_fault(unknown: tuple[tuple[str, object], ...], choice: str) -> tuple[tuple[str, object], ...]:
    """Return a policy's further fields with this one set; whatever else it says about hooks is kept."""
    fields = dict(unknown)
    hooks = fields.get("hooks")
    fields["hooks"] = {**(hooks if isinstance(hooks, dict) else {}), "on_fault": choice}
    return tuple(fields.items())
