"""The ``triggers`` verbs of the library: ``memory.triggers`` gives a ``Triggers`` whose methods are the commands."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager

from upheld.checks.finding_of import finding_of
from upheld.compose.judging import build_near
from upheld.compose.routes import BuiltRoutes, build_for, kept_limit
from upheld.compose.state import state_root
from upheld.compose.writing import base_of, perform
from upheld.errors import FaultError, StorageError, UsageError
from upheld.model.finding import worst_first
from upheld.model.names import is_key
from upheld.model.route import Rule, Task
from upheld.model.trigger_edit import TriggerEdit
from upheld.model.trigger_reports import Counted, Linted, Shown, Tried, Tuned
from upheld.model.value import Value
from upheld.model.written import Written
from upheld.ports.person import Ask
from upheld.routing.build import build
from upheld.routing.calibrate import FEWEST, calibrate
from upheld.routing.form import UNCALIBRATED
from upheld.routing.index import Index as RouteIndex
from upheld.routing.lint import lint
from upheld.routing.trial import Case, Score, try_cases
from upheld.services.base import Base
from upheld.services.every_rule import every_rule, trigger_faults
from upheld.services.prepared import Prepared
from upheld.services.rules import rule_of
from upheld.services.triggers import Edited, added, cleared, notes_on, plan_trigger, removed
from upheld.stores.route_file import route_file, shipped_lexicon
from upheld.stores.state_directory import StateReader
from upheld.wire import strictjson

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.compose.library import Memory

VERB = "triggers"
MAX_CASES = 16 * 1024 * 1024


class Triggers(Value):
    """The triggers of one store."""

    memory: Memory

    def add(self, key: str, edit: TriggerEdit, *, dry_run: bool = False, ask: Ask | None = None) -> Written:
        """Add matchers, examples or relations to the trigger of ``key``, in one sealed change.

        Raises:
            UsageError: the key is unknown, or nothing would change.
            RefusedError: TRG001 to TRG005, or the trigger as it stands cannot be read.
        """
        return self._change(key, edit, added, dry_run, ask)

    def remove(self, key: str, edit: TriggerEdit, *, dry_run: bool = False, ask: Ask | None = None) -> Written:
        """Take matchers, examples or relations out of the trigger of ``key``; see ``add``."""
        return self._change(key, edit, removed, dry_run, ask)

    def clear(self, key: str, *, dry_run: bool = False, ask: Ask | None = None) -> Written:
        """Leave ``key`` nothing but its sentence."""
        return self._change(key, TriggerEdit(), cleared, dry_run, ask)

    def _change(self, key: str, edit: TriggerEdit, how: Edited, dry_run: bool, ask: Ask | None) -> Written:
        def prepare(base: Base) -> Prepared:
            pointer = base.pointer(key)
            if pointer is None:
                raise base.unknown(key)
            notes = notes_on(base, how(rule_of(base.store, pointer), edit))
            return Prepared(plan=plan_trigger(key, edit, how), key=key, notes=notes)

        return perform(self.memory, VERB, prepare, dry_run=dry_run, ask=ask)

    def show(self, key: str) -> Shown:
        """Return the trigger of ``key``.

        Raises:
            UsageError: the key is unknown.
        """
        with base_of(self.memory, VERB) as base:
            pointer = base.pointer(key)
            if pointer is None:
                raise base.unknown(key)
            faults = trigger_faults(base, pointer)
            return Shown(rule=rule_of(base.store, pointer), findings=tuple(finding_of(fault, key) for fault in faults))

    def lint(self) -> Linted:
        """Return what is wrong with every trigger alone, and with all of them together."""
        with base_of(self.memory, VERB) as base:
            rules, findings = every_rule(base)
        return Linted(findings=worst_first((*findings, *lint(rules))), rules=len(rules))

    def build(self) -> Tuned:
        """Build the route index of this place anew, with the limit chosen anew, and read the near index in whole."""
        return self.calibrate()

    def calibrate(self, *, wanted: float = 0.01) -> Tuned:
        """Choose the limit from which a text alone matches, and build the route index of this place with it.

        Args:
            wanted: the highest share of wrong loads, where nothing governs half of all tasks.

        Raises:
            UsageError: ``wanted`` is not between 0 and 1.
            StorageError: the route index cannot be written.
        """
        if not 0.0 < wanted < 1.0:
            raise UsageError("the wanted share of wrong loads lies between 0 and 1", help="1 % is 0.01")
        with base_of(self.memory, VERB) as base:
            build_near(base, self.memory.path)
            return _tuned(build_for(base, self.memory.path, wanted=wanted))

    def test(
        self, files: tuple[str, ...] = (), *, key: str | None = None, baseline: str | None = None, accept: bool = False
    ) -> Tried:
        """Route tasks whose answer is known, and compare with a stored baseline.

        Args:
            files: ``[{"query": ..., "should_trigger": true}]`` files; none tries the store's own examples.
            key: the key that the rows are about, where neither the row nor the file's name says it.
            baseline: the file of the baseline; None for ``FILE.baseline.json`` beside a single file, if it is there.
            accept: store what was found as the new baseline.

        Raises:
            UsageError: a file cannot be read, or a row is of another form.
        """
        with base_of(self.memory, VERB) as base:
            rules, _ = every_rule(base)
        cases = tuple(case for file in files for case in read_cases(file, key, rules)) if files else own_cases(rules)
        if not cases:
            raise UsageError("there is nothing to try", help="name a file, or add examples: `upheld triggers add`")
        limit = self._limit(rules)
        index = RouteIndex(build(rules, limit=limit, lexicon=shipped_lexicon()), whole=False, lexicon=shipped_lexicon())
        total = try_cases(cases, index)
        keys = tuple(dict.fromkeys(case.key for case in cases))
        found = tuple((one, _counted(try_cases([c for c in cases if c.key == one], index))) for one in sorted(keys))
        place = baseline or (f"{files[0]}.baseline.json" if len(files) == 1 else None)
        if accept and place is None:
            raise UsageError("where is the baseline to be kept?", help="--baseline FILE")
        before = _read_baseline(place, must=baseline is not None and not accept)
        worse = before is not None and (total.wrong_load > before[0] or total.coverage < before[1])
        if accept and place is not None:
            _write_baseline(place, total)
        return Tried(
            total=_counted(total),
            keys=found,
            baseline=before,
            regressed=worse and not accept,
            limit=_shown(limit),
            accepted=place or "" if accept else "",
        )

    def _limit(self, rules: tuple[Rule, ...]) -> float:
        """The limit that routes here are held to; where there is none yet, the one that a build would choose."""
        root = state_root(os.environ)
        kept = kept_limit(route_file(root, StateReader(root, self.memory.path).place))
        return kept[0] if kept is not None else calibrate(rules, lexicon=shipped_lexicon()).limit


@contextmanager
def _reading(file: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UsageError(f"{file} cannot be read: {os.strerror(error.errno or 0)}") from None
    except FaultError as fault:
        raise UsageError(str(fault)) from None


def read_cases(file: str, key: str | None, rules: tuple[Rule, ...]) -> Iterator[Case]:
    """Read one file of rows. The key of a row is its ``key``, else the one given, else the file's name.

    A row may also have ``paths``, ``tool`` and ``command``, and ``"only": true`` where nothing at all may load.

    Raises:
        UsageError: the file cannot be read, or a row is of another form.
    """
    with _reading(file), open(file, "rb") as opened:
        data = opened.read(MAX_CASES)
        parsed = strictjson.parse(b'{"rows": ' + data + b"}", file, limit=MAX_CASES + 16)
    stem = os.path.basename(file).partition(".")[0]
    known = {rule.key for rule in rules}
    rows = parsed["rows"] if len(parsed) == 1 else None
    if not isinstance(rows, list):
        raise UsageError(f"{file}: a list of rows is wanted", help='[{"query": "...", "should_trigger": true}]')
    for number, row in enumerate(rows):
        case = _case(row, key or (stem if stem in known else ""))
        if case is None or not is_key(case.key) or case.key not in known:
            why = "`query` and `should_trigger` are wanted" if case is None else f"no pointer has the key `{case.key}`"
            raise UsageError(f"{file}: [{number}]: {why}", help="name the key in the row, with --for, or as the file")
        yield case


def _case(row: object, key: str) -> Case | None:
    if not isinstance(row, dict):
        return None
    query, should, only = row.get("query"), row.get("should_trigger"), row.get("only", False)
    named, paths = row.get("key", key), row.get("paths", [])
    words = [row[name] for name in ("tool", "command") if name in row]
    listed = isinstance(paths, list) and all(isinstance(path, str) for path in paths)
    if not (isinstance(query, str) and isinstance(should, bool) and isinstance(only, bool) and isinstance(named, str)):
        return None
    if not listed or not all(isinstance(word, str) for word in words):
        return None
    task = Task(
        text=query,
        paths=tuple(paths),
        tools=(row["tool"],) if "tool" in row else (),
        commands=(row["command"],) if "command" in row else (),
    )
    return Case(task=task, key=named, should=should, only=only)


def own_cases(rules: tuple[Rule, ...]) -> tuple[Case, ...]:
    """The store's own examples as cases: what a store that contradicts itself fails."""
    fires = [Case(task=Task(text=text), key=rule.key, should=True) for rule in rules for text in rule.fires]
    return (*fires, *(Case(task=Task(text=text), key=rule.key, should=False) for rule in rules for text in rule.nots))


def _read_baseline(place: str | None, *, must: bool) -> tuple[float, float] | None:
    if place is None or not (must or os.path.exists(place)):
        return None
    with _reading(place), open(place, "rb") as opened:
        fields = strictjson.parse(opened.read(MAX_CASES), place)
    shares = (fields.get("wrong_load"), fields.get("coverage"))
    if not all(isinstance(share, int | float) and not isinstance(share, bool) for share in shares):
        raise UsageError(f"{place} is no baseline", help="`upheld triggers test --accept` writes one")
    return float(str(shares[0])), float(str(shares[1]))


def _write_baseline(place: str, total: Score) -> None:
    text = json.dumps({"wrong_load": total.wrong_load, "coverage": total.coverage}, indent=2)
    try:
        with open(place, "w", encoding="utf-8", newline="\n") as opened:
            opened.write(f"{text}\n")
    except OSError as error:
        raise StorageError(f"{place} cannot be written: {os.strerror(error.errno or 0)}") from None


def _counted(score: Score) -> Counted:
    fields = {name: getattr(score, name) for name in Score._fields}
    return Counted(**fields, coverage=score.coverage, wrong_load=score.wrong_load)


def _shown(limit: float) -> float | None:
    return limit if limit < UNCALIBRATED else None


def _tuned(built: BuiltRoutes) -> Tuned:
    chosen = built.calibration
    made = Tuned(
        file=built.file,
        pointers=built.pointers,
        statements=built.statements,
        size=built.size,
        limit=_shown(built.limit),
        chosen_now=chosen is not None,
        needed=FEWEST,
        findings=worst_first(built.findings),
    )
    if chosen is None:
        return made
    shares = {name: getattr(chosen, name) for name in ("wanted", "reached", "low", "high", "coverage")}
    return made.replace(**shares, governed=chosen.governed, ungoverned=chosen.ungoverned)
