"""SARIF 2.1.0 (OASIS): the table of codes as rules, one result a finding. Code scanning services read it."""

from __future__ import annotations

from upheld.model.codes import CODES
from upheld.render import plain
from upheld.render.escape import bounded
from upheld.render.finding import details
from upheld.render.jsontext import dumps
from upheld.wire.digest import sha256_hex

TYPE_CHECKING = False
if TYPE_CHECKING:
    from upheld.model.answer import Answer, Refusal
    from upheld.model.codes import Code
    from upheld.model.finding import Finding
    from upheld.model.history import History
    from upheld.model.page import Page
    from upheld.model.verdict import Verdict
    from upheld.render.formats import Scene

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_ORDER = {code: number for number, code in enumerate(sorted(CODES))}
_SAFE = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")


def answer(answer: Answer, scene: Scene) -> str:
    """Render an answer: no result but its notices; the answer itself is a property of the run."""
    return _log(answer.notices, plain.answer(answer), scene)


def refusal(refusal: Refusal, scene: Scene) -> str:
    """Render a refusal: one result a finding."""
    about: dict[str, object] = {"outcome": refusal.outcome, "key": refusal.key, "code": refusal.code}
    about |= {"hypothetical": refusal.hypothetical, "as_of": refusal.as_of}
    return _log(refusal.findings, about, scene)


def verdict(verdict: Verdict, scene: Scene) -> str:
    """Render a verdict: one result a finding; what was and was not checked are properties of the run."""
    return _log(verdict.findings, _without_findings(plain.verdict(verdict)), scene)


def history(history: History, scene: Scene) -> str:
    """Render a key's history: one result a finding; the versions are properties of the run."""
    return _log(history.findings, _without_findings(plain.history(history)), scene)


def page(page: Page, scene: Scene) -> str:
    """Render a part of the index: one result for each part that cannot be read."""
    return _log(page.findings, _without_findings(plain.page(page)), scene)


def _without_findings(values: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in values.items() if name != "findings"}


def _log(findings: tuple[Finding, ...], about: dict[str, object], scene: Scene) -> str:
    driver = {
        "name": "Upheld",
        "semanticVersion": scene.version,
        "rules": [_rule(CODES[code]) for code in _ORDER],
    }
    run = {
        "tool": {"driver": driver},
        # The columns of a result are counted in characters; ours name whole files only.
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, scene) for finding in findings],
        "properties": {"upheld": about},
    }
    return dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _rule(code: Code) -> dict[str, object]:
    return {
        "id": code.code,
        "name": code.name,
        "shortDescription": {"text": _message(code.what)},
        "help": {
            "text": _message(code.help.replace("{key}", "KEY").replace("{place}", "the file").replace("{id}", "KEY-ID"))
        },
        "defaultConfiguration": {"level": code.severity},
        "properties": {"tags": ["integrity", code.code[:3]]},
    }


def _result(finding: Finding, scene: Scene) -> dict[str, object]:
    entry = finding.entry
    lines = [entry.what, *details(finding), f"help: {bounded(finding.help, 300)}"]
    made: dict[str, object] = {
        "ruleId": entry.code,
        "ruleIndex": _ORDER[entry.code],
        "level": entry.severity,
        "message": {"text": _message("\n".join(lines))},
        "partialFingerprints": {"upheld/v1": _fingerprint(finding)},
        "properties": {"keys": finding.keys},
    }
    location = _location(finding, scene)
    return made | ({"locations": [location]} if location else {})


def _location(finding: Finding, scene: Scene) -> dict[str, object]:
    made: dict[str, object] = {}
    place = "/".join(part for part in (scene.root, finding.place) if part)
    if place:
        # A fault is of a whole file; code scanning wants a region all the same, so it is the first line.
        made["physicalLocation"] = {"artifactLocation": {"uri": _uri(place)}, "region": {"startLine": 1}}
    if finding.path:
        made["logicalLocations"] = [{"fullyQualifiedName": bounded(finding.path, 300), "kind": "member"}]
    return made


def _uri(place: str) -> str:
    """A relative reference (RFC 3986): anything but unreserved characters and slashes is percent-encoded."""
    return "".join(chr(byte) if byte in _SAFE else f"%{byte:02X}" for byte in place.encode("utf-8", "surrogatepass"))


def _message(text: str) -> str:
    """Write a text as a SARIF message: no embedded link, no placeholder (sections 3.11.5 and 3.11.6)."""
    for character, written in (("\\", "\\\\"), ("[", "\\["), ("]", "\\]"), ("{", "{{"), ("}", "}}")):
        text = text.replace(character, written)
    return text


def _fingerprint(finding: Finding) -> str:
    """Tell the same fault in two runs: by code, place, path and keys, not by what was found there."""
    return sha256_hex("\0".join((finding.code, finding.place, finding.path, *finding.keys)).encode("utf-8", "replace"))
