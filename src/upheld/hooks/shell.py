"""A shell's command line as simple commands, as far as it can be seen without running it.

Quotes, escapes, chains (``;``, ``&&``, ``|``, line feeds), groups, substitutions, redirections and here-documents are
understood; variables, arithmetic and globs are left as they stand. Without ``shlex``, which would import ``re``.
"""

from __future__ import annotations

from upheld.model.value import Value

_BLANK = " \t"
_ENDS = ";&|\n()"
_DEEPEST = 8


class Simple(Value):
    """One simple command.

    Attributes:
        words: its words without their quotes; ``$()`` stands for what a substitution would give.
        writes: the files that its redirections write.
        document: what a here-document, or a here-string, feeds it.
    """

    words: tuple[str, ...]
    writes: tuple[str, ...] = ()
    document: str = ""


def simple_commands(line: str, depth: int = 0) -> list[Simple]:
    """Return every simple command of a line, those inside substitutions too, in the order met."""
    if depth > _DEEPEST:
        return []
    reader = _Reader(line)
    found = reader.read()
    for inside in reader.substituted:
        found += simple_commands(inside, depth + 1)
    return found


class _Reader:
    """One pass over one line."""

    def __init__(self, line: str) -> None:
        self.line = line.replace("\\\r\n", "").replace("\\\n", "")
        self.at = 0
        self.found: list[Simple] = []
        self.substituted: list[str] = []
        self.words: list[str] = []
        self.writes: list[str] = []
        self.document = ""
        self.waiting: list[tuple[str, int]] = []

    def read(self) -> list[Simple]:
        while self.at < len(self.line):
            char = self.line[self.at]
            if char in _ENDS:
                self.at += 1
                self._close()
                if char == "\n" and self.waiting:
                    self._skip_documents()
            elif char in _BLANK or char == "\r":
                self.at += 1
            elif char == "#":
                end = self.line.find("\n", self.at)
                self.at = len(self.line) if end < 0 else end
            elif char in "<>":
                self._redirect()
            else:
                self._take(self._word())
        self._close()
        return self.found

    def _take(self, word: str) -> None:
        if word.isdigit() and self.line[self.at : self.at + 1] in ("<", ">"):
            return  # a descriptor's number
        self.words.append(word)

    def _close(self) -> None:
        if self.words or self.writes:
            made = Simple(words=tuple(self.words), writes=tuple(self.writes), document=self.document)
            self.found.append(made)
        self.words, self.writes, self.document = [], [], ""

    def _redirect(self) -> None:
        start = self.at
        while self.at < len(self.line) and self.line[self.at] in "<>&|-!":
            self.at += 1
            if self.line[self.at - 1] in "-!" or self.line[self.at : self.at + 1] == "(":
                break
        sign = self.line[start : self.at]
        while self.at < len(self.line) and self.line[self.at] in _BLANK:
            self.at += 1
        if self.line[self.at : self.at + 1] in ("", *_ENDS):
            return
        target = self._word()
        if sign.startswith("<<") and not sign.startswith("<<<"):
            self.waiting.append((target, len(self.found)))
        elif sign == "<<<":
            self.document = target
        elif ">" in sign and not (sign.endswith("&") and target.isdigit()):
            self.writes.append(target)

    def _skip_documents(self) -> None:
        """What stands in a here-document is input, and no command of this line."""
        for end, number in self.waiting:
            kept: list[str] = []
            while self.at < len(self.line):
                stop = self.line.find("\n", self.at)
                stop = len(self.line) if stop < 0 else stop
                text = self.line[self.at : stop].strip("\t\r")
                self.at = stop + 1
                if text == end:
                    break
                kept.append(text)
            if number < len(self.found):
                self.found[number] = self.found[number].replace(document="\n".join(kept))
        self.waiting = []

    def _word(self) -> str:
        parts: list[str] = []
        while self.at < len(self.line):
            char = self.line[self.at]
            if char in _BLANK or char in _ENDS or char in "<>\r":
                break
            if char == "'":
                parts.append(self._single())
            elif char == '"':
                parts.append(self._double())
            elif char == "\\":
                parts.append(self.line[self.at + 1 : self.at + 2])
                self.at += 2
            elif char == "`" or self.line.startswith("$(", self.at):
                self._substitution()
                parts.append("$()")
            elif char == "$" and self.line[self.at + 1 : self.at + 2] in ("'", '"'):
                self.at += 1
            else:
                parts.append(char)
                self.at += 1
        return "".join(parts)

    def _single(self) -> str:
        end = self.line.find("'", self.at + 1)
        end = len(self.line) if end < 0 else end
        text = self.line[self.at + 1 : end]
        self.at = end + 1
        return text

    def _double(self) -> str:
        self.at += 1
        parts: list[str] = []
        while self.at < len(self.line) and self.line[self.at] != '"':
            char = self.line[self.at]
            if char == "\\":
                following = self.line[self.at + 1 : self.at + 2]
                parts.append(following if following in '"\\$`' else char + following)
                self.at += 2
            elif char == "`" or self.line.startswith("$(", self.at):
                self._substitution()
                parts.append("$()")
            else:
                parts.append(char)
                self.at += 1
        self.at += 1
        return "".join(parts)

    def _substitution(self) -> None:
        if self.line[self.at] == "`":
            end = self.line.find("`", self.at + 1)
            end = len(self.line) if end < 0 else end
            self.substituted.append(self.line[self.at + 1 : end])
        else:
            end = self._matching(self.at + 1)
            self.substituted.append(self.line[self.at + 2 : end])
        self.at = end + 1

    def _matching(self, start: int) -> int:
        depth, quote = 0, ""
        for at in range(start, len(self.line)):
            char = self.line[at]
            if quote:
                quote = "" if char == quote else quote
            elif char in "'\"":
                quote = char
            elif char in "()":
                depth += 1 if char == "(" else -1
                if depth == 0:
                    return at
        return len(self.line)
