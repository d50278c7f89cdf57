"""Role tags and tokens of chat templates: a model could take what follows them for somebody else's words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from upheld.model.draft import Draft, Hit, Text
from upheld.policy.screen.matched import compiled, hit, hits, variants

_STRONG = (
    "system|assistant|developer|system[-_ ]?(?:reminder|prompt|message|instructions?|note|override)|tool[-_]?(?:result|use|call|output|response)s?"
    "|function[-_]?(?:call|result|response|output)s?|important[-_]?instructions?|antml:[a-z_]{1,30}|invoke|user[-_](?:query|message|prompt|input)"
    "|human[-_]?turn|assistant[-_]?turn|command-(?:name|message|args)|local-command-stdout|ai[-_]?(?:message|instructions?)"
)
_WEAK = "user|human|ai|model|tool|instructions?|important|admin|thinking|memory|memories|context|prompt"

_PATTERNS = compiled(
    (
        ("token of a chat template", r"<\|[^\s|<>]{1,40}\|>"),
        ("token of a chat template", r"\[/?(?:inst|system_prompt|available_tools|tool_calls|tool_results|/?sys)\]|<</?sys>>"),
        ("token of a chat template", r"</?(?:start_of_turn|end_of_turn|bos|eos|end_of_utterance|im_start|im_end)>"),
        ("token of a chat template", r"<\|?(?:system|user|assistant|endoftext|eot_id|begin_of_text)\|?>(?=\s*\n|\s*$)"),
        ("role tag", rf"(?<![\w/])<\s{{0,3}}/?\s{{0,3}}(?:{_STRONG})(?:\s[^<>\n]{{0,200}})?/?>"),
        ("role tag", rf"^\s{{0,8}}<\s{{0,3}}/?\s{{0,3}}(?:{_WEAK})(?:\s[^<>\n]{{0,200}})?>"),
        ("role tag", rf"</\s{{0,3}}(?:{_WEAK})\s{{0,3}}>"),
        ("role label", r"^\s{0,8}(?:>\s{0,3})?[*_]{0,3}(?:human|assistant)[*_]{0,3}\s{0,3}:"),
        ("role label", r"^\s{0,8}#{1,8}\s{0,4}[*_]{0,3}(?:system|assistant|user|human|instruction|response|developer)[*_]{0,3}\s{0,3}:"),
        ("role label", r"^\s{0,8}[\[({]\s{0,3}(?:system|assistant|user|human|developer)(?: (?:message|prompt|note))?\s{0,3}[\])}]\s{0,3}:?"),
        ("role label", r"^\s{0,8}(?:#|\*|-|=){3,}\s{0,4}(?:system|assistant|user|human|developer)(?: (?:message|prompt))?\s{0,4}(?:#|\*|-|=){3,}"),
    )
)  # fmt: skip
_LABEL = compiled(
    (("role labels", r"^\s{0,8}[*_]{0,3}(?P<role>system|user|ai|developer|tool|bot|model)[*_]{0,3}\s{0,3}:\s"),)
)


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL014 for each kind of role marker in each text."""
    for text in draft.every_text():
        yield from hits("POL014", _PATTERNS, text)
        yield from _transcript(text)


def _transcript(text: Text) -> Iterator[Hit]:
    """Yield a hit where two different speakers take turns: one label alone is an ordinary word."""
    for searched in variants(text.text):
        _, pattern = _LABEL[0]
        roles: dict[str, re.Match[str]] = {}
        for match in pattern.finditer(searched):
            roles.setdefault(match["role"], match)
        if len(roles) > 1:
            yield hit("POL014", text, "speakers taking turns", searched, next(iter(roles.values())))
            return
