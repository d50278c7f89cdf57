"""Route over several stores that are mounted at once."""

from __future__ import annotations

from upheld.compose.library import open
from upheld.model.answer import Refusal
from upheld.routing.several import merge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.compose.semantic import SemanticRouter
    from upheld.model.route import Routed


def route_over(
    stores: tuple[str, ...],
    text: str,
    *,
    paths: tuple[str, ...] = (),
    tools: tuple[str, ...] = (),
    commands: tuple[str, ...] = (),
    load: bool = False,
    ranked: bool = False,
    unsealed: bool = False,
    as_of: str | None = None,
    pin: str | None = None,
    semantic: SemanticRouter | None = None,
) -> Routed | Refusal:
    """Route one task over several stores.

    Args:
        stores: folders, the first ranking highest.
        text: the task, in words.
        paths: files at hand.
        tools: tools about to be used.
        commands: commands about to be run.
        load: also recall the keys of a match, each from the store that it was found in.
        ranked: whether the order of the stores settles a key that several of them match.
        unsealed: as in ``open``.
        as_of: as in ``open``.
        pin: as in ``open``.
        semantic: as in ``Memory.route``.

    Returns:
        The route; the refusal of a store where one must not be used.
    """
    memories = [open(store, unsealed=unsealed, as_of=as_of, pin=pin) for store in stores]
    routes = []
    for memory in memories:
        route = memory.route(text, paths=paths, tools=tools, commands=commands, semantic=semantic)
        if isinstance(route, Refusal):
            return route
        choices = tuple(choice.replace(store=memory.path) for choice in route.choices)
        why = f"{memory.path}: {route.why}"
        routes.append(route.replace(choices=choices, why=why))
    merged = merge(tuple(routes), ranked=ranked)
    if not load or not merged.keys:
        return merged
    by_path = {memory.path: memory for memory in memories}
    return merged.replace(loaded=tuple(by_path[choice.store].recall(choice.key) for choice in merged.choices))
