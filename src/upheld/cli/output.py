"""Where a command's outcome goes: to standard output, in the format that was asked for, coloured if a person looks."""

from __future__ import annotations

import sys

from upheld.model.answer import Answer
from upheld.render.formats import rendered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.render.formats import Scene


def write(value: object, form: str, *, store: str = "") -> None:
    """Print a value.

    Args:
        value: an outcome of a service.
        form: one of ``render.formats.FORMATS``.
        store: the store's folder, for the formats that point at files.

    Raises:
        UsageError: the format has nothing to say about such a value.
    """
    text = rendered(value, form, _scene(store) if form in ("sarif", "github") else None)
    # The lines of an answer are the source's own: no colour may make one of them look like ours.
    put(text, paint=form == "text" and not isinstance(value, Answer))


def put(text: str, *, paint: bool = False) -> None:
    """Print what was rendered."""
    if paint and sys.stdout.isatty():
        from upheld.cli.paint import painted

        text = painted(text, sys.stdout)
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # before the framework turns it into exit code 1, which means "failed"
        drop_output()
        sys.exit(141)


def drop_output() -> None:
    """Whoever read our output is gone; keep the interpreter from complaining about it at exit."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _scene(store: str) -> Scene:
    """Name the store as the working directory sees it, which in CI is the repository's root."""
    import os

    from upheld import __version__
    from upheld.render.formats import Scene

    try:
        root = os.path.relpath(store) if store else ""
    except ValueError:  # another drive
        root = store
    return Scene(root="" if root == "." else root.replace(os.sep, "/"), version=__version__)
