"""Which calls of ``upheld`` no agent may make: those that seal or decide, and those that skip verification."""

from __future__ import annotations

SEALING = frozenset(
    ("init", "remember", "correct", "retire", "restore", "rename", "redact", "approve", "reject", "migrate", "resolve")
)
_READS_OF = {
    "trust": frozenset(("show",)),
    "triggers": frozenset(("show", "test", "lint", "build")),
    "draft": frozenset(("show",)),
}
_UNVERIFIED = frozenset(("--as-of", "--unsealed"))
_VALUED = frozenset(("--store", "--as-of", "--format", "--pin", "--key", "--receipt"))
_HARMLESS = frozenset(("--help", "-h", "--dry-run"))
GROUPS = tuple(_READS_OF)
VERBS = SEALING | {"review", "sync", "doctor", "inbox", *GROUPS}
"""Every verb that some call of is denied."""


def denied(arguments: tuple[str, ...]) -> str:
    """Return what a call of ``upheld`` with these arguments would do that is a person's to do; empty for nothing."""
    flags = {argument.partition("=")[0] for argument in arguments if argument.startswith("-")}
    unverified = sorted(flags & _UNVERIFIED)
    if unverified:
        return f"`{unverified[0]}` reads memory that is not verified as of today"
    words = _words(arguments)
    if not words or flags & _HARMLESS:
        return ""
    verb, rest = words[0], words[1:]
    if verb in SEALING:
        return f"`{verb}` changes what is remembered"
    if verb in _READS_OF:
        return (
            ""
            if not rest or rest[0] in _READS_OF[verb]
            else f"`{verb} {rest[0]}` changes what is trusted or remembered"
        )
    return _by_flag(verb, flags)


def _by_flag(verb: str, flags: set[str]) -> str:
    wanted = {"review": "--confirm", "doctor": "--fix", "inbox": "--review"}.get(verb)
    if wanted is not None and wanted in flags:
        return f"`{verb} {wanted}` decides in a person's place"
    if verb == "sync" and "--pull" not in flags:
        return "`sync` publishes, and may seal"
    return ""


def _words(arguments: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    skips = False
    for argument in arguments:
        if skips:
            skips = False
        elif argument.startswith("-"):
            skips = argument in _VALUED
        else:
            found.append(argument)
    return found
