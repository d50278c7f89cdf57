"""Secrets in a text: shapes of keys that providers publish, and values assigned to names that say what they are.

Which rules and why these: docs/adr/0007-secret-rules.md. A value never leaves this module; ``hint`` shows at most the
first four characters, and only where these are the provider's fixed prefix.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator

from upheld.model.value import Value

_B62 = "[A-Za-z0-9]"
_URL = "[A-Za-z0-9_-]"


class Secret(Value):
    """Where a secret stands: its kind, character offsets, line (from 1) and a hint that gives nothing away."""

    kind: str
    start: int
    end: int
    line: int
    hint: str


# One row a shape: kind, pattern of the value. Each begins with a literal, so a scan is one pass. Rows are read in order.
_SHAPES: tuple[tuple[str, str], ...] = (
    ("anthropic key", rf"sk-ant-{_URL}{{20,200}}"),
    ("openrouter key", r"sk-or-(?:v1-)?[A-Za-z0-9]{32,100}"),
    ("openai key", rf"sk-(?:proj|svcacct|admin|None)-{_URL}{{20,260}}"),
    ("openai key", rf"sk-{_B62}{{20}}T3BlbkFJ{_B62}{{20}}"),
    ("api key", r"sk-[a-z0-9-]{0,16}[A-Za-z0-9]{24,100}"),
    ("github token", rf"gh[pousr]_{_B62}{{36,255}}"),
    ("github token", rf"github_pat_{_B62}{{20,30}}_{_B62}{{40,80}}"),
    ("gitlab token", rf"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|ffct)-{_URL}{{20,300}}"),
    ("aws access key", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}"),
    ("aws bedrock key", r"(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/=]{60,400}"),
    ("google api key", rf"AIza{_URL}{{35}}"),
    ("google oauth secret", rf"GOCSPX-{_URL}{{28}}"),
    ("google oauth token", rf"ya29\.{_URL}{{30,400}}"),
    ("slack token", r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,250}"),
    ("slack app token", r"xapp-\d-[A-Z0-9]{8,14}-\d{8,16}-[a-z0-9]{40,100}"),
    ("slack webhook", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{30,80}"),
    ("discord webhook", rf"discord(?:app)?\.com/api/webhooks/\d{{15,22}}/{_URL}{{50,80}}"),
    ("stripe key", rf"[srp]k_(?:live|test|prod)_{_B62}{{16,240}}"),
    ("stripe webhook secret", r"whsec_[A-Za-z0-9+/]{24,80}"),
    ("npm token", rf"npm_{_B62}{{36}}"),
    ("pypi token", r"pypi-AgE[A-Za-z0-9_-]{50,400}"),
    ("hugging face token", r"(?:hf|api_org)_[A-Za-z]{30,40}"),
    ("sendgrid key", rf"SG\.{_URL}{{16,32}}\.{_URL}{{30,64}}"),
    ("mailgun key", r"key-[0-9a-f]{32}"),
    ("twilio key", r"SK[0-9a-f]{32}"),
    ("digitalocean token", r"do[opr]_v1_[0-9a-f]{64}"),
    ("shopify token", r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("databricks token", r"dapi[0-9a-f]{32}(?:-\d)?"),
    ("doppler token", rf"dp\.(?:pt|st|ct|sa|scim|audit)\.{_URL}{{20,80}}"),
    ("vault token", rf"hv[sbr]\.{_URL}{{24,300}}"),
    ("linear key", rf"lin_(?:api|oauth)_{_B62}{{32,80}}"),
    ("notion token", rf"(?:ntn_{_B62}{{40,60}}|secret_{_B62}{{43}})"),
    ("figma token", rf"fig[dou]r?_{_URL}{{38,60}}"),
    ("airtable token", rf"pat{_B62}{{14}}\.[0-9a-f]{{64}}"),
    ("grafana token", r"gl(?:sa|c)_[A-Za-z0-9+/=_]{32,200}"),
    ("new relic key", r"NRAK-[A-Z0-9]{27}"),
    ("postman key", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("pulumi token", r"pul-[0-9a-f]{40}"),
    ("sentry token", r"sntry[su]_[A-Za-z0-9+/=_-]{40,300}"),
    ("supabase key", rf"sb(?:p_[0-9a-f]{{40}}|_secret_{_URL}{{20,60}})"),
    ("docker token", rf"dckr_(?:pat|oat)_{_URL}{{27,60}}"),
    ("rubygems key", r"rubygems_[0-9a-f]{48}"),
    ("crates.io token", rf"cio{_B62}{{32}}"),
    ("square token", rf"(?:EAAA{_URL}{{56,64}}|sq0(?:atp|csp)-{_URL}{{22,50}})"),
    ("atlassian token", rf"AT(?:ATT3|CTT3|BBT3){_URL}{{50,250}}[A-Za-z0-9=_-]{{0,12}}"),
    ("artifactory key", r"AKCp[A-Za-z0-9]{60,100}"),
    ("telegram bot token", rf"\d{{8,10}}:AA{_URL}{{33}}"),
    ("groq key", rf"gsk_{_B62}{{52}}"),
    ("xai key", rf"xai-{_B62}{{70,90}}"),
    ("perplexity key", rf"pplx-{_B62}{{40,60}}"),
    ("replicate token", rf"r8_{_B62}{{37,40}}"),
    ("fireworks key", rf"fw_{_B62}{{22,30}}"),
    ("langsmith key", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    ("nvidia key", rf"nvapi-{_URL}{{60,70}}"),
    ("tavily key", rf"tvly-(?:dev-|prod-)?{_URL}{{24,60}}"),
    ("json web token", rf"eyJ{_URL}{{10,2000}}\.eyJ{_URL}{{10,4000}}(?:\.{_URL}{{10,1500}})?"),
    ("age key", r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
    ("azure storage key", r"AccountKey=[A-Za-z0-9+/]{80,90}={0,2}"),
    ("azure client secret", rf"{_B62}{{3}}8Q~{_URL}{{31,37}}"),
    ("putty private key", r"PuTTY-User-Key-File-\d:[^\n]{0,200}"),
)
_SHAPE = re.compile(
    r"(?<![A-Za-z0-9_])(?:" + "|".join(f"(?P<k{n}>{pattern})" for n, (_, pattern) in enumerate(_SHAPES)) + ")"
)

_PEM = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:\\[rn]|[\s\"'+>|])*(?=[A-Za-z0-9+/=\\:,. \n\r-]{24})"
)
_PEM_END = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")

_URL_PASSWORD = re.compile(
    r"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}://(?P<user>[^\s/:@\"'<>]{0,100}):(?P<value>[^\s/\"'<>]{3,200})"
    r"@(?P<host>[A-Za-z0-9_.\[-]{1,200})"
)

_NAME = (
    r"(?:api[ _-]?key|apikey|access[ _-]?key|secret[ _-]?key|private[ _-]?key|client[ _-]?secret|auth[ _-]?key"
    r"|signing[ _-]?key|encryption[ _-]?key|account[ _-]?key|secret|token|passw(?:or)?d|passphrase|passcode|pwd"
    r"|credentials?|passwort|kennwort|contraseña|senha|hasło|пароль|密码|パスワード|비밀번호)"
)
_ASSIGNED = re.compile(
    rf"(?P<name>{_NAME}(?P<tail>[A-Za-z0-9_.-]{{0,24}})[\"'`*]{{0,3}}\s{{0,4}}(?::=|=>|=|:|：|\bis\b|\bist\b|\bes\b))"
    r"\s{0,4}(?:bearer |basic )?[\"'`]{0,3}(?P<value>[^\s\"'`<>{}()\[\],;，。]{8,400})",
    re.IGNORECASE,
)
_BEARER = re.compile(r"\b(?:bearer|basic)\s{1,4}(?P<value>[A-Za-z0-9._~+/=-]{20,2000})", re.IGNORECASE)

_DIGEST_NAME = re.compile(r"sha\d|digest|hash|checksum|md5|fingerprint|commit|integrity|public", re.IGNORECASE)
_STAND_IN = re.compile(
    r"example|placeholder|your|change[_-]?me|dummy|redacted|sample|x{4}|\*{3}|\.{3}|…|•{3}|^\$|^%|^env[.:]|secrets\.|"
    r"^test|^fake|insert|replace|todo|vault|getenv|environ|process\.|config|settings",
    re.IGNORECASE,
)
_COMMON = frozenset(
    """
        pass password passwd pwd secret user username postgres root admin test guest changeme token pw mysql
        redis minio minioadmin rabbit rabbitmq example mypassword yourpassword 12345 123456 docker dev local
        app
        """.split()
)


def find_secrets(text: str) -> Iterator[Secret]:
    """Yield every secret that the rules see in ``text``, in no set order, spans not overlapping within a rule."""
    newlines = _Lines(text)
    for kind, start, end, shown in _found(text):
        hint = text[start : start + 4] + "…" if shown else "…"
        yield Secret(kind=kind, start=start, end=end, line=newlines.line(start), hint=hint)


class _Lines:
    """Line numbers for offsets asked in any order."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._line = text, 0, 1

    def line(self, offset: int) -> int:
        if offset < self._at:
            self._at, self._line = 0, 1
        self._line += self._text.count("\n", self._at, offset)
        self._at = offset
        return self._line


def _found(text: str) -> Iterator[tuple[str, int, int, bool]]:
    for match in _SHAPE.finditer(text):
        kind = _SHAPES[int((match.lastgroup or "k0")[1:])][0]
        if _varied(match.group(), 8):
            yield kind, *match.span(), True
    yield from _private_keys(text)
    for match in _URL_PASSWORD.finditer(text):
        if _is_real_password(match["user"], match["value"]):
            yield "password in an address", *match.span("value"), False
    for match in _ASSIGNED.finditer(text):
        if not _DIGEST_NAME.search(match["tail"]) and _is_real_value(match["value"], match["name"]):
            yield f"value of {_label(match['name'])}", *match.span("value"), False
    for match in _BEARER.finditer(text):
        if _looks_random(match["value"], 3.5):
            yield "authorization header", *match.span("value"), False


def _private_keys(text: str) -> Iterator[tuple[str, int, int, bool]]:
    at = 0
    while match := _PEM.search(text, at):
        end = _PEM_END.search(text, match.end())
        at = end.end() if end else len(text)
        yield "private key", match.start(), at, False


def _label(name: str) -> str:
    return "password" if re.match("pass|pwd", name, re.IGNORECASE) else "a secret setting"


def _varied(value: str, least: int) -> bool:
    """Whether a value is more than a stand-in such as ``xxxx``: ``least`` different characters or more."""
    return len(set(value[-40:])) >= least


def _entropy(value: str) -> float:
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in Counter(value).values())


def _is_real_password(user: str, value: str) -> bool:
    low = value.lower()
    return not (low in _COMMON or low == user.lower() or _STAND_IN.search(value) or value[0] in "$%{[(" or
                (value.isupper() and value.isalpha()))  # fmt: skip


def _is_real_value(value: str, name: str) -> bool:
    value = value.rstrip(".:!?")
    if len(value) < 8 or value.lower() in _COMMON or _STAND_IN.search(value):
        return False
    if re.match("pass|pwd|kenn|contra|senha|has|пар|密|パ|비", name, re.IGNORECASE):
        return _is_password(value)
    return len(value) >= 16 and _looks_random(value, 3.0)


def _is_password(value: str) -> bool:
    """Whether a value mixes kinds of characters as passwords do and names, paths and calls do not."""
    kinds = sum(
        (any(c.islower() for c in value), any(c.isupper() for c in value), any(c.isdigit() for c in value),
         any(c in "!@#%^&*+~?=" for c in value))
    )  # fmt: skip
    return kinds >= 3 and "/" not in value and not re.fullmatch(r"[A-Za-z_]+(?:[._-][A-Za-z_]+)*\d?", value)


def _looks_random(value: str, entropy: float) -> bool:
    """Whether a value is random rather than made of words: digits among letters, and many different characters."""
    digits = sum(c.isdigit() for c in value)
    letters = sum(c.isalpha() for c in value)
    found = _entropy(value)
    if not digits or not letters or found < entropy:
        return False
    longest = max(map(len, re.findall(r"[^\W\d_]+", value)))
    return found >= 4.4 or not (longest >= 6 and digits <= 3 and re.search(r"[._/-]", value))
