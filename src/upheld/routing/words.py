"""Text to words: Unicode-aware, case-folded, bounded, and without ``re``.

Scripts that put no blanks between words (Han, Kana, Thai, Lao, Khmer, Burmese) become overlapping pairs of
characters, so that a part of a sentence can be found there too.
"""

from __future__ import annotations

from binascii import crc32

LONGEST = 4_096
"""Characters of a task's text that are compared with sentences; keywords are looked for in ``LONGEST_KEYWORDS``."""

LONGEST_KEYWORDS = 262_144

_ASCII = {code: (chr(code).lower() if chr(code).isalnum() else " ") for code in range(128)}
_ASCII[ord("'")] = ""
_APOSTROPHES = "'\u2019\u02bc"
_UNSPACED = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3040, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)

# Words that say how a sentence is built and not what it is about. English, because the other words of an
# unlisted language lose nothing but a little sharpness by their absence here.
FUNCTION_WORDS = frozenset(
    """a an the this that these those some any all each every other another such no not only own same so than too
    very just also again once here there where when whenever why how what which who whom whose i me my mine myself we
    us our ours you your yours he him his she her hers it its they them their theirs am is are was were be been being
    have has had having do does did doing done will would shall should can could may might must and or but if because
    as until while of at by for with about against between into through during before after above below to from up
    down in out on off over under then please tell give get got let lets know need want like help show say said go
    going gonna make made see look find think thing things something anything really right now one much many more
    most lot way s t m re ve ll d im ive id whats dont cant""".split()  # noqa: SIM905
)


def mark(text: str) -> int:
    """The 32-bit hash under which the index files a term, a statement or a gate; lone surrogates are replaced."""
    return crc32(text.encode("utf-8", "replace"))


def words(text: str) -> list[str]:
    """Split a text into case-folded words.

    Args:
        text: any text; the caller clips it.

    Returns:
        Words without punctuation, symbols or apostrophes, in order.
    """
    if text.isascii():
        return text.translate(_ASCII).split()
    return _unicode_words(text)


def _unicode_words(text: str) -> list[str]:
    from unicodedata import category, normalize

    kept: list[str] = []
    for char in normalize("NFKC", text).casefold():
        if char.isalnum() or category(char) in ("Mn", "Mc"):
            kept.append(char)
        elif char not in _APOSTROPHES and category(char) != "Cf":
            kept.append(" ")
    found: list[str] = []
    for word in "".join(kept).split():
        found.extend([word] if word.isascii() else _pieces(word))
    return found


def _pieces(word: str) -> list[str]:
    runs: list[tuple[bool, str]] = []
    for char in word:
        unspaced = _is_unspaced(ord(char))
        if runs and runs[-1][0] == unspaced:
            runs[-1] = (unspaced, runs[-1][1] + char)
        else:
            runs.append((unspaced, char))
    found: list[str] = []
    for unspaced, run in runs:
        if unspaced and len(run) > 1:
            found.extend(run[at : at + 2] for at in range(len(run) - 1))
        else:
            found.append(run)
    return found


def _is_unspaced(code: int) -> bool:
    return any(low <= code <= high for low, high in _UNSPACED)


_STEMS: dict[str, str] = {}
_MOST_STEMS = 16_384
_ENDINGS = ("ization", "ational", "fulness", "edly", "ing", "ies", "ed", "es", "ly", "s")


def stem(word: str) -> str:
    """Cut common English endings, so that ``deploys``, ``deployed`` and ``deploying`` are one word.

    Words with a letter outside ASCII, and words that would lose too much, are left alone.
    """
    found = _STEMS.get(word)
    if found is None:
        if len(_STEMS) >= _MOST_STEMS:
            _STEMS.clear()
        found = _STEMS[word] = _cut(word)
    return found


def _cut(word: str) -> str:
    if not word.isascii() or word.isdigit():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            if ending == "ies":
                word += "y"
            elif ending in ("ing", "ed") and word[-1] == word[-2] and word[-1] not in "ls" and len(word) > 3:
                word = word[:-1]
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def content(found: list[str]) -> list[str]:
    """The stems of the words that say what a text is about; all of them when it has only function words."""
    kept = [stem(word) for word in found if word not in FUNCTION_WORDS]
    return kept or found
