"""The demo command: from an empty folder to a store that new processes serve, and refuse once it is spoilt."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from upheld import __version__
from upheld.cli.options import Shared, shared
from upheld.cli.output import put
from upheld.compose.demo import Demo
from upheld.errors import UsageError
from upheld.model.codes import CODES
from upheld.render.jsontext import dumps
from upheld.services.demo.receipt import result
from upheld.services.demo.run import Trial


@click.command("demo", short_help="Watch a store be served, and refused once it is spoilt.")
@click.option("--into", metavar="DIR", help="Build it in this folder, which must be new or empty (default: a new one).")
@click.option("--receipt", metavar="FILE", help="Write the receipt here (default: receipt.json in that folder).")
@shared
def command(given: Shared, into: str | None, receipt: str | None) -> int:
    """Build a small store, let a new process read it, then spoil copies of it in every way and watch each be refused.

    Nothing outside one new folder is touched. The receipt names every file that was read and every output by digest.

    \b
    Examples:
      upheld demo
      upheld demo --into here --receipt receipt.json
      upheld demo --format json          the receipt instead of the tour
    """
    if given.form not in ("text", "json"):
        raise UsageError(f"--format {given.form} does not fit a demonstration", help="use text or json")
    demo = Demo.start(into)
    printed: list[str] = []
    for part in _tour(demo):
        printed.append(part)
        if given.form == "text":
            put(part, paint=True)
    made = demo.receipt("".join(printed), __version__)
    place = Path(receipt) if receipt else demo.folder / "receipt.json"
    place.write_text(dumps(made) + "\n", "utf-8")
    put(dumps(made) + "\n" if given.form == "json" else _end(demo, place), paint=given.form == "text")
    return 1 if demo.failed else 0


def _tour(demo: Demo) -> Iterator[str]:
    yield _OPENING.format(store=demo.store, key=demo.key)
    yield from (f"     {line}\n" if line else "\n" for line in demo.first_recall().splitlines())
    yield _SPOILING
    group, is_sealed = "", True
    for trial in demo.trials():
        if is_sealed and not trial.case.is_sealed:
            is_sealed = False
            yield _BENEATH
        if trial.case.group != group:
            group = trial.case.group
            yield f"\n  {group}\n"
        yield _line(trial)


def _line(trial: Trial) -> str:
    if trial.skipped:
        return f"  SKIP  {trial.case.did}: {trial.skipped}\n"
    got = f"{trial.code} {CODES[trial.code].name}" if trial.code in CODES else f"{trial.outcome} {trial.code}"
    problem = f"\n        but {trial.problem}" if trial.problem else ""
    return f"  {result(trial)}  {got:<35}  {trial.case.did}{problem}\n"


_OPENING = """\
1. A store

   Two instructions, each in a file of its own under sources/. A record for each says which
   bytes of it a person verified, when that has to be looked at again, and what it replaced.
   The index is small: a key, when to read it, and one record at one digest. A seal signs the
   index, and whoever reads here remembers outside the store which seal and which version
   they have seen. One of the two instructions was corrected a month ago.

     {store}

   Its key and all that is remembered lie beside it: nothing of yours is read or written.

2. A new process asks for `{key}`

   It knows nothing but the key. Here is all that it prints: the text from the file that owns
   it, then what was checked.

     $ upheld recall {key} --store store
"""

_SPOILING = """\

3. Copies of the store, each changed in one way and read by another new process

   PASS means that the process did the only right thing, which is nearly always to refuse;
   the code says why it did. `upheld explain CODE` says more.
"""

_BENEATH = """\

4. The rules beneath the seal

   The same instructions without a seal, in the form of the article that this comes from, read
   with --unsealed. Whoever changes these copies recomputes every digest where that helps, so
   nothing but the rule that is named stands in the way. The same rules hold where a seal is.
"""


def _end(demo: Demo, receipt: Path) -> str:
    total = demo.passed + demo.failed
    result_line = f"{demo.passed} of {total} as they should be" + (f", {demo.skipped} skipped" if demo.skipped else "")
    verdict = "every change was noticed" if not demo.failed else "THIS IS A BUG: please report it with the receipt"
    return f"""
5. The result

   {result_line}: {verdict}.

   receipt   {receipt}
   copies    {demo.folder / "cases"}   (remove {demo.folder} when you are done)

   Try it: {_elsewhere(demo.folder / "cases" / "fork")}
"""


def _elsewhere(case: Path) -> str:
    """A command for a copy, read as its own reader would: everything that they remember lies in the copy's home."""
    unset = "-u XDG_STATE_HOME " if "XDG_STATE_HOME" in os.environ else ""
    program = sys.argv[0] if Path(sys.argv[0]).stem == "upheld" else "upheld"
    return f"env {unset}HOME={case / 'home'} {program} verify --store {case / 'store'}"
