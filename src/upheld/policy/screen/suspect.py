"""Phrases that a person should read twice: attacks use them, and now and then an honest instruction does too."""

from __future__ import annotations

from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.screen.matched import compiled, hits

_GUARD = r"(?:security|safety|approval|permission|confirmation|authori[sz]ation|operator|human)"
_PATTERNS = compiled(
    (
        ("goes round a guard", rf"\b(?:bypass|disable|skip|turn off|circumvent|evade|remove)\b[^.\n]{{0,16}}\b{_GUARD} (?:checks?|controls?|guards?|filters?|prompts?|reviews?|confirmations?|approvals?|gates?)\b"),
        ("goes round a guard", r"\bwithout (?:asking|waiting for|getting|seeking|requiring|any)\b[^.\n]{0,20}\b(?:user|human|operator|owner|person|confirmation|approval|permission|review)\b"),
        ("goes round a guard", r"\b(?:never|do not|don[’']?t) (?:ask|wait for|request|require)\b[^.\n]{0,16}\b(?:operator|human|confirmation|approval|permission)\b"),
        ("goes round a guard", r"\b(?:approve|allow|accept|authori[sz]e) (?:all|any|every)\b[^.\n]{0,40}\bwithout\b"),
        ("speaks to the model", r"\b(?:note|reminder|message|instructions?|aside|hint) (?:to|for) (?:the )?(?:ai|assistant|model|llm|chatbot|language model)\b\s{0,2}[:,.-]"),
        ("speaks to the model", r"\bnew (?:system )?instructions?\s{0,2}:|\bas an? (?:ai|language) (?:model|assistant)\b"),
        ("speaks to the model", r"\byou (?:have|are given|now have) (?:no|unlimited) (?:restrictions|limitations|limits|safety guidelines)\b|\bno (?:safety|ethical) (?:guidelines|restrictions|limits)\b"),
        ("marks memory", r"\[(?:user_?memory|memory[ _-]?persist|system_?memory|persist)\b[^\]\n]{0,80}\]"),
        ("sends data away", r"\b(?:send|forward|post|upload|e-?mail)\b[^.\n]{0,60}\b(?:to|at)\b [^\s@]{0,40}@[\w.-]{0,40}(?:exfil|attack|evil|collector|drop)\w{0,20}"),
        ("fetches and runs", r"\b(?:curl|wget)\b[^|\n]{0,200}\|\s{0,3}(?:sudo )?(?:ba|z|da)?sh\b"),
        ("hides what it does", r"\b(?:do not|don[’']?t|never) (?:tell|inform|notify|alert|let)\b (?:the |your )?(?:user|human|operator|owner)\b"),
    )
)  # fmt: skip


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL040 for each kind of phrase in each text."""
    for text in draft.every_text():
        yield from hits("POL040", _PATTERNS, text)
