"""What the server offers, as the plain values that go over the wire: tools, resources, instructions.

One table for the thin front, the SDK's server and the reference page, so that they cannot differ. Nothing here depends
on a store: the lists are the same for everybody, in this order. A test holds all of it below six kilobytes.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Schema = dict[str, Any]

NAME = "upheld"
TITLE = "Upheld: verified project memory"
INSTRUCTIONS = (
    "Upheld holds this project's instructions, each verified when it is read. Before you write, change, name, run, "
    "review or release something, call `route` with the task (and paths or commands at hand); if you know the key, "
    "call `recall`. What they return is data from the named source: apply it to this task. An error is a refusal: then "
    "no instruction was served, so do not act on a remembered or guessed one, and tell the user the code and the "
    "help. To have something remembered, call `propose`; only a person can approve it."
)
INDEX_URI = "upheld://index"
KEY_URI = "upheld://key/"
SERVED_AS = "text/plain"

READING = {"readOnlyHint": True, "destructiveHint": False, "idempotentHint": True, "openWorldHint": False}
WRITING = {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False}


def _text(about: str = "", **more: object) -> Schema:
    return {"type": "string", **({"description": about} if about else {}), **more}


def _texts(about: str = "") -> Schema:
    return {"type": "array", **({"description": about} if about else {}), "items": {"type": "string"}}


def _takes(required: tuple[str, ...] = (), **properties: Schema) -> Schema:
    needed = {"required": list(required)} if required else {}
    return {"type": "object", "properties": properties, **needed, "additionalProperties": False}


def _gives(*outcomes: str, **properties: Schema) -> Schema:
    """An outcome, and where it is a refusal or a failure its code, reason and help."""
    said = {"outcome": {"type": "string", "enum": [*outcomes, "refused", "failed"]}, **properties}
    said |= {name: {"type": "string"} for name in ("code", "reason", "help")}
    return {"type": "object", "properties": said, "required": ["outcome"]}


_STRING: Schema = {"type": "string"}
_WHOLE: Schema = {"type": "integer"}
_PAIRS: Schema = {
    "type": "array",
    "items": {"type": "object", "properties": {"key": _STRING, "read_when": _STRING}},
}

TOOLS: tuple[dict[str, Any], ...] = (
    {
        "name": "recall",
        "title": "Recall one instruction",
        "description": (
            "Return the current, verified text of one key, framed with its source and dates, or a refusal with code, "
            "reason and help. Call it when you know the key; else call route."
        ),
        "inputSchema": _takes(("key",), key=_text("A key from index or route.", maxLength=200)),
        "outputSchema": _gives(
            "verified", "unsealed", key=_STRING, text=_STRING, source=_STRING, source_sha256=_STRING,
            review_on=_STRING, expires_on=_STRING, nearest=_texts(), notices=_texts(),
        ),
        "annotations": READING,
    },
    {
        "name": "route",
        "title": "Find what governs a task",
        "description": (
            "Call before acting. Finds the instruction that governs a task: match returns its verified text, ambiguous "
            "returns candidate keys to recall by name, none means that nothing here governs it."
        ),
        "inputSchema": _takes(
            ("task",),
            task=_text("The task in the user's words."),
            paths=_texts("Files at hand, relative to the repository."),
            tools=_texts("Tools about to be used."),
            commands=_texts("Commands about to be run."),
        ),
        "outputSchema": _gives(
            "match", "ambiguous", "none", why=_STRING, keys=_texts(), text=_STRING, candidates=_PAIRS, notices=_texts(),
        ),
        "annotations": READING,
    },
    {
        "name": "index",
        "title": "List the keys",
        "description": "List the keys and when each applies, without their texts, as far as a budget goes.",
        "inputSchema": _takes(
            budget={"type": "integer", "minimum": 0, "maximum": 50000, "description": "Characters; default 8000."},
        ),
        "outputSchema": _gives("verified", "unsealed", keys=_PAIRS, shown=_WHOLE, total=_WHOLE),
        "annotations": READING,
    },
    {
        "name": "propose",
        "title": "Propose something to remember",
        "description": (
            "Ask that something be remembered, corrected or retired. It waits for a person and is served to nobody "
            "until they approve it."
        ),
        "inputSchema": _takes(
            ("key", "because"),
            key=_text("Lower-case letters, digits and hyphens.", maxLength=64),
            text=_text("The whole text; none for a retirement."),
            when=_text("When it applies, in one sentence; needed for a new key."),
            because=_text("Why."),
            kind={"type": "string", "enum": ["new", "correction", "retirement", "triggers"]},
            fires=_texts("Tasks that it governs."),
        ),
        "outputSchema": _gives(
            "proposed", id=_STRING, key=_STRING, kind=_STRING, endorsed={"type": "boolean"}, notes=_texts()
        ),
        "annotations": WRITING,
    },
    {
        "name": "status",
        "title": "State of the store",
        "description": "Verify the store and say what is due, what waits for a person, and how old the last sync is.",
        "inputSchema": _takes(),
        "outputSchema": _gives(
            "verified", "unverified", store=_STRING, pinned={"type": "boolean"}, sealed={"type": "boolean"},
            version=_WHOLE, keys=_WHOLE, refused=_texts(), last_sync=_STRING, due=_texts(), pending=_WHOLE,
            not_checked=_texts(), extras=_texts(), semantic=_STRING,
        ),
        "annotations": READING,
    },
)  # fmt: skip

RESOURCES: tuple[dict[str, Any], ...] = (
    {
        "name": "index",
        "title": "The keys, and when each applies",
        "uri": INDEX_URI,
        "description": "Every key of the store with the sentence that says when to recall it.",
        "mimeType": SERVED_AS,
    },
)
TEMPLATES: tuple[dict[str, Any], ...] = (
    {
        "name": "key",
        "title": "One instruction",
        "uriTemplate": f"{KEY_URI}{{key}}",
        "description": "The current, verified text of one key, framed with its source.",
        "mimeType": SERVED_AS,
    },
)


def input_schema(name: str) -> Schema | None:
    """Return the input schema of a tool; None where there is no such tool."""
    return next((tool["inputSchema"] for tool in TOOLS if tool["name"] == name), None)
