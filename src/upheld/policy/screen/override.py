"""Words that take over an agent: drop your instructions, become somebody else, send data away, hide it.

Phrase lists stop the careless and the copied, not a patient writer; that a person decides is what stops the others.
So these are kept to phrases that ordinary instructions do not use. Behind a quotation mark they only flag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from upheld.model.draft import Draft, Hit
from upheld.policy.screen.matched import compiled, find, hit, is_quoted, variants

_DROP = r"(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|bypass|set aside|put aside|throw away|discard|do not follow|don[’']?t follow|stop following|pay no attention to|override)"
_BEFORE = r"(?:previous|prior|earlier|above|preceding|former|initial|original|foregoing|all (?:of )?(?:your|the|my|our)|all|any|your|system|other|existing)"
_ORDERS = r"(?:instructions?|prompts?|guidelines|guidance|directives?|programming|orders|system (?:prompt|message)|safety rules|training)"
_PEOPLE = r"(?:the |your |any |its )?(?:users?|humans?|operators?|owners?|persons?|people|developers?|reviewers?|admins?|administrators?|anyone|anybody)"
_LOOT = (
    r"(?:all (?:the |of the |your |stored )?data|(?:full |entire |whole )?(?:conversation|chat)(?: history| log)?|credentials?|api[ _-]?keys?"
    r"|secrets?|access tokens?|tokens|passwords?|system prompt|env(?:ironment)? (?:variables?|vars)|\.env\b|ssh keys?|private keys?|cookies"
    r"|(?:customer|user|client|contact) (?:list|data|records)|home address|memor(?:y|ies)|session|source code)"
)
_AWAY = r"(?:https?://|www\.|[\w.+-]{1,64}@[\w-]{1,64}\.|\b[\w-]{1,40}\.(?:example|net|com|io|org|xyz|ru|tk)\b|webhook|pastebin|an? (?:external|remote) (?:server|url|host))"
_NOT = r"(?<!never )(?<!not )(?<!n't )(?<!n’t )(?<!nor )(?<!without )(?<!to not )"

_PATTERNS = compiled(
    (
        ("drops instructions", rf"{_NOT}\b{_DROP}\b[^.\n]{{0,24}}\b{_BEFORE}\b[^.\n]{{0,24}}\b{_ORDERS}\b"),
        ("drops instructions", rf"{_NOT}\b{_DROP}\b (?:all |everything )?(?:that )?(?:you (?:were|have been|are) told|what you (?:were|have been|are) told|everything (?:before|above))"),
        ("drops instructions", r"\b(?:ignoriere?n?|vergiss|vergessen sie|missachte)\b[^.\n]{0,30}\b(?:vorherigen?|bisherigen?|obigen?|fruheren?|früheren?|alle)\b[^.\n]{0,24}\b(?:anweisungen|instruktionen|vorgaben|befehle)"),
        ("drops instructions", r"\b(?:ignore[zrs]?|oublie[zrs]?|ne tiens pas compte|ne tenez pas compte)\b[^.\n]{0,24}\b(?:instructions?|consignes?|directives?)\b[^.\n]{0,12}\b(?:pr[eé]c[eé]dente?s?|ant[eé]rieure?s?|ci-dessus)"),
        ("drops instructions", r"\b(?:ignor[aeá]n?|olvid[aeá]n?|haz caso omiso)\b[^.\n]{0,24}\b(?:instrucciones|indicaciones|[oó]rdenes)\b[^.\n]{0,12}\b(?:anteriores|previas)"),
        ("drops instructions", r"\b(?:ignore[m]?|esque[cç]a[m]?|desconsidere)\b[^.\n]{0,24}\b(?:instru[cç][oõ]es|orienta[cç][oõ]es)\b[^.\n]{0,12}\b(?:anteriores|pr[eé]vias)"),
        ("drops instructions", r"\b(?:ignora(?:re|te)?|dimentica(?:re|te)?)\b[^.\n]{0,24}\bistruzioni\b[^.\n]{0,12}\bprecedenti"),
        ("drops instructions", r"\b(?:z?ignoruj(?:cie)?|zapomnij(?:cie)?|pomi[nń])\b[^.\n]{0,24}\b(?:poprzednie|wcze[sś]niejsze|powy[zż]sze|wszystkie)\b[^.\n]{0,24}\b(?:instrukcje|polecenia|wytyczne)"),
        ("drops instructions", r"(?:игнорир\w{1,8}|забуд\w{1,4})[^.\n]{0,24}(?:предыдущ\w{1,4}|прежн\w{1,4}|вышеуказанн\w{1,4}|все)[^.\n]{0,24}(?:инструкц\w{1,4}|указани\w{1,3}|команд\w{1,3})"),
        ("drops instructions", r"(?:αγνοησ|αγνόησ)\w{1,4}[^.\n]{0,30}(?:προηγουμεν|προηγούμεν)\w{1,4}[^.\n]{0,24}(?:οδηγι|οδηγί|εντολ)\w{1,4}"),
        ("drops instructions", r"(?:تجاهل|انس)[^.\n]{0,24}(?:التعليمات|الأوامر|الاوامر)[^.\n]{0,24}(?:السابقة|أعلاه)"),
        ("drops instructions", r"(?:دستور|دستورالعمل)[^.\n]{0,20}(?:قبلی|پیشین)[^.\n]{0,24}(?:نادیده|فراموش)"),
        ("drops instructions", r"(?:התעלם|התעלמי|שכח)[^.\n]{0,24}(?:ההוראות|הנחיות)[^.\n]{0,24}(?:הקודמות|הקודמים)"),
        ("drops instructions", r"(?:पिछले|पिछली|पूर्व)[^.\n]{0,12}(?:निर्देश|आदेश)[^.\n]{0,24}(?:अनदेखा|नज़रअंदाज|नजरअंदाज|भूल)"),
        ("drops instructions", r"(?:忽略|无视|無視|忘记|忘記|不要理会)[^。\n]{0,10}(?:之前|以上|先前|前面|此前|上述|所有|一切)[^。\n]{0,8}(?:指令|指示|提示|命令|说明|規則|规则)"),
        ("drops instructions", r"(?:以前|これまで|上記|前)の?[^。\n]{0,8}(?:指示|命令|プロンプト)[^。\n]{0,6}(?:無視|忘れ)"),
        ("drops instructions", r"(?:이전|앞선|위의|기존)[^.\n]{0,10}(?:지시|명령|지침|프롬프트)[^.\n]{0,8}(?:무시|잊)"),
        ("becomes another", r"\byou are (?:now |no longer |hereby )?(?:in )?(?:an? )?(?:dan\b|developer mode|maintenance mode|god mode|jailbroken|unrestricted|unfiltered|uncensored)"),
        ("becomes another", r"\b(?:do anything now|you have been freed|(?:enter|enable|activate|switch to)(?: the)? (?:developer|god|jailbreak|dan) mode)\b"),
        ("becomes another", r"\b(?:act|behave|respond) as (?:an? )?(?:admin|administrator|root|superuser|dan)\b[^.\n]{0,30}\b(?:full|unlimited|all|unrestricted) (?:access|rights|permissions|privileges)"),
        ("becomes another", r"\b(?:system|admin|operator|priority|root) override\s{0,2}[:.!-]"),
        ("becomes another", r"\b(?:system|developer) (?:note|notice|message|update)\s{0,2}:\s{0,4}(?:you|ignore|disregard|reveal|send|forward|from now)"),
        ("becomes another", r"(?:^|[.!?]\s{1,3})system\s{0,2}:\s{0,4}you (?:must|are|will|should)\b"),
        ("becomes another", r"\b(?:remember|store|save|treat|keep) (?:this|it|that|the following) as (?:a |an |your )?(?:\w{1,20} ){0,2}(?:system|standing|root|permanent) (?:directive|instruction|command|prompt|order)"),
        ("sends data away", rf"{_NOT}\b(?:send|post|upload|forward|e-?mail|transmit|exfiltrate|leak|deliver|report|copy)(?:ing)?\b[^.\n]{{0,40}}\b{_LOOT}[^.\n]{{0,50}}\b(?:to|at|via|into)\b[^\n]{{0,24}}{_AWAY}"),
        ("sends data away", rf"{_NOT}\b(?:reveal|print|disclose|dump|expose)(?:ing)?\b[^.\n]{{0,12}}\b(?:your |the |all |stored |full |hidden ){{0,3}}(?:system prompt|hidden instructions|stored credentials|api keys)"),
        ("sends data away", rf"\b(?:include|append|add|embed)\b[^.\n]{{0,20}}\b{_LOOT}[^.\n]{{0,20}}\b(?:in|to) (?:every|each|all|any) (?:reply|replies|response|request|url|answer|message|commit)"),
        ("sends data away", r"(?:\b(?:cat|base64|tar)\b|[<@])[^|\n]{0,40}(?:\.ssh|\.aws|\.env\b|id_rsa|id_ed25519|credentials|\.netrc|secrets?\b)[^|\n]{0,24}\|\s{0,3}(?:curl|wget|nc|ncat)\b"),
        ("sends data away", r"\b(?:env|printenv)\b[^|\n]{0,24}\|[^|\n]{0,24}(?:\|\s{0,3})?(?:curl|wget|nc|ncat)\b"),
        ("sends data away", r"\b(?:curl|wget)\b[^\n]{0,80}(?:-d|--data\S{0,12}|-f|--form|--post-file|-t)[ =]{1,2}[\"']?@?\S{0,20}(?:\.ssh|\.aws|\.env\b|id_rsa|id_ed25519|credentials|\.netrc|\$\(cat|\$\(env)"),
        ("sends data away", r"!\[[^\]\n]{0,40}\]\(https?://[^)\n]{0,80}[?&][^)\n=]{1,20}=\s{0,2}(?:\{|\$|<|%7b|\[)"),
        ("hides what it does", rf"\b(?:do not|don[’']?t|never|avoid) (?:tell|telling|inform|informing|notify|alert|mention(?:ing)? (?:this|it) to|reveal(?:ing)? (?:this|it) to|show(?:ing)? (?:this|it) to|let)\b[^.\n]{{0,4}}{_PEOPLE}\b(?! (?:that|which|whether|how|when|if|their|his|her|an?|the|to|about (?:other|an?|the))\b)"),
        ("hides what it does", rf"\b(?:keep|hide) (?:this|it|these instructions|this (?:rule|instruction|step|change)) (?:hidden |secret |secretly )?(?:from (?:them\b|everybody\b|everyone\b|(?:the |your |any |its )?(?:logs?|audits?|history|review|transcript|{_PEOPLE})\b)|between us\b)"),
        ("hides what it does", rf"\bwithout (?:telling|informing|notifying|alerting) {_PEOPLE}"),
        ("hides what it does", r"\b(?:sag|sage|erzähle?|erzahle?|verrate?) (?:es )?(?:dem|der|den) (?:benutzer|nutzer|nutzern|anwender)\w{0,4} (?:nichts|nicht)\b"),
        ("hides what it does", r"(?:不要|别|勿|切勿)(?:告诉|告知|通知|让)(?:用户|使用者|任何人)|(?:告诉|告知)用户之前"),
        ("hides what it does", r"\bne (?:dis|dites|le dis|le dites) (?:rien )?(?:pas |jamais )?[aà] l[’']utilisateur|\bno (?:le )?(?:digas|diga|informes) (?:nada )?al usuario"),
    )
)  # fmt: skip


def check(draft: Draft) -> Iterator[Hit]:
    """Yield POL017 for each kind of take-over in each text, POL040 where it is only quoted."""
    for text in draft.every_text():
        for what, searched, match in find(_PATTERNS, text, variants(text.text)):
            code = "POL040" if _only_quoted(what, searched, match) else "POL017"
            yield hit(code, text, what, searched, match)


def _only_quoted(what: str, searched: str, match: re.Match[str]) -> bool:
    """Whether a text only speaks of the phrase. Commands stand in backticks anyway, so quoting excuses none."""
    if what == "sends data away" or not is_quoted(searched, match):
        return False
    later = match.re.search(searched, match.end())
    return later is None or is_quoted(searched, later)
