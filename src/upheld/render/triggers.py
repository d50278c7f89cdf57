"""What the ``triggers`` commands report, for people and for programs; ``render.change`` dispatches to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from upheld.model.trigger_reports import Counted, Linted, Shown, Tried, Tuned
from upheld.render import plain
from upheld.render.escape import bounded, escape
from upheld.render.finding import told

MAX_SHOWN = 500
_LISTS = ("paths", "tools", "commands", "keywords")
_CONFUSIONS = 10


def text_shown(shown: Shown) -> str:
    """Render the sentence, then one line a matcher, relation and example, then what is wrong."""
    rule, trigger = shown.rule, shown.rule.trigger
    lines = [f"{escape(rule.key)}: {bounded(rule.read_when or '(no sentence)', MAX_SHOWN)}\n"]
    rows: list[tuple[str, tuple[str, ...]]] = []
    if trigger is not None:
        rows += [(name[:-1], getattr(trigger, name)) for name in _LISTS]
        if trigger.not_when is not None:
            rows += [(f"not when {name[:-1]}", getattr(trigger.not_when, name)) for name in _LISTS]
        rows += [("together with", trigger.together_with), ("overrides", trigger.overrides)]
    rows += [("fires", rule.fires), ("not", rule.nots)]
    lines += [f"   {label}: {bounded(text, MAX_SHOWN)}\n" for label, texts in rows for text in texts]
    return "".join([*lines, *map(told, shown.findings)])


def json_shown(shown: Shown) -> dict[str, object]:
    """Return a trigger as plain values."""
    from upheld.wire.trigger import encode_trigger

    rule = shown.rule
    return {
        "key": rule.key,
        "read_when": rule.read_when,
        "trigger": encode_trigger(rule.trigger) if rule.trigger is not None else None,
        "fires": rule.fires,
        "nots": rule.nots,
        "findings": [plain.finding(finding) for finding in shown.findings],
    }


def text_linted(linted: Linted) -> str:
    """Render every finding, then how many there are."""
    errors = sum(finding.severity == "error" for finding in linted.findings)
    warnings = len(linted.findings) - errors
    counted = f"{linted.rules:,} triggers, {errors:,} errors, {warnings:,} warnings\n"
    return "".join([*map(told, linted.findings), counted])


def concise_linted(linted: Linted) -> str:
    """Render one line a finding."""
    from upheld.render.concise import line_of

    return "".join(map(line_of, linted.findings)) + f"{linted.rules:,} triggers\n"


def json_linted(linted: Linted) -> dict[str, object]:
    """Return the findings as plain values."""
    return {"triggers": linted.rules, "findings": [plain.finding(finding) for finding in linted.findings]}


def text_tuned(tuned: Tuned) -> str:
    """Render what was built, then the limit and what it rests on."""
    lines = [f"route index: {tuned.pointers:,} pointers, {tuned.statements:,} statements, {tuned.size:,} bytes\n"]
    held = f"{tuned.governed:,} governed and {tuned.ungoverned:,} ungoverned held-out examples"
    if tuned.limit is None:
        lines.append("uncalibrated: only structured and near-exact hits match\n")
        lines.append(f"   it rests on {held}; {tuned.needed:,} of each are needed\n" if tuned.chosen_now else "")
        lines.append('  = help: `upheld triggers add KEY --fires "..."` adds an example\n')
    elif not tuned.chosen_now or tuned.reached is None:
        lines.append(f"limit {tuned.limit:.2f}, kept from an earlier calibration\n")
    else:
        lines.append(f"limit {tuned.limit:.2f}, for a wanted wrong load of {_percent(tuned.wanted)}\n")
        sure = f"between {_percent(tuned.low)} and {_percent(tuned.high)}, with 95 % confidence"
        lines.append(f"   estimated: wrong load {_percent(tuned.reached)} ({sure})\n")
        lines.append(f"   estimated: {_percent(tuned.coverage)} of governed tasks match by their text alone\n")
        lines.append(f"   it rests on {held}, and on half of all tasks being governed by nothing\n")
    return "".join([*lines, *map(told, tuned.findings)])


def json_tuned(tuned: Tuned) -> dict[str, object]:
    """Return a build as plain values."""
    return {**_fields(tuned), "findings": [plain.finding(finding) for finding in tuned.findings]}


def text_tried(tried: Tried) -> str:
    """Render one line a key, the confusions, then the whole and how it compares."""
    lines = [f"{bounded(key, 80)}: {_counts(counted)}\n" for key, counted in tried.keys]
    for wanted, got, count in tried.total.confusions[:_CONFUSIONS]:
        lines.append(
            f"   loaded `{escape(got)}` {count:,} times, wanted {f'`{escape(wanted)}`' if wanted else 'not'}\n"
        )
    total = tried.total
    lines.append(f"all: {_counts(total)}\n")
    lines.append(f"coverage {_percent(total.coverage)}, wrong load {_percent(total.wrong_load)}, limit ")
    lines.append(f"{tried.limit:.2f}\n" if tried.limit is not None else "not calibrated\n")
    if tried.accepted:
        lines.append(f"kept as the baseline: {escape(tried.accepted)}\n")
    elif tried.baseline is not None:
        wrong, covered = tried.baseline
        verdict = "worse than" if tried.regressed else "no worse than"
        lines.append(f"{verdict} the baseline: coverage {_percent(covered)}, wrong load {_percent(wrong)}\n")
    return "".join(lines)


def _counts(counted: Counted) -> str:
    among = f", {counted.ambiguous:,} ambiguous ({counted.among:,} with it among the choices)" * bool(counted.ambiguous)
    wrong = f"; {counted.wrong:,} of {counted.should + counted.should_not:,} loaded what they should not"
    return f"{counted.right:,} of {counted.should:,} loaded it{among}{wrong}"


def json_tried(tried: Tried) -> dict[str, object]:
    """Return a trial as plain values."""
    baseline = None if tried.baseline is None else dict(zip(("wrong_load", "coverage"), tried.baseline, strict=True))
    keys = {key: _fields(counted) for key, counted in tried.keys}
    return {**_fields(tried), "total": _fields(tried.total), "keys": keys, "baseline": baseline}


def _percent(share: float | None) -> str:
    return "?" if share is None else f"{100 * share:.1f} %"


def _fields(value: Any) -> dict[str, object]:
    return {name: getattr(value, name) for name in type(value)._fields}


FORMS: dict[tuple[type, str], Callable[[Any], object]] = {
    (Shown, "text"): text_shown,
    (Shown, "json"): json_shown,
    (Linted, "text"): text_linted,
    (Linted, "concise"): concise_linted,
    (Linted, "json"): json_linted,
    (Tuned, "text"): text_tuned,
    (Tuned, "json"): json_tuned,
    (Tried, "text"): text_tried,
    (Tried, "json"): json_tried,
}
