"""What is wrong with triggers, as findings: the write gate refuses the errors, ``triggers lint`` shows all."""

from __future__ import annotations

from upheld.model.finding import Finding
from upheld.routing.form import KINDS
from upheld.routing.matching import CHECKS, listed
from upheld.routing.terms import clipped, statement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from upheld.model.route import Rule, Trigger

_FIELDS = ("paths", "tools", "commands", "keywords")
COLLIDING_NEGATIVES = 3
"""So many negatives near one other pointer's statements say that words alone cannot tell the two apart."""


def lint(rules: tuple[Rule, ...]) -> tuple[Finding, ...]:
    """Check every trigger alone and all of them against each other.

    Returns:
        Findings in the order of the rules given; empty when all is well.
    """
    found: list[Finding] = []
    keys = {rule.key for rule in rules}
    for rule in rules:
        found.extend(lint_one(rule))
        found.extend(_relations(rule, keys))
    found.extend(_collisions(rules))
    found.extend(_shared_matchers(rules))
    return tuple(found)


def lint_together(rules: tuple[Rule, ...], others: frozenset[str]) -> tuple[Finding, ...]:
    """Check triggers against each other alone: TRG005 and TRG006.

    Args:
        rules: the rules to compare.
        others: keys of pointers besides these, which may be named.
    """
    keys = {rule.key for rule in rules} | others
    found = [finding for rule in rules for finding in _relations(rule, keys)]
    found += [finding for finding in _collisions(rules) if finding.code == "TRG006"]
    found += _shared_matchers(rules)
    return tuple(found)


def lint_one(rule: Rule) -> tuple[Finding, ...]:
    """Check one trigger alone: bad matchers, an empty sentence, examples that contradict each other."""
    found = [] if clipped(rule.read_when) else [_finding("TRG003", rule, "read_when", "it holds no word")]
    if rule.trigger:
        found.extend(_matchers(rule, rule.trigger))
    fires = {statement(clipped(text)) for text in (rule.read_when, *rule.fires)}
    for number, text in enumerate(rule.nots):
        if statement(clipped(text)) in fires:
            found.append(_finding("TRG004", rule, f"nots[{number}]", text))
    for name, texts in (("fires", rule.fires), ("nots", rule.nots)):
        found.extend(
            _finding("TRG003", rule, f"{name}[{number}]", "it holds no word")
            for number, text in enumerate(texts)
            if not clipped(text)
        )
    return tuple(found)


def _matchers(rule: Rule, trigger: Trigger) -> Iterator[Finding]:
    for where, matchers in (("trigger", trigger), ("trigger.not_when", trigger.not_when)):
        counts = [0, 0, 0, 0]
        for kind, pattern in listed(matchers):
            path = f"{where}.{_FIELDS[kind]}[{counts[kind]}]"
            counts[kind] += 1
            fault = CHECKS[kind].fault(pattern)
            if fault:
                yield _finding("TRG001", rule, path, f"{KINDS[kind]} `{pattern}`: {fault}")
            elif CHECKS[kind].is_blanket(pattern):
                yield _finding("TRG002", rule, path, f"{KINDS[kind]} `{pattern}`")


def _relations(rule: Rule, keys: set[str]) -> Iterator[Finding]:
    if not rule.trigger:
        return
    for name in ("together_with", "overrides"):
        for number, key in enumerate(getattr(rule.trigger, name)):
            if key == rule.key or key not in keys:
                why = "it names itself" if key == rule.key else "no pointer has this key"
                yield _finding("TRG005", rule, f"trigger.{name}[{number}]", f"`{key}`: {why}")


def _collisions(rules: tuple[Rule, ...]) -> Iterator[Finding]:
    """Statements that two pointers share, and negatives that are another pointer's business anyway."""
    owners: dict[str, str] = {}
    for rule in rules:
        for number, text in enumerate((rule.read_when, *rule.fires)):
            form = statement(clipped(text))
            other = owners.setdefault(form, rule.key)
            if other != rule.key:
                path = f"fires[{number - 1}]" if number else "read_when"
                yield _finding("TRG006", rule, path, f"`{other}` says the same: {text}")
    for rule in rules:
        yield from _negatives(rule, owners)


def _negatives(rule: Rule, owners: dict[str, str]) -> Iterator[Finding]:
    if rule.trigger and any(pattern for _, pattern in listed(rule.trigger.not_when)):
        return
    own = [set(form.split()) for form, key in owners.items() if key == rule.key]
    near = [text for text in rule.nots if any(_overlap(set(statement(clipped(text)).split()), said) for said in own)]
    if len(near) >= COLLIDING_NEGATIVES:
        yield _finding("TRG007", rule, "nots", f"{len(near)} negatives share most words with what fires it")


def _overlap(first: set[str], second: set[str]) -> bool:
    return 2 * len(first & second) >= len(first | second)


def _shared_matchers(rules: tuple[Rule, ...]) -> Iterator[Finding]:
    """One matcher in two pointers is a tie for ever, unless they load together or one overrides the other."""
    owners: dict[tuple[int, str], Rule] = {}
    for rule in rules:
        for kind, pattern in listed(rule.trigger):
            other = owners.setdefault((kind, pattern), rule)
            if other is not rule and not _settled(rule, other):
                yield _finding(
                    "TRG006", rule, f"trigger.{_FIELDS[kind]}", f"`{other.key}` also has {KINDS[kind]} `{pattern}`"
                )


def _settled(first: Rule, second: Rule) -> bool:
    one, two = first.trigger, second.trigger
    if not one or not two:
        return False
    together = second.key in one.together_with and first.key in two.together_with
    return together or (second.key in one.overrides) != (first.key in two.overrides)


def _finding(code: str, rule: Rule, path: str, fact: str) -> Finding:
    return Finding(code=code, path=path, keys=(rule.key,), facts=(("found", fact),))
