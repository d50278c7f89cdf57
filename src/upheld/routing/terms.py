"""Words to weighted terms: word stems, pairs of neighbours, and character 3- and 4-grams, each as a 32-bit hash.

The weights were chosen on the training and validation parts of CLINC150 only (docs: ``benchmarks/routing``).
Two terms that share a hash are one term; at a thousand pointers that happens to a handful and costs nothing.
"""

from __future__ import annotations

from binascii import crc32

from upheld.routing.words import FUNCTION_WORDS, LONGEST, content, mark, stem, words

WORD_WEIGHT = 1.0
PAIR_WEIGHT = 0.5
GRAM_WEIGHT = 0.5
GRAM_SIZES = (3, 4)
LONGEST_WORD = 40
NEGATED = "! "
_WORDS: dict[str, tuple[int, list[int]]] = {}
_MOST_WORDS = 8_192

NEGATORS = frozenset(("not", "no", "never", "without", "dont", "doesnt", "cannot", "cant", "wont", "shouldnt", "avoid"))


def terms(found: list[str]) -> dict[int, float]:
    """The terms of a text and their weights before any store-wide weighting."""
    weights: dict[int, float] = {}
    before = "^"
    for word in found:
        root = stem(word)
        weights[mark(f"p{before} {root}")] = PAIR_WEIGHT
        before = root
        hashed, grams = _of_word(word, root)
        weights[hashed] = weights.get(hashed, 0.0) + WORD_WEIGHT
        for gram in grams:
            weights[gram] = weights.get(gram, 0.0) + GRAM_WEIGHT
    if found:
        weights[mark(f"p{before} $")] = PAIR_WEIGHT
    return weights


def _of_word(word: str, root: str) -> tuple[int, list[int]]:
    """The term of a word's stem, and those of its runs of characters; remembered, for a process that is asked often."""
    found = _WORDS.get(word)
    if found is None:
        if len(_WORDS) >= _MOST_WORDS:
            _WORDS.clear()
        found = _WORDS[word] = (mark("w" + root), _grams(word))
    return found


def _grams(word: str) -> list[int]:
    padded = f"<{word[:LONGEST_WORD]}>"
    return [
        crc32(padded[at : at + size].encode("utf-8", "replace"), size)
        for size in GRAM_SIZES
        for at in range(len(padded) - size + 1)
    ]


def content_terms(found: list[str]) -> list[int]:
    """The hashes of the distinct stems that say what a text is about, in order of appearance."""
    stems = dict.fromkeys(stem(word) for word in found if word not in FUNCTION_WORDS)
    return [mark(f"w{root}") for root in stems]


def statement(found: list[str]) -> str:
    """The form in which two statements of one trigger are equal: its content stems, sorted, each once.

    A leading ``before`` or ``when``, other function words, order, endings, case and punctuation make no difference.
    A text with fewer than two content words must agree in every word, and a negated one is never equal to one that
    is not.
    """
    kept = [word for word in found if word not in NEGATORS]
    stems = sorted(set(content(kept)))
    form = " ".join(stems) if len(stems) > 1 else "= " + " ".join(kept)
    return form if len(kept) == len(found) else NEGATED + form


def clipped(text: str) -> list[str]:
    """The words of the part of a task that is compared with sentences."""
    return words(text[:LONGEST])
