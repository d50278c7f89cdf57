"""How alike two instructions are, and whether they pull apart. Words only: no model, no meaning, linear time."""

from __future__ import annotations

from upheld.model.value import Value
from upheld.policy.fold import words

_FILLER = frozenset(
    """
        a an the of to in on at for and or with by as is are be it its this that these those from into we
        you your our must should shall will can may please use used using make sure all any each every when
        then than so only also correction update updated now der die das den dem des ein eine einen und oder
        für mit von zu im in auf bei ist sind wird werden man le la les un une des de du et ou à en dans
        pour avec est sont il faut el los las una y o en con por para es son se del al lo que i w z na do
        dla jest są się oraz и в на с по для из к что как это o os as um uma e em com por para é são
        """.split()
)
_NEGATIONS = frozenset(
    """
        not no never none without avoid stop cannot cant dont doesnt shouldnt mustnt wont isnt arent neither
        nor forbid forbidden prohibit prohibited refuse refrain t nicht nie niemals kein keine keinen keinem
        keiner ohne verboten vermeide vermeiden ne pas jamais aucun aucune sans interdit évite évitez nunca
        jamás sin prohibido evita evite não sem proibido nie nigdy bez zakaz unikaj не никогда без нельзя
        запрещено избегайте δεν μην ποτέ χωρίς لا لم لن ليس أبدا بدون ممنوع نه هرگز بدون نباید لا אין אל בלי
        לעולם אסור नहीं मत कभी बिना 不 勿 别 禁 無 无 没
        """.split()
)
_NEGATIVE_ENDINGS = ("지않", "마세요", "금지", "하지")
_OPPOSITES = {
    word: pair
    for pair, both in enumerate(
        (
            "always never", "enable disable", "enabled disabled", "allow deny", "allow forbid", "include exclude", "add remove",
            "before after", "public private", "full short", "on off", "true false", "required optional", "internal external",
            "accept reject", "start stop", "open close", "upper lower", "uppercase lowercase", "min max", "minimum maximum",
            "first last", "more less", "sync async", "light dark", "above below", "keep delete", "tabs spaces", "inside outside",
            "immer nie", "toujours jamais", "siempre nunca", "sempre nunca", "zawsze nigdy", "всегда никогда", "πάντα ποτέ",
        )
    )
    for word in both.split()
}  # fmt: skip
_CHOICES = frozenset(
    ["instead", "rather", "not", "over", "than", "statt", "anstatt", "lieu", "lugar", "vez", "zamiast", "вместо"]
)
_ALIKE = 0.8
_RELATED = 0.5
_LONGEST = 400


class Reading(Value):
    """A text reduced to what is compared: words in order, the words that carry meaning, numbers, and which way it argues."""

    order: tuple[str, ...]
    content: frozenset[str]
    numbers: frozenset[str]
    negative: bool
    poles: frozenset[str]


def content_words(text: str) -> frozenset[str]:
    """Return the words that carry meaning."""
    return frozenset(word for word in words(text) if word not in _FILLER)


def read(text: str) -> Reading:
    """Reduce the first words of a text to a reading; what stands beyond is not compared."""
    found = words(text.replace("'", "").replace("’", ""))[:_LONGEST]
    negations = sum(word in _NEGATIONS or word.endswith(_NEGATIVE_ENDINGS) for word in found)
    kept = [w for w in found if w not in _FILLER and w not in _NEGATIONS]
    return Reading(
        order=tuple(kept),
        content=frozenset(w for w in kept if not w.isdigit() and w not in _OPPOSITES),
        numbers=frozenset(w for w in kept if w.isdigit()),
        negative=negations % 2 == 1,
        poles=frozenset(w for w in found if w in _OPPOSITES),
    )


def likeness(one: Reading, other: Reading) -> float:
    """Return the share of content words that two texts have in common, 0 to 1."""
    both = one.content | other.content
    return len(one.content & other.content) / len(both) if both else 0.0


def nearly_same(one: Reading, other: Reading) -> bool:
    """Whether two texts say nearly the same in nearly the same words."""
    return (one.order == other.order and bool(one.order)) or (
        likeness(one, other) >= _ALIKE and min(len(one.content), len(other.content)) > 1
    )


def conflict(one: Reading, other: Reading) -> str:
    """Return in what two texts about one thing pull apart; empty where they do not seem to."""
    alike = likeness(one, other)
    shared = len(one.content & other.content)
    if not one.content or alike < _RELATED:
        return "one word" if _one_word_apart(one, other, shared) else ""
    if _opposed(one.poles, other.poles):
        return "opposite words"
    if one.negative != other.negative:
        return "a negation"
    if one.numbers != other.numbers and one.numbers and other.numbers and alike >= _ALIKE:
        return "numbers"
    if one.content == other.content and one.order != other.order and _chooses(one, other):
        return "the order of a choice"
    return "one word" if _one_word_apart(one, other, shared) else ""


def _opposed(one: frozenset[str], other: frozenset[str]) -> bool:
    mine, theirs = one - other, other - one
    return bool({_OPPOSITES[word] for word in mine} & {_OPPOSITES[word] for word in theirs})


def _chooses(one: Reading, other: Reading) -> bool:
    return bool(_CHOICES & set(one.order)) and bool(_CHOICES & set(other.order))


def _one_word_apart(one: Reading, other: Reading, shared: int) -> bool:
    """Whether the texts differ in one word each: the same rule with another value."""
    return shared >= 2 and len(one.content) == len(other.content) == shared + 1 and len(one.order) == len(other.order)
