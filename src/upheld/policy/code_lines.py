"""Whether a paragraph is code: its lines are lines of their own, and no sentence that was wrapped.

Every line must look like code by itself; one line of prose among them makes the whole a paragraph again, so a sentence
cannot be cut in two by writing half of it like a call.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_SIGNS = re.compile(
    # an assignment, a decorator, a prompt, an option of a command line
    r"^\s*[\w.$\[\]\"']{1,60}\s*(?::\s?[\w\[\], .|]{1,40})?\s*[-+*/|&:]?=(?!=)\s*\S"
    r"|^\s*@\w[\w.]*(?:\(.*\))?\s*$|^\s*(?:\$|>>>|#!)\s?\S|^\s*[a-z][\w./-]{0,30}(?:\s[\w./:=@-]{1,80}){0,12}\s--?[a-zA-Z][\w-]*"
    # statements whose word alone says so
    r"|^\s*(?:import [\w.]+|from [\w.]+ import |(?:async )?def \w+\(|class \w+[(:]|#include\b|return\b(?! to\b)|package [\w.]+;?$)"
    r"|^\s*(?:if|elif|else|for|while|with|try|except|finally)\b[^.!?]{0,200}:\s*$"
    r"|^\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|FROM|WHERE|AND|OR|(?:INNER |LEFT |RIGHT |FULL )?JOIN|ON|GROUP BY|ORDER BY|HAVING|LIMIT"
    r"|SET|VALUES|CREATE|ALTER|DROP|WITH|UNION)\b[^.!?]{0,300}$"
)  # fmt: skip
_ENDS = re.compile(r"^[^.!?]{0,400}(?:;|[{}]|\);?|\):|=>|\\)\s*$")
_PROSE = re.compile(r"[^\W\d_]{2,}(?: [^\W\d_]{2,}){2,}")
"""Three words in a row without a sign between them."""
_COMMANDS = re.compile(
    r"^\s*(?:git|pip3?|npm|npx|pnpm|yarn|uv|cargo|go|make|docker|kubectl|helm|terraform|python3?|node|psql|curl|cd|cp|mv|mkdir|rm"
    r"|ssh|scp|rsync|tar|apt-get|apt|brew|poetry|pytest|ruff|mypy|gh|aws|gcloud|az|echo|export|source|sudo)\s[^.!?]*(?:\.[\w/-][^.!?]*)*$"
)  # fmt: skip
_INDENTED = re.compile(r"^(?:\t| {2,})\S")
_LONGEST = 500


def is_code(lines: Sequence[str]) -> bool:
    """Whether every line looks like code; an indented one does below a line that does."""
    return len(lines) > 1 and _is_line(lines[0]) and all(_is_line(line) or _is_below(line) for line in lines[1:])


def _is_below(line: str) -> bool:
    return bool(_INDENTED.match(line)) and not _PROSE.search(line[:_LONGEST])


def _is_line(line: str) -> bool:
    bare = line[:_LONGEST]
    if len(line) > _LONGEST:
        return False
    return bool(_SIGNS.match(bare) or _COMMANDS.match(bare) or (_ENDS.match(bare) and not _PROSE.search(bare)))
