"""Front matter: plain ``name: value`` lines between two lines ``---`` at the top of a Markdown file.

Not YAML: no nesting, no lists, no anchors; a value may stand in quotation marks. What is not of this form is refused,
so nothing is read in another way than a person reads it.
"""

from __future__ import annotations

from upheld.errors import UsageError
from upheld.model.value import Value

KNOWN = ("key", "when", "because", "owner", "volatility", "review_on", "expires_on")
_FENCE = "---"


class FrontMatter(Value):
    """The fields that were said, by name, and the text below them."""

    fields: tuple[tuple[str, str], ...]
    text: str

    def get(self, name: str) -> str:
        """Return a field, or nothing."""
        return dict(self.fields).get(name, "")


def split(text: str) -> FrontMatter:
    """Take the front matter off a text; a text without any is all text.

    Raises:
        UsageError: the front matter does not end, or a line of it is not ``name: value``, or names an unknown field.
    """
    lines = text.splitlines(keepends=True)
    if not lines or lines[0].rstrip() != _FENCE:
        return FrontMatter(fields=(), text=text)
    end = next((at for at, line in enumerate(lines[1:], 1) if line.rstrip() == _FENCE), None)
    if end is None:
        raise UsageError("its front matter does not end", help="close it with a line `---`")
    fields: dict[str, str] = {}
    for at, line in enumerate(lines[1:end], 2):
        if line.strip():
            name, value = _field(line, at)
            if name in fields:
                raise UsageError(f"line {at}: `{name}` is said twice")
            fields[name] = value
    return FrontMatter(fields=tuple(fields.items()), text="".join(lines[end + 1 :]).lstrip("\r\n"))


def _field(line: str, at: int) -> tuple[str, str]:
    name, colon, value = line.partition(":")
    name, value = name.strip(), value.strip()
    if not colon or line[0].isspace():
        raise UsageError(f"line {at} is not `name: value`", help="nested front matter is not read")
    if name not in KNOWN:
        raise UsageError(f"line {at}: the field `{name[:40]}` is not known", help=f"one of {', '.join(KNOWN)}")
    for mark in ('"', "'"):
        if len(value) >= 2 and value.startswith(mark) and value.endswith(mark):
            return name, value[1:-1]
    return name, value


def key_from(name: str) -> str:
    """Return the key that a file's name suggests: its stem in lower case, everything else as hyphens."""
    stem = name.rpartition("/")[2].rpartition(".")[0].lower()
    made = "".join(c if c.isascii() and c.isalnum() else "-" for c in stem)
    return "-".join(part for part in made.split("-") if part)[:64].rstrip("-")
