"""The page of a code: what it means, what is done about it, how to mend it, an example."""

from __future__ import annotations

from importlib.resources import files


def page(code: str) -> str:
    """Return the page of ``code`` as Markdown.

    Raises:
        KeyError: the code has no page.
    """
    found = files("upheld.render").joinpath("pages", f"{code}.md") if code.isalnum() else None
    if found is None or not found.is_file():
        raise KeyError(code)
    return found.read_text("utf-8")
