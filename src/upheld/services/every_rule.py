"""The rules of a whole store, with what keeps some of them from ever firing."""

from __future__ import annotations

from upheld.checks.finding_of import finding_of
from upheld.errors import FaultError
from upheld.model.finding import Finding
from upheld.model.index import Pointer
from upheld.model.route import Rule
from upheld.services.base import Base
from upheld.services.every_key import entries
from upheld.services.rules import examples_of, rule_of
from upheld.wire.trigger import decode_trigger


def every_rule(base: Base) -> tuple[tuple[Rule, ...], tuple[Finding, ...]]:
    """Return the rule of every pointer that can be read, and every fault met on the way.

    A pointer whose trigger has a fault gives a broken rule, which never fires; its faults are among the findings.
    """
    rules: list[Rule] = []
    findings: list[Finding] = []
    for entry, found in entries(base):
        findings += found
        if isinstance(entry, Pointer):
            rules.append(rule_of(base.store, entry))
            if rules[-1].broken:
                findings += [finding_of(fault, entry.key) for fault in trigger_faults(base, entry)]
    return tuple(rules), tuple(findings)


def trigger_faults(base: Base, pointer: Pointer) -> tuple[FaultError, ...]:
    """Return everything that is wrong with the form of a pointer's trigger and examples."""
    _, faults = decode_trigger(pointer.trigger, pointer.place, f"{pointer.path}.trigger")
    return (*faults, *examples_of(base.store, pointer)[1])
