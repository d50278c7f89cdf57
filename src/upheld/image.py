"""Start with many small modules at once: the compiled code of what one kind of call needs, in one file, the *image*.

A call that runs some ninety modules of ours once and ends pays more for finding each of them than for running it. So
their code also lies in one file, beside the compiled files that Python keeps, and is believed as far as those are: when
the time or size of one source has changed, everything is imported as usual and the image is made anew. What a run needs
besides is added to it. Where none can be written, everything is imported as usual (docs/adr/0003-cold-path.md).
"""

from __future__ import annotations

import os
import sys
from marshal import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.machinery import ModuleSpec
    from types import CodeType, ModuleType
    from typing import Any

    Row = tuple[str, str, bool, int, int]
    Held = tuple[tuple[Row, ...], tuple[CodeType, ...]]
else:
    ModuleSpec, ModuleType = type(sys.__spec__), type(sys)

_UNUSUAL = frozenset(
    (
        *("upheld.model.codes", "upheld.services.admission_slow", "cryptography", "click"),
        *("ast", "contextlib", "datetime", "hashlib", "inspect", "json", "re", "sqlite3", "subprocess", "tempfile"),
        *("threading", "typing", "unicodedata"),
    )
)
"""What only a run loads that met a fault or something new. Its modules are no model for the others, which would all pay
for what is large in the standard library."""


def with_image(folder: str, name: str, call: Callable[[], int]) -> int:
    """Call with the modules of an image in place, make or extend the image afterwards, and return what was returned.

    Args:
        folder: of the package whose ``__pycache__`` holds the image.
        name: the kind of call; calls of one name need about the same modules.
        call: imports what it needs, and answers.
    """
    file = os.path.join(folder, "__pycache__", f"{name}.{sys.implementation.cache_tag}.image")
    unusual = _UNUSUAL.difference(sys.modules)  # what Python's own start has loaded costs nothing more
    held = _load(file)
    recorder = Recorder()
    sys.meta_path.insert(0, recorder)
    code = call()
    if recorder.finished and not sys.dont_write_bytecode and unusual.isdisjoint(sys.modules):
        _save(file, held, recorder.finished)
    return code


def _load(file: str) -> Held:
    """Put the modules of an image in place and return it; an empty one where it is missing or out of date."""
    try:
        with open(file, "rb", buffering=0) as opened:
            version, rows, codes = loads(opened.read())  # noqa: S302 - as much as any compiled file beside it
    except (OSError, EOFError, ValueError, TypeError):
        return (), ()
    if version != sys.version or not all(_stamp(row[1]) == row[3:] for row in rows):
        return (), ()
    before = set(sys.modules)
    try:
        for row, code in zip(rows, codes, strict=True):
            _put(row, code)
        for row in rows:  # a package is ready after the modules that it imports itself
            parent, _, leaf = row[0].rpartition(".")
            setattr(sys.modules[parent], leaf, sys.modules[row[0]])
    except Exception:  # noqa: BLE001 - a boundary: whatever is wrong with an image, the sources are still there
        for name in set(sys.modules) - before:
            del sys.modules[name]
        return (), ()
    return rows, codes


def _put(row: Row, code: CodeType) -> None:
    """Do what an import does, for a module whose own imports are in place already."""
    name, source, is_package = row[:3]
    if name in sys.modules:
        return
    module: Any = ModuleType(name)
    module.__spec__ = ModuleSpec(name, None, origin=source, is_package=is_package)
    module.__file__ = source
    module.__package__ = name if is_package else name.rpartition(".")[0]
    if is_package:
        module.__path__ = module.__spec__.submodule_search_locations = [os.path.dirname(source)]
    sys.modules[name] = module
    exec(code, module.__dict__)  # noqa: S102 - what importing is


class Recorder:
    """An importer that leaves everything to the others and notes the order in which our modules were ready."""

    def __init__(self) -> None:
        self.finished: list[tuple[str, ModuleSpec]] = []

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """Return what the others find."""
        if not name.startswith("upheld."):
            return None
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target) if finder is not self else None
            if spec is not None:
                spec.loader = _Recorded(self, spec)  # type: ignore[assignment]  # a loader is whatever has these methods
                return spec
        return None


class _Recorded:
    """A loader that notes when it is done."""

    def __init__(self, recorder: Recorder, spec: ModuleSpec) -> None:
        self._recorder, self._spec, self._loader = recorder, spec, spec.loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec) if self._loader is not None else None

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec
        self._spec.loader = self._loader
        if self._loader is not None:
            self._loader.exec_module(module)
        self._recorder.finished.append((module.__name__, self._spec))


def _save(file: str, held: Held, finished: list[tuple[str, ModuleSpec]]) -> None:
    """Write an image of what one held and what this run imported besides, in the order in which it was ready."""
    rows, codes = list(held[0]), list(held[1])
    temporary = f"{file}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(temporary, "xb") as made:  # first, for compiling takes long: where none can be written, none is made
            for name, spec in finished:
                source = spec.origin or ""
                rows.append((name, source, spec.submodule_search_locations is not None, *_stamp(source)))
                with open(source, "rb") as opened:
                    codes.append(_compiled(opened.read(), source))
            made.write(dumps((sys.version, tuple(rows), tuple(codes))))
        os.replace(temporary, file)
    except OSError:
        return


def _compiled(text: bytes, source: str) -> CodeType:
    """Compile a module without what no such call asks for: docstrings, and annotations of functions.

    Those of classes stay, for values are made of them.
    """
    import ast  # deferred: it is large, and an image is made once

    tree = ast.parse(text, source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None
        elif isinstance(node, ast.arg):
            node.annotation = None
    return compile(tree, source, "exec", dont_inherit=True, optimize=2)


def _stamp(source: str) -> tuple[int, int]:
    try:
        status = os.stat(source)
    except OSError:
        return (0, 0)
    return status.st_mtime_ns, status.st_size
