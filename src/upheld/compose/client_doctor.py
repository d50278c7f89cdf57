"""The clients' side of ``doctor``: what is found there, beside what is found of the store or alone."""

from __future__ import annotations

import os

from upheld.compose.client_sight import examined
from upheld.compose.state import state_root
from upheld.errors import UpheldError
from upheld.model.finding import worst_first
from upheld.model.reports import Diagnosis

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def examined_clients(environ: Mapping[str, str], here: str) -> Diagnosis:
    """Return what is wrong on the clients' side of a working directory, whichever store is there."""
    findings, unread = examined(environ, here, _unpinned_here(environ, here))
    return Diagnosis(findings=findings, mends=(), not_checked=unread, is_fixed=False)


def with_clients(found: Diagnosis, environ: Mapping[str, str], here: str, store: str) -> Diagnosis:
    """Add what is wrong on the clients' side to what is wrong with a store."""
    findings, unread = examined(environ, here, _unpinned(environ, store))
    return found.replace(findings=worst_first((*found.findings, *findings)), not_checked=(*found.not_checked, *unread))


def _unpinned_here(environ: Mapping[str, str], here: str) -> str:
    from upheld.compose.location import locate

    try:
        return _unpinned(environ, locate(None, environ, here).path)
    except UpheldError:
        return ""


def _unpinned(environ: Mapping[str, str], path: str) -> str:
    """Return the path of a store that is sealed and that nobody pinned here; empty otherwise."""
    from upheld.stores.state_directory import is_pinned_at

    if not os.path.isdir(os.path.join(path, "seals")) or is_pinned_at(state_root(environ), path):
        return ""
    return path
