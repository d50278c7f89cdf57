"""triggers add, remove, clear: change when a key applies, and nothing of what it says.

The record stays as it is; the pointer gets its matchers and the digest of its examples anew, in one sealed commit.
"""

from __future__ import annotations

from collections.abc import Callable

from upheld.checks.finding_of import finding_of
from upheld.errors import UsageError
from upheld.model.change import Change, Event
from upheld.model.finding import Finding
from upheld.model.index import Pointer
from upheld.model.route import Matchers, Rule, Trigger
from upheld.model.trigger_edit import TriggerEdit
from upheld.routing.lint import lint
from upheld.routing.terms import clipped, statement
from upheld.services.base import Base
from upheld.services.correct import served
from upheld.services.every_rule import trigger_faults
from upheld.services.lookup import lookup_of
from upheld.services.rules import rule_of
from upheld.services.ties import rule_ties
from upheld.wire import examples as wire_examples
from upheld.wire.trigger import MATCHERS, encode_trigger, is_empty

MAX_EXAMPLE = 500
"""Characters of one example; longer ones are compared with no task anyway."""


def added(rule: Rule, edit: TriggerEdit) -> Rule:
    """Return a rule with everything of ``edit`` joined. An example that is given for one side leaves the other."""
    trigger = rule.trigger or Trigger()
    vetoes = trigger.not_when or Matchers()
    fires = _without_said(rule.fires, edit.nots) if edit.nots else rule.fires
    nots = _without_said(rule.nots, edit.fires) if edit.fires else rule.nots
    return rule.replace(
        read_when=edit.when or rule.read_when,
        trigger=Trigger(
            **{name: _joined(getattr(trigger, name), getattr(edit, name)) for name in MATCHERS},
            not_when=Matchers(
                **{name: _joined(getattr(vetoes, name), getattr(edit.not_when, name)) for name in MATCHERS}
            ),
            together_with=_joined(trigger.together_with, edit.together_with),
            overrides=_joined(trigger.overrides, edit.overrides),
        ),
        fires=_joined(fires, edit.fires),
        nots=_joined(nots, edit.nots),
    )


def removed(rule: Rule, edit: TriggerEdit) -> Rule:
    """Return a rule without everything of ``edit``.

    Raises:
        UsageError: something of it is not there.
    """
    trigger = rule.trigger or Trigger()
    vetoes = trigger.not_when or Matchers()
    return rule.replace(
        trigger=Trigger(
            **{name: _left(getattr(trigger, name), getattr(edit, name)) for name in MATCHERS},
            not_when=Matchers(**{n: _left(getattr(vetoes, n), getattr(edit.not_when, n)) for n in MATCHERS}),
            together_with=_left(trigger.together_with, edit.together_with),
            overrides=_left(trigger.overrides, edit.overrides),
        ),
        fires=_left(rule.fires, edit.fires),
        nots=_left(rule.nots, edit.nots),
    )


def cleared(rule: Rule, edit: TriggerEdit) -> Rule:
    """Return a rule with nothing but its sentence; the one way out for a trigger that cannot be read."""
    return Rule(key=rule.key, read_when=rule.read_when)


def _joined(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old, *new)))


def _left(old: tuple[str, ...], gone: tuple[str, ...]) -> tuple[str, ...]:
    for text in gone:
        if text not in old:
            raise UsageError(f"`{text[:80]}` is not in the trigger", help="`upheld triggers show KEY` lists what is")
    return tuple(text for text in old if text not in gone)


def _without_said(texts: tuple[str, ...], said: tuple[str, ...]) -> tuple[str, ...]:
    forms = {statement(clipped(text)) for text in said}
    return tuple(text for text in texts if statement(clipped(text)) not in forms)


Edited = Callable[[Rule, TriggerEdit], Rule]


def plan_trigger(key: str, edit: TriggerEdit, how: Edited) -> Callable[[Base], Change]:
    """Return the plan that changes the trigger of one key.

    The edit is applied to the trigger as it stands under the lock, so two edits made at once both count.

    Raises:
        UsageError: (by the plan) the key is unknown, or nothing would change.
        RefusedError: (by the plan) the trigger cannot be read, or would be refused (``demand_sound``).
    """

    def plan(base: Base) -> Change:
        pointer, record = served(base.current(key))
        change = Change(
            events=(Event(verb="triggers", key=key, before=record.sha256, after=record.sha256),),
            files={},
            entries={key: pointer.fields},
            retired={},
            bases={key: record.sha256},
        )
        return with_edit(base, change, key, edit, how, old=pointer)

    return plan


def also_added(plan: Callable[[Base], Change], key: str, edit: TriggerEdit) -> Callable[[Base], Change]:
    """Return a plan for a new key that gives it a trigger in the same commit."""
    return lambda base: with_edit(base, plan(base), key, edit, added, old=None)


def with_added(plan: Callable[[Base], Change], key: str, edit: TriggerEdit) -> Callable[[Base], Change]:
    """Return a plan for a key that is there which adds to its trigger in the same commit."""
    return lambda base: with_edit(base, plan(base), key, edit, added, old=base.pointer(key))


def with_edit(base: Base, change: Change, key: str, edit: TriggerEdit, how: Edited, *, old: Pointer | None) -> Change:
    """Let a change of one key also change its trigger.

    Args:
        base: the version that the change was made from.
        change: the change; its entry of ``key`` is replaced.
        key: the key.
        edit: what to add or take out.
        how: ``added``, ``removed`` or ``cleared``.
        old: the pointer of the key in ``base``; None for a new key.
    """
    entry = dict(change.entries[key] or {})
    before = Rule(key=key, read_when=str(entry.get("read_when", "")))
    if old is not None:
        if how is not cleared:
            base.refuse(key, [finding_of(fault, key) for fault in trigger_faults(base, old)])
        before = rule_of(base.store, old)
    rule = how(before, edit)
    demand_sound(base, rule)
    if rule == before:
        raise UsageError(f"the trigger of `{key}` says this already", help=f"see `upheld triggers show {key}`")
    entry["read_when"] = rule.read_when
    entry.pop("trigger", None)
    entry.pop("trigger_sha256", None)
    if rule.trigger is not None and not is_empty(rule.trigger):
        entry["trigger"] = encode_trigger(rule.trigger)
    files = dict(change.files)
    if rule.fires or rule.nots:
        name, data, digest = wire_examples.encode(key, wire_examples.Examples(fires=rule.fires, nots=rule.nots))
        files[name], entry["trigger_sha256"] = data, digest
    was = [wire_examples.place_of(key, old.trigger_sha256)] if old is not None and old.trigger_sha256 else []
    return change.replace(
        files=files,
        entries={**change.entries, key: entry},
        replaces=tuple(sorted({*change.replaces, *was} - set(files))),
    )


def demand_sound(base: Base, rule: Rule) -> None:
    """Insist that nothing is wrong with one rule among the others of the store.

    Raises:
        UsageError: an example is too long to be compared with a task.
        RefusedError: TRG001 to TRG005.
    """
    for text in (*rule.fires, *rule.nots):
        if len(text) > MAX_EXAMPLE:
            raise UsageError(f"an example is longer than {MAX_EXAMPLE} characters", help="give the telling sentence")
    base.refuse(rule.key, [finding for finding in lint_in(base, rule) if finding.severity == "error"])


def lint_in(base: Base, rule: Rule) -> list[Finding]:
    """Return what is wrong with one rule in the place of its old self among the others."""
    return [found for found in lint((*_concerned(base, rule), rule)) if found.keys == (rule.key,)]


def _concerned(base: Base, rule: Rule) -> list[Rule]:
    """Return the rules of every other key that one is judged against: those it shares something with, or names."""
    trigger = rule.trigger or Trigger()
    found = {pointer.key: pointer for pointer in lookup_of(base).tied(base, rule_ties(rule))}
    for key in (*trigger.together_with, *trigger.overrides):
        pointer = base.pointer(key)
        if pointer is not None:
            found[key] = pointer
    return [rule_of(base.store, found[key]) for key in sorted(found) if key != rule.key]


def notes_on(base: Base, rule: Rule) -> tuple[str, ...]:
    """Return what a person should know before agreeing: warnings, one line each."""
    found = (finding for finding in lint_in(base, rule) if finding.severity == "warning")
    return tuple(f"look twice: {one.code} {one.entry.what} ({one.facts[0][1]})" for one in found)
