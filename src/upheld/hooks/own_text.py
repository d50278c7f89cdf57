"""Take out of a prompt what Upheld put there: some clients hand our own text back in the next prompt."""

from __future__ import annotations

_OPEN, _CLOSE = "<hook_context>", "</hook_context>"
_START = "[upheld"
_MARK = 12
_HEX = frozenset("0123456789abcdef")


def without_own_text(prompt: str) -> str:
    """Return the prompt without our lines, our frames, and a client's wrapping around nothing but these."""
    if _START not in prompt:
        return prompt
    kept: list[str] = []
    ends = ""
    lines = prompt.split("\n")
    last = {line[: line.find("`") + 1]: at for at, line in enumerate(lines) if line.startswith(_START)}
    for at, line in enumerate(lines):
        text = line.removeprefix(_OPEN)
        if ends:
            if text.startswith(ends):
                ends = ""
                kept.append(_CLOSE if _CLOSE in text else "")
        elif text.startswith(_START):
            mark = _mark_of(text)
            ends = f"{_START} {mark}] end of `" if mark else ""
            # A frame that never ends is an imitation, or was cut: what follows is the person's, and is routed on.
            ends = ends if last.get(ends, 0) > at else ""
            kept.append((_OPEN if text != line else "") + (_CLOSE if _CLOSE in text else ""))
        else:
            kept.append(line)
    return _without_wrapped("\n".join(line for line in kept if line)).strip()


def _without_wrapped(text: str) -> str:
    """What a client wrapped came from hooks, ours or another's: never the person's words."""
    *wrapped, last = text.split(_CLOSE)
    return "".join(part.partition(_OPEN)[0] for part in wrapped) + last


def _mark_of(line: str) -> str:
    """The mark of a frame's first line; nothing for any other line of ours."""
    mark = line[len(_START) + 1 : len(_START) + 1 + _MARK]
    return mark if len(mark) == _MARK and _HEX.issuperset(mark) and line[len(_START) + 1 + _MARK :][:1] == "]" else ""
