"""Connect and disconnect one file: its text before, its text after."""

from __future__ import annotations

import json

from upheld.services.connect import block, splice, toml_table
from upheld.services.connect.jsonc import Node, UneditableError, parse
from upheld.services.connect.ours import hook_of, is_server
from upheld.services.connect.registration import SERVER, Block, Hooks, Raw, Server

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.services.connect.registration import Settings

_BLANK = "\ufeff \t\r\n"


def connected(text: str, settings: Settings) -> str:
    """Return the text of a file with our entries in it, each once and as they should be.

    Raises:
        UneditableError: the file cannot be edited without a risk to what else stands in it.
    """
    for part in settings.parts:
        if isinstance(part, Hooks):
            text = _with_hooks(text, part)
        elif isinstance(part, Server):
            text = _with_server(text, part, settings.form)
        elif isinstance(part, Block):
            text = block.put(text, part.lines)
    return text


def disconnected(text: str, settings: Settings) -> str:
    """Return the text of a file without our entries, wherever they stand by now.

    Raises:
        UneditableError: see ``connected``.
    """
    for part in reversed(settings.parts):
        if isinstance(part, Hooks) and text.strip(_BLANK):
            text = _without_hooks(text)
        elif isinstance(part, Server) and settings.form == "toml":
            text = toml_table.cut(text, part.path)
        elif isinstance(part, Server) and text.strip(_BLANK):
            text = _without_server(text, part.path[:-1])
        elif isinstance(part, Block):
            text = block.cut(text)
    return text


def restored(present: str, before: str, settings: Settings) -> str:
    """Return what a file should say once we are gone: the bytes of before, where nobody changed anything else since.

    Args:
        present: the file as it is.
        before: a copy from before a change of ours.
        settings: the registration.
    """
    left = disconnected(present, settings)
    try:
        was = disconnected(connected(before, settings), settings)
    except UneditableError:
        return left
    return disconnected_if_ours(before, settings) if was == left else left


def disconnected_if_ours(text: str, settings: Settings) -> str:
    """Return the very text unless something of ours stands in it: a copy may be from between two connections."""
    return text if not holds_ours(text, settings) else disconnected(text, settings)


def holds_ours(text: str, settings: Settings) -> bool:
    """Whether something of ours stands in a file."""
    try:
        return disconnected(text, settings) != text
    except UneditableError:
        return False


def is_empty(text: str, settings: Settings) -> bool:
    """Whether nothing is said in a file: what remains of one that we made ourselves."""
    return not text.strip(_BLANK) or (settings.form == "json" and text.strip(_BLANK) == "{}")


def to_paste(settings: Settings) -> str:
    """Return the whole of what goes into a file, for a person to put there."""
    raw = [part.value for part in settings.parts if isinstance(part, Raw)]
    if raw:
        return raw[0] if isinstance(raw[0], str) else json.dumps(raw[0], indent=2, ensure_ascii=False) + "\n"
    return connected("", settings)


# --- hooks ------------------------------------------------------------------------------------------------------------


def _with_hooks(text: str, hooks: Hooks) -> str:
    text = text if text.strip(_BLANK) else "{}\n"
    for event, entry in hooks.entries.items():
        found = [place for place in _places(parse(text)) if place[0] == event]
        for _, group, number in reversed(found[1:]):
            text = _cut_hook(text, event, group, number)
        if not found:
            text = splice.append(text, ("hooks", event), {"hooks": [entry]})
            continue
        _, group, number = found[0]
        node = parse(text).at(("hooks", event, group, "hooks", number))
        if node is not None and node.plain() != entry:
            text = splice.replace(text, node, entry)
    # What an older version registered for events that are no longer wanted.
    for event, group, number in reversed(_places(parse(text))):
        if event not in hooks.entries:
            text = _cut_hook(text, event, group, number)
    return text


def _without_hooks(text: str) -> str:
    for event, group, number in reversed(_places(parse(text))):
        text = _cut_hook(text, event, group, number)
    return text


def _places(root: Node) -> list[tuple[str, int, int]]:
    """Return event, group and number of every hook of ours, in the order of the text."""
    hooks = root.get("hooks")
    made: list[tuple[str, int, int]] = []
    if hooks is None or hooks.kind != "object":
        return made
    for event, groups in zip(hooks.keys, hooks.children, strict=True):
        for number, group in enumerate(groups.children if groups.kind == "array" else ()):
            inner = group.get("hooks") if group.kind == "object" else None
            entries = inner.children if inner is not None and inner.kind == "array" else ()
            made += [(event, number, place) for place, entry in enumerate(entries) if hook_of(entry.plain())]
    if made and len(set(hooks.keys)) < len(hooks.keys):
        raise UneditableError("an event stands twice under `hooks`")
    return made


def _cut_hook(text: str, event: str, group: int, number: int) -> str:
    """Take out one hook, and what is empty without it."""
    text = splice.cut(text, ("hooks", event, group, "hooks", number))
    for path in (("hooks", event, group, "hooks"), ("hooks", event), ("hooks",)):
        node = parse(text).at(path)
        if node is None or node.children:
            break
        text = splice.cut(text, path[:-1] if path[-1] == "hooks" and len(path) > 1 else path)
    return text


# --- the server -------------------------------------------------------------------------------------------------------


def _with_server(text: str, server: Server, form: str) -> str:
    if form == "toml":
        return toml_table.put(text, server.path, server.entry)
    text = text if text.strip(_BLANK) else "{}\n"
    root = parse(text)
    present = root.at(server.path) if root.kind == "object" else None
    if present is not None and not is_server(present.plain()):
        raise UneditableError(f"`{'.'.join(server.path)}` is there and was not written by Upheld")
    others = [name for name in _servers(root, server.path[:-1]) if name != SERVER]
    for name in others:
        text = splice.cut(text, (*server.path[:-1], name))
    present = parse(text).at(server.path)
    return (
        text if present is not None and present.plain() == server.entry else splice.put(text, server.path, server.entry)
    )


def _without_server(text: str, path: tuple[str, ...]) -> str:
    for name in reversed(_servers(parse(text), path)):
        text = splice.cut(text, (*path, name))
        node = parse(text).at(path)
        if node is not None and not node.children:
            text = splice.cut(text, path)
    return text


def _servers(root: Node, path: tuple[str, ...]) -> list[str]:
    """Return the names of the servers that are ours."""
    node = root.at(path) if root.kind == "object" else None
    if node is None or node.kind != "object":
        return []
    named = zip(node.keys, node.children, strict=True)
    return [name for name, child in named if child.kind == "object" and is_server(child.plain())]
