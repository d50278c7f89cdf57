"""Memory that an AI agent may act on: verified on the read path, or refused with a reason.

The public door is small and lazy (PEP 562): importing the package costs nothing until a name is used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.compose.library import Memory, open
    from upheld.render.frame import framed
    from upheld.render.told import told

__all__ = ["Memory", "__version__", "framed", "open", "told"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name in {"Memory", "open"}:
        from upheld.compose import library

        return getattr(library, name)
    if name == "framed":
        from upheld.render.frame import framed

        return framed
    if name == "told":
        from upheld.render.told import told

        return told
    raise AttributeError(f"module 'upheld' has no attribute {name!r}")
