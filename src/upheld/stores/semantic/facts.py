"""What is known about a task and every entry before anything is weighed: one row of facts an entry."""

from __future__ import annotations

import numpy as np

from upheld.routing.terms import clipped
from upheld.stores.semantic.head import fit
from upheld.stores.semantic.lexical import Lexicon

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from upheld.model.route import Rule

    Floats = NDArray[np.float32]

ENOUGH = 3
"""Examples from which a pointer counts for a linear head; half of the pointers must have them."""

PENALTY = 0.1
FOLD_SHARE = 0.7
"""How loud the words are beside the sentence vector in the rows of the head."""


def said_by(rule: Rule) -> list[str]:
    """The texts that stand for a rule: its sentence, its examples, and its key where that adds a word."""
    name = rule.key.replace("-", " ").replace("_", " ")
    said = [rule.read_when, *rule.fires]
    if not set(clipped(name)) <= set(clipped(rule.read_when)):
        said.append(name)
    return [text for text in said if clipped(text)]


class Facts:
    """Entries of a store: one a rule, and one for the negatives of each rule that has some.

    Args:
        rules: the rules; the entries of those that are broken or say nothing are ``silent``.
        vectors: gives the sentence vectors of texts.
    """

    def __init__(self, rules: tuple[Rule, ...], vectors: Callable[[tuple[str, ...]], Floats]) -> None:
        self.keys = [rule.key for rule in rules]
        texts = [[] if rule.broken else said_by(rule) for rule in rules]
        self.owners = list(range(len(rules)))
        for number, rule in enumerate(rules):
            nots = [] if rule.broken else [text for text in rule.nots if clipped(text)]
            if nots:
                texts.append(nots)
                self.owners.append(number)
        self.silent = {number for number, entry in enumerate(texts) if not entry}
        self.words = Lexicon(texts)
        flat = [text for entry in texts for text in entry]
        self.labels = np.array([number for number, entry in enumerate(texts) for _ in entry], np.int64)
        self.said = vectors(tuple(flat)) if flat else np.zeros((0, 1), np.float32)
        self.centres = _centres(self.said, self.labels, len(texts))
        self.has_head = 2 * sum(len(rule.fires) >= ENOUGH for rule in rules) >= len(rules) > 1
        if self.has_head:
            weights = self._fitted()
            self._by_sense = np.ascontiguousarray(weights[: self.said.shape[1]].T)
            self._by_words = weights[self.said.shape[1] :]
        self.starts = np.flatnonzero(np.diff(self.labels, prepend=-1))

    def _fitted(self) -> Floats:
        rows = np.hstack([self.said, np.float32(FOLD_SHARE) * self.words.rows()])
        return fit(rows, self.labels, len(self.centres), penalty=PENALTY)

    def of(self, text: str, vector: Floats, *, columns: tuple[int, ...] = (0, 1, 2, 3)) -> Floats:
        """Return the facts of each entry, a row of four each.

        The columns: height by the head (nought without one), cosine with the centre of the entry's vectors, with the
        nearest of them, and with the centre of its words (nought with a head, which has seen the words).

        Args:
            text: the task.
            vector: its sentence vector.
            columns: which to work out; the others are nought.
        """
        rows = np.zeros((len(self.centres), 4), np.float32)
        if 0 in columns and self.has_head:
            places, weights = self.words.folded(text)
            rows[:, 0] = _dots(self._by_sense, vector)
            rows[:, 0] += np.einsum("i,ij->j", np.float32(FOLD_SHARE) * weights, self._by_words[places])
        if 1 in columns:
            rows[:, 1] = _dots(self.centres, vector)
        if 2 in columns and len(self.said):
            rows[self.labels[self.starts], 2] = np.maximum.reduceat(_dots(self.said, vector), self.starts)
        if 3 in columns and not self.has_head:
            rows[:, 3] = self.words.nearness(text)
        return rows


def _dots(rows: Floats, vector: Floats) -> Floats:
    """A matrix times one vector. ``@`` would wake the threads of BLAS, which cost more than the product."""
    return np.asarray(np.einsum("ij,j->i", rows, vector), np.float32)


def _centres(said: Floats, labels: NDArray[np.int64], entries: int) -> Floats:
    centres = np.zeros((entries, said.shape[1]), np.float32)
    np.add.at(centres, labels, said)
    lengths = np.linalg.norm(centres, axis=1, keepdims=True)
    return np.asarray(centres / np.where(lengths > 0, lengths, 1), np.float32)
