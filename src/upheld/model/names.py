"""Which relative names are safe to hand to a file system, and which keys we write.

Judged on the text alone, before any system call (ATTACKS D1): a name that one platform would read in another way than
the rest is unsafe everywhere, so that a store means the same on each of them.
"""

from __future__ import annotations

MAX_NAME = 1024
MAX_COMPONENT = 255
_RESERVED = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{device}{digit}" for device in ("com", "lpt") for digit in "0123456789¹²³"]
)
RESERVED_STARTS = frozenset(device[:3] for device in _RESERVED)
PLAIN = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._"
_KEY_START = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_KEY_REST = _KEY_START | {"-"}
MAX_KEY = 64


def unsafe(name: str) -> str:
    """Say why ``name`` must not be opened below a store, or return the empty string if it is safe.

    Safe is: relative, forward slashes, no empty, ``.`` or ``..`` component, nothing that a platform would read as a
    drive, a device, a stream, a share or a shortened name.
    """
    if not name:
        return "it is empty"
    if len(name) > MAX_NAME:
        return f"it is longer than {MAX_NAME} characters"
    if not name.isprintable():
        return "it holds a control or invisible character"
    if "\\" in name:
        return "it holds a backslash"
    if ":" in name:
        return "it holds a colon (a drive letter or a stream)"
    if name[0] == "/":
        return "it is an absolute path"
    for component in name.split("/"):
        reason = _unsafe_component(component)
        if reason:
            return reason
    return ""


def carries_digest(name: str) -> bool:
    """Whether a file's name carries the digest of its bytes, or its beginning: other bytes get another name."""
    parts = name.rpartition("/")[2].split(".")
    return any(len(part) in (12, 64) and not part.strip("0123456789abcdef") for part in parts)


def is_plain(step: str) -> bool:
    """Whether one step of a name is safe at first sight, as nearly all are: ASCII letters, digits and ``-._``."""
    return (
        0 < len(step) <= MAX_COMPONENT
        and step.isascii()
        and not step.encode().translate(None, PLAIN)
        and step[-1] != "."
        and (step[:3].lower() not in RESERVED_STARTS or step.partition(".")[0].lower() not in _RESERVED)
    )


def _unsafe_component(component: str) -> str:
    if component in ("", "."):
        return "it holds an empty step"
    if component == "..":
        return "it holds a parent step"
    if component[-1] in ". ":
        return "a step ends in a dot or a space"
    if component.split(".", 1)[0].rstrip(" ").lower() in _RESERVED:
        return "a step is a reserved device name"
    if len(component.encode("utf-8", "surrogatepass")) > MAX_COMPONENT:
        return f"a step is longer than {MAX_COMPONENT} bytes"
    return ""


def is_key(key: str) -> bool:
    """Whether ``key`` is one that we write: ``[a-z0-9][a-z0-9-]{0,63}``, and no device name on any platform."""
    return (
        0 < len(key) <= MAX_KEY
        and key[0] in _KEY_START
        and all(character in _KEY_REST for character in key)
        and key not in _RESERVED
    )


def is_digest(text: object) -> bool:
    """Whether ``text`` is a SHA-256 digest as we write it: 64 lower-case hexadecimal digits."""
    return isinstance(text, str) and len(text) == 64 and not text.strip("0123456789abcdef")


def short(digest: str) -> str:
    """Abbreviate a digest for people: first eight and last four digits."""
    return f"{digest[:8]}…{digest[-4:]}" if len(digest) > 13 else digest
