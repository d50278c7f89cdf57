"""The output formats, and the way from a value to its text in one of them.

Each format is one module with one function a kind of value, called like the value's class in lower case (``answer``,
``refusal``, ``verdict``). One more format is one more file and one line here. Stands on the cold path: a module is
loaded when its format is asked for.
"""

from __future__ import annotations

import sys

from upheld.errors import UsageError
from upheld.model.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

MODULES = {
    "text": "upheld.render.text",
    "concise": "upheld.render.concise",
    "json": "upheld.render.json",
    "sarif": "upheld.render.sarif",
    "github": "upheld.render.github",
}
FORMATS = tuple(MODULES)
_LOCATING = ("sarif", "github")


class Scene(Value):
    """What a format that points at files must know beside the value.

    Attributes:
        root: the store's folder as seen from where the reader stands (a repository's root), with forward slashes.
        version: the version of Upheld that looked.
    """

    root: str = ""
    version: str = ""


def rendered(value: object, form: str, scene: Scene | None = None) -> str:
    """Render one value.

    Raises:
        UsageError: this format has nothing to say about such a value.
    """
    kind = type(value).__name__.lower()
    render = getattr(_module(form), kind, None)
    if render is None:
        raise UsageError(f"--format {form} shows faults, and this command shows a {kind}", help="try --format json")
    made: str = render(value, scene or Scene()) if form in _LOCATING else render(value)
    return made


def _module(form: str) -> ModuleType:
    name = MODULES[form]
    __import__(name)
    return sys.modules[name]
