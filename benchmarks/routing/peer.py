"""Answer one question of ``semantic.py`` with the package ``semantic-router`` itself, over vectors that it is given.

Runs in an environment of its own, which has that package and not this project. Reads one JSON object, prints one list
of [route, height] pairs: the best route of each task, with no limit set.
"""

from __future__ import annotations

import json
import sys


def main() -> None:
    """Read, ask, print."""
    from semantic_router import IndexedRouter, Route
    from semantic_router.encoders import DenseEncoder

    asked = json.load(sys.stdin)
    vectors = asked["vectors"]

    class Given(DenseEncoder):  # type: ignore[misc,unused-ignore]
        """The vectors of this run."""

        name: str = "given"

        def __call__(self, docs: list[str]) -> list[list[float]]:
            return [vectors[doc] for doc in docs]

    routes = [Route(name=key, utterances=list(said)) for key, said in asked["routes"].items()]
    router = IndexedRouter(Given(), routes, top_k=5, aggregation=asked["rule"])
    found = [router(task) for task in asked["tasks"]]
    print(json.dumps([[one.name or "", one.confidence or 0.0] for one in found]))


if __name__ == "__main__":
    main()
