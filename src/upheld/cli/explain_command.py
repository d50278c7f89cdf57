"""The explain command: what a code means, why it exists, and how to mend what it names."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import groupby

import click

from upheld.cli.options import Shared, shared
from upheld.cli.output import put
from upheld.errors import UsageError
from upheld.model.codes import CODES, Code
from upheld.render.explain import page
from upheld.render.jsontext import dumps

_FAMILIES = {
    "CLI": "agents' clients",
    "DAT": "dates",
    "FMT": "the form of files",
    "HSH": "digests",
    "LNK": "supersession links",
    "LOG": "the log",
    "POL": "policy",
    "PTR": "pointers and the index",
    "RBK": "rollback, forks and clocks",
    "SIG": "seals",
    "SRC": "sources",
    "STO": "files and paths",
    "SUP": "status and supersession",
    "TRG": "triggers",
}


def _offered(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    return [code for code in sorted(CODES) if code.startswith(begun.upper())]


@click.command("explain", short_help="What a code means, and how to mend it.")
@click.argument("code", required=False, metavar="[CODE]", shell_complete=_offered)
@shared
def command(given: Shared, code: str | None) -> int:
    """Explain CODE, which may be a code (HSH001) or its name (source-digest-mismatch); alone, list all codes.

    \b
    Examples:
      upheld explain                    all codes, by family
      upheld explain HSH001
      upheld explain review-due
    """
    if given.form not in ("text", "concise", "json"):
        raise UsageError(f"--format {given.form} shows faults, and this command explains them", help="use text or json")
    if code is None:
        put(_listed_json() if given.form == "json" else _listed(concise=given.form == "concise"))
        return 0
    entry = _named(code)
    if given.form == "json":
        put(dumps(_plain(entry) | {"page": _text(entry.code)}) + "\n")
    else:
        put(_line(entry) if given.form == "concise" else _page(entry))
    return 0


def _named(asked: str) -> Code:
    by_name = {entry.name: entry for entry in CODES.values()}
    found = CODES.get(asked.upper()) or by_name.get(asked.lower())
    if found is None:
        words = [*CODES, *by_name]
        near = get_close_matches(asked.upper(), words, n=3) or get_close_matches(asked.lower(), words, n=3)
        hint = f"did you mean {' or '.join(near)}?" if near else "`upheld explain` lists them all"
        raise UsageError(f"there is no code {asked!r:.60}", help=hint)
    return found


def _page(entry: Code) -> str:
    """The page of a code; its row of the table where it has none."""
    text = _text(entry.code)
    if text is None:
        return f"# {entry.code} {entry.name}\n\n{entry.what}\n\nseverity: {entry.severity}\nhelp: {entry.help}\n"
    return text if entry.severity == "error" else f"{text.rstrip()}\n\n(a {entry.severity}: it refuses nothing)\n"


def _text(code: str) -> str | None:
    try:
        return page(code)
    except KeyError:
        return None


def _listed(*, concise: bool) -> str:
    entries = [CODES[code] for code in sorted(CODES)]
    if concise:
        return "".join(map(_line, entries))
    parts = []
    for family, members in groupby(entries, key=lambda entry: entry.code[:3]):
        parts.append(f"{family}: {_FAMILIES[family]}\n" + "".join(f"  {_line(entry)}" for entry in members))
    return "\n".join(parts)


def _line(entry: Code) -> str:
    mark = "" if entry.severity == "error" else f" ({entry.severity})"
    return f"{entry.code} {entry.name}: {entry.what}{mark}\n"


def _listed_json() -> str:
    return dumps([_plain(CODES[code]) for code in sorted(CODES)]) + "\n"


def _plain(entry: Code) -> dict[str, object]:
    return {
        "code": entry.code,
        "name": entry.name,
        "family": _FAMILIES[entry.code[:3]],
        "severity": entry.severity,
        "what": entry.what,
        "help": entry.help,
    }
