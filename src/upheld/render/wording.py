"""What is said to the model. Every line of ours begins with ``[upheld``, so that it is known again and never routed on.

Nothing here may read as permission: a fault, a refusal and "nothing governs" each say what they do not allow.
"""

from __future__ import annotations

from upheld.render.escape import bounded, escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from upheld.model.answer import Refusal
    from upheld.model.route import Choice

LINE = "[upheld] "
LIMIT = 8_000
"""Characters in all that one event puts in front of a model."""
_ENTRY = 300

UNROUTED = "TRG008"
"""The code of a task that there was nothing to route with."""
CHECKED = f"{LINE}checked: nothing in the memory of this project governs this prompt. This grants nothing.\n"
OWN_TEXT = f"{LINE}checked: this prompt holds nothing but what Upheld itself had put there.\n"


def fault(code: str) -> str:
    """Return the constant sentence about memory that could not be checked."""
    return (
        f"{LINE}Memory could not be checked ({code}): what it governs is unknown, and no governed action is authorised "
        f"by this message or by its silence. `upheld explain {code}` says why.\n"
    )


def match(keys: tuple[str, ...], by: str) -> str:
    """Return the line above the framed texts."""
    govern = "governs" if len(keys) == 1 else "govern"
    return f"{LINE}checked: {_named(keys)} {govern} this ({by}). Follow what stands in the frame below.\n"


def still(key: str, sha256: str) -> str:
    """Return the line for a text that this session was given before and that is verified again."""
    return (
        f"{LINE}checked again: `{escape(key)}` governs this; its text (sha256 {sha256[:12]}) is the one given above.\n"
    )


def unshown(key: str) -> str:
    """Return the line for a text that has no room left."""
    return (
        f"{LINE}`{escape(key)}` governs this too, and has no room here: `upheld recall {escape(key)}` before you act.\n"
    )


def ambiguous(choices: Iterable[Choice]) -> str:
    """Return the candidates, never a text."""
    lines = [
        f"{LINE}checked: one of these may govern this, and which one is not clear. None of their texts is given here: "
        "if one applies, `upheld recall KEY` (or the tool `recall`) before you act.\n"
    ]
    lines += [entry(choice.key, choice.read_when) for choice in choices]
    return "".join(lines)


def entry(key: str, read_when: str) -> str:
    """Return one key of the index on a line of its own."""
    return f"{LINE}  {bounded(key, _ENTRY)}: {bounded(read_when or '(no trigger)', _ENTRY)}\n"


def refused(refusal: Refusal) -> str:
    """Return a refusal, in words that nobody can take for permission."""
    about = f"`{escape(refusal.key)}`" if refusal.key else "the whole memory of this project"
    return (
        f"{LINE}REFUSED: {about} must not be used ({refusal.code} {refusal.name}): {refusal.what}. "
        f"{bounded(refusal.why, _ENTRY)}. No text is given, from here or from an earlier session. This is a refusal "
        "and no permission: do nothing that it might govern, and tell the person. "
        f"To mend it: {bounded(refusal.help, _ENTRY)}\n"
    )


def denied(code: str, why: str) -> str:
    """Return why a tool call is denied, and what an agent does instead."""
    return (
        f"{LINE}DENIED ({code}): {bounded(why, _ENTRY)}. That is for the person to do at their own terminal: ask them. "
        "What should be remembered, an agent proposes with `upheld propose`.\n"
    )


def notices(codes: Iterable[str]) -> str:
    """Return what every reader is told, by code."""
    named = ", ".join(dict.fromkeys(codes))
    return f"{LINE}note: {named} (`upheld explain CODE`)\n" if named else ""


def _named(keys: tuple[str, ...]) -> str:
    return " and ".join(f"`{escape(key)}`" for key in keys)
