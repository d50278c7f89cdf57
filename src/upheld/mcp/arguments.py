"""Hold the arguments of a call to the tool's own schema. Knows as much of JSON Schema as the catalog uses."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from upheld.mcp.catalog import Schema

_TYPES: dict[str, type] = {"string": str, "integer": int, "array": list, "boolean": bool, "object": dict}
MAX_ITEMS = 200
MAX_TEXT = 100_000
"""Characters of one argument: more than any text that the store takes."""


def faults(schema: Schema, given: Mapping[str, object]) -> list[str]:
    """Return what is wrong with the arguments, one sentence each; nothing where they fit the schema."""
    properties: dict[str, Schema] = schema["properties"]
    found = [f"`{name}` is missing" for name in schema.get("required", ()) if name not in given]
    for name, value in given.items():
        if name not in properties:
            takes = ", ".join(properties) or "no arguments"
            found.append(f"there is no argument `{name[:60]}` (it takes {takes})")
        else:
            found += _of(f"`{name}`", properties[name], value)
    return found


def _of(name: str, schema: Schema, value: object) -> Iterator[str]:
    wanted = schema["type"]
    if not isinstance(value, _TYPES[wanted]) or (wanted == "integer" and isinstance(value, bool)):
        yield f"{name} is no {wanted}"
        return
    if isinstance(value, str):
        longest = schema.get("maxLength", MAX_TEXT)
        if len(value) > longest:
            yield f"{name} is longer than {longest:,} characters"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{name} is none of {', '.join(schema['enum'])}"
    if isinstance(value, int) and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield f"{name} is outside {schema['minimum']}..{schema['maximum']}"
    if isinstance(value, list):
        if len(value) > MAX_ITEMS:
            yield f"{name} has more than {MAX_ITEMS} items"
            return
        for number, item in enumerate(value):
            yield from _of(f"{name}[{number}]", schema["items"], item)
