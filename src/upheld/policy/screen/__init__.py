"""The screen: what may be written. One check a file; ``registry`` lists them; ``run`` applies the store's policy."""

from __future__ import annotations

from upheld.policy.screen.run import run

__all__ = ["run"]
