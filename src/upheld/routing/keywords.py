"""Keywords: words or phrases found as whole words, whatever their case, in any script (``routing.words``)."""

from __future__ import annotations

from upheld.routing.words import FUNCTION_WORDS, words

LONGEST_KEYWORD = 128


def fault(keyword: str) -> str:
    """Say what is wrong with a keyword, or nothing."""
    if len(keyword) > LONGEST_KEYWORD:
        return f"it is longer than {LONGEST_KEYWORD} characters"
    if not words(keyword):
        return "it holds no word"
    return ""


def is_blanket(keyword: str) -> bool:
    """Whether a keyword is made of words that stand in any sentence (``the``, ``please do``)."""
    found = words(keyword)
    return bool(found) and all(word in FUNCTION_WORDS for word in found)


def matches(keyword: str, text_words: list[str]) -> bool:
    """Whether a text, as words, holds a keyword. A malformed or blanket one is never found."""
    if fault(keyword) or is_blanket(keyword):
        return False
    return holds(text_words, words(keyword))


def holds(text_words: list[str], phrase: list[str]) -> bool:
    """Whether ``phrase`` stands in ``text_words`` as one unbroken run."""
    if not phrase:
        return False
    start, width = -1, len(phrase)
    while True:
        try:
            start = text_words.index(phrase[0], start + 1)
        except ValueError:
            return False
        if text_words[start : start + width] == phrase:
            return True
