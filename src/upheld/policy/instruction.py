"""The instruction of a text: the article's line. Import-free, since the read path needs it."""

from __future__ import annotations


def instruction(text: str) -> str | None:
    """Return the first line that is neither blank nor begins with ``#``, stripped; ``None`` if there is none.

    This is the article's reader, word for word: it skips ``#hashtag`` lines too, and takes a line of front matter or
    half of a wrapped paragraph for the instruction. That such texts are not written is ``policy.opening``'s part.
    """
    return next(
        (line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")),
        None,
    )
