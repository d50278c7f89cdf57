"""Write plain values as JSON without importing ``json``, which would cost as much as a recall.

ASCII only, so that no terminal acts on what is shown, and nothing that a build service takes for a command. Keys in the
order given, two spaces of indent.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from json.encoder import encode_basestring_ascii
else:
    try:
        from _json import encode_basestring_ascii
    except ImportError:
        from json.encoder import encode_basestring_ascii


def dumps(value: object, indent: str = "\n") -> str:
    """Return ``value`` (None, booleans, whole numbers, strings, sequences and mappings with string keys) as JSON.

    Raises:
        TypeError: a value of another type.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return _string(value)
    deeper = indent + "  "
    if isinstance(value, dict):
        parts = [f"{dumps(key)}: {dumps(inner, deeper)}" for key, inner in value.items()]
        return "{" + deeper + ("," + deeper).join(parts) + indent + "}" if parts else "{}"
    if isinstance(value, list | tuple):
        parts = [dumps(inner, deeper) for inner in value]
        return "[" + deeper + ("," + deeper).join(parts) + indent + "]" if parts else "[]"
    raise TypeError(f"cannot write {type(value).__name__} as JSON")


def line(value: object) -> str:
    """Return a value as ``dumps`` does, on one line and without a space that is not needed.

    Raises:
        TypeError: a value of another type.
    """
    if isinstance(value, dict):
        return "{" + ",".join([f"{_string(key)}:{line(inner)}" for key, inner in value.items()]) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join([line(inner) for inner in value]) + "]"
    return dumps(value)


def _string(text: str) -> str:
    written = encode_basestring_ascii(text).replace("\x7f", "\\u007f")
    if "##" in written:  # `##[` and `##vso[` are commands anywhere in a line (see render.escape)
        written = written.replace("##[", "#\\u0023[").replace("##vso[", "#\\u0023vso[")
    return written
