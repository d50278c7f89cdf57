"""The writing rule: the first served line must be the instruction, whole, on one line.

The article's reader takes the first line that is neither blank nor begins with ``#``. So a text is refused where that
line is something else, and ``mended`` shows the same text with the instruction in its place.
"""

from __future__ import annotations

import itertools

from upheld.model.value import Value
from upheld.policy.code_lines import is_code

_SENTENCE_END = (".", "!", "?", "。", "！", "？", "।", "؟", "…", "．", "｡")
_CLOSERS = "\"'”’»)]`*_」』）"
_ABBREVIATIONS = ("e.g.", "i.e.", "etc.", "cf.", "vs.", "z.b.", "bzw.", "d.h.", "p.ex.", "np.", "т.е.", "напр.")
_COMMENTS = (("<!--", "-->"), ("/*", "*/"), ("{#", "#}"), ("//", ""), ("[//]:", ""), ("%%", ""))
_FENCES = ("---", "+++")


class Fault(Value):
    """What is wrong with the opening: a code, the line (from 1) and the text with this one thing mended, if it can be."""

    code: str
    line: int
    shown: str
    mended: str | None


def fault(text: str) -> Fault | None:
    """Return the first thing wrong with the opening of ``text``, or ``None``."""
    lines = text.splitlines()
    at = _first(lines)
    hashtag = next((n for n in range(len(lines) if at is None else at) if _is_hashtag(lines[n])), None)
    if hashtag is not None:
        return _Fault(lines, hashtag, "POL023").replaced(hashtag, [_as_heading(lines[hashtag])])
    if at is None:
        return Fault(code="POL020", line=max(len(lines), 1), shown="", mended=None)
    return _front_matter(lines, at) or _comment(lines, at) or _no_sentence(lines, at) or _wrapped(lines, at)


def mended(text: str) -> str | None:
    """Return ``text`` with its opening mended, or ``None`` where that takes a person."""
    for _ in range(8):
        found = fault(text)
        if found is None:
            return text
        if found.mended is None or found.mended == text:
            return None
        text = found.mended
    return None


class _Fault:
    """A fault being built: which line, and by what its lines are replaced."""

    def __init__(self, lines: list[str], at: int, code: str) -> None:
        self.lines, self.at, self.code = lines, at, code

    def replaced(self, last: int, by: list[str] | None) -> Fault:
        """Close the fault: lines ``at`` to ``last`` give way to ``by``."""
        text = None
        if by is not None:
            kept = [*self.lines[: self.at], *by, *self.lines[last + 1 :]]
            text = "\n".join(kept).strip("\n") + "\n"
        return Fault(code=self.code, line=self.at + 1, shown=self.lines[self.at].strip(), mended=text)


def _first(lines: list[str]) -> int | None:
    return next((n for n, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("#")), None)


def _is_hashtag(line: str) -> bool:
    """Whether the reader skips this line as a heading although Markdown sees none."""
    bare = line.lstrip()
    if not bare.startswith("#"):
        return False
    rest = bare.lstrip("#")
    return len(bare) - len(rest) > 6 or (rest != "" and not rest[0].isspace())


def _as_heading(line: str) -> str:
    return "# " + line.strip().lstrip("#").strip()


def _front_matter(lines: list[str], at: int) -> Fault | None:
    mark = lines[at].rstrip()
    if mark not in _FENCES:
        return None
    end = next((n for n in range(at + 1, len(lines)) if lines[n].rstrip() in (mark, "...")), None)
    return _Fault(lines, at, "POL021").replaced(at if end is None else end, [])


def _comment(lines: list[str], at: int) -> Fault | None:
    line = lines[at].strip()
    for opener, closer in _COMMENTS:
        if line.startswith(opener):
            return _without_comment(lines, at, opener, closer)
    return None


def _without_comment(lines: list[str], at: int, opener: str, closer: str) -> Fault:
    draft = _Fault(lines, at, "POL022")
    if not closer:
        return draft.replaced(at, [])
    start = len(lines[at]) - len(lines[at].lstrip()) + len(opener)
    for n in range(at, len(lines)):
        end = lines[n].find(closer, start if n == at else 0)
        if end >= 0:
            rest = lines[n][end + len(closer) :].strip()
            return draft.replaced(n, [rest] if rest else [])
    return draft.replaced(at, None)


def _no_sentence(lines: list[str], at: int) -> Fault | None:
    line = lines[at].strip()
    draft = _Fault(lines, at, "POL024")
    if at + 1 < len(lines) and _is_underline(lines[at + 1]) and not _is_underline(line):
        return draft.replaced(at + 1, ["# " + line])
    if line.startswith(("```", "~~~")) or (line.startswith("|") and line.endswith("|") and len(line) > 1):
        return draft.replaced(at, None)
    if not any(c.isalnum() for c in line):
        return draft.replaced(at, [])
    return None


def _is_underline(line: str) -> bool:
    bare = line.strip()
    return len(bare) > 1 and (bare.strip("=") == "" or bare.strip("-") == "")


def _wrapped(lines: list[str], at: int) -> Fault | None:
    last = at
    while last + 1 < len(lines) and _continues(lines[last], lines[last + 1]):
        last += 1
    if last == at or is_code(_paragraph(lines, at)):
        return None
    parts = [lines[at].rstrip().rstrip("\\").rstrip(), *(line.strip() for line in lines[at + 1 : last + 1])]
    return _Fault(lines, at, "POL025").replaced(last, [_joined(parts)])


def _paragraph(lines: list[str], at: int) -> list[str]:
    return list(itertools.takewhile(str.strip, lines[at:]))


def _joined(parts: list[str]) -> str:
    """Join wrapped lines; Chinese and Japanese are written without spaces."""
    out = [parts[0]]
    for before, after in itertools.pairwise(parts):
        tight = bool(before and after) and _is_wide(before[-1]) and _is_wide(after[0])
        out.append(after if tight else " " + after)
    return "".join(out)


def _is_wide(char: str) -> bool:
    return "\u3000" <= char <= "\u9fff" or "\uff00" <= char <= "\uffef"


def _continues(line: str, following: str) -> bool:
    """Whether the sentence that ``line`` ends in the middle of goes on in ``following``."""
    bare = following.strip()
    if not bare or _opens_block(following):
        return False
    if line.endswith(("  ", "\\")):
        return bare[0].islower()
    return not _ends_sentence(line) or bare[0].islower()


def _opens_block(line: str) -> bool:
    bare = line.lstrip()
    if bare.startswith(("#", ">", "```", "~~~", "|", "<!--", "- ", "* ", "+ ", "• ")) or _is_underline(bare):
        return True
    digits = len(bare) - len(bare.lstrip("0123456789"))
    return 0 < digits < 10 and bare[digits : digits + 2] in (". ", ") ")


def _ends_sentence(line: str) -> bool:
    bare = line.rstrip().rstrip(_CLOSERS)
    last = bare[-12:].lower().rsplit(maxsplit=1)
    return bare.endswith(_SENTENCE_END) and not (last and last[-1].lstrip("(").endswith(_ABBREVIATIONS))
