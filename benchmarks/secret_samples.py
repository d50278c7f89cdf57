"""Key-shaped samples for measuring secret rules: built at run time, so that no file here holds a key-shaped literal.

Every sample is made from a fixed seed. ``KEYS`` gives text that holds a secret of the named kind; ``HARMLESS`` gives
text that looks like one to a careless rule (digests, identifiers, placeholders, ordinary documentation).
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import string
from collections.abc import Callable, Iterator

WORD = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
LOWER = string.ascii_lowercase + string.digits
HEX = "0123456789abcdef"
URLSAFE = WORD + "-_"


def _pick(rng: random.Random, alphabet: str, length: int) -> str:
    return "".join(rng.choice(alphabet) for _ in range(length))


def _github(rng: random.Random, prefix: str) -> str:
    """Return a token whose last six characters are the base62 CRC-32 that real ones carry."""
    import zlib

    body = _pick(rng, WORD, 30)
    left, digits = zlib.crc32(body.encode()), ""
    base62 = string.digits + string.ascii_uppercase + string.ascii_lowercase
    for _ in range(6):
        left, digit = divmod(left, 62)
        digits = base62[digit] + digits
    return prefix + body + digits


def _jwt(rng: random.Random) -> str:
    def part(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).decode().rstrip("=")

    head = part(json.dumps({"alg": "HS256", "typ": "JWT"}).encode())
    body = part(json.dumps({"sub": str(rng.randrange(10**9)), "name": "Ada", "iat": 1516239022}).encode())
    return f"{head}.{body}.{_pick(rng, URLSAFE, 43)}"


def _pem(rng: random.Random, label: str) -> str:
    rows = "\n".join(_pick(rng, WORD + "+/", 64) for _ in range(8))
    return f"-----BEGIN {label}-----\n{rows}\n-----END {label}-----"


def _pypi(rng: random.Random) -> str:
    return "pypi-" + "AgEIcHlwaS5vcmc" + _pick(rng, URLSAFE, 150)


KEYS: dict[str, Callable[[random.Random], str]] = {
    "openai project": lambda r: "sk-" + "proj-" + _pick(r, URLSAFE, 74) + "T3Blbk" + "FJ" + _pick(r, URLSAFE, 74),
    "openai service": lambda r: "sk-" + "svcacct-" + _pick(r, URLSAFE, 74) + "T3Blbk" + "FJ" + _pick(r, URLSAFE, 74),
    "openai legacy": lambda r: "sk-" + _pick(r, WORD, 20) + "T3Blbk" + "FJ" + _pick(r, WORD, 20),
    "anthropic": lambda r: "sk-" + "ant-api03-" + _pick(r, URLSAFE, 93) + "AA",
    "anthropic oauth": lambda r: "sk-" + "ant-oat01-" + _pick(r, URLSAFE, 93) + "AA",
    "openrouter": lambda r: "sk-" + "or-v1-" + _pick(r, HEX, 64),
    "github classic": lambda r: _github(r, "gh" + "p_"),
    "github app": lambda r: _github(r, "gh" + "s_"),
    "github fine": lambda r: "github" + "_pat_" + _pick(r, WORD, 22) + "_" + _pick(r, WORD, 59),
    "gitlab": lambda r: "glp" + "at-" + _pick(r, URLSAFE, 20),
    "aws access": lambda r: "aws_access_key_id = AK" + "IA" + _pick(r, string.ascii_uppercase + "234567", 16),
    "aws secret": lambda r: "aws_secret_access_key = " + _pick(r, WORD + "+/", 40),
    "gcp api": lambda r: "AI" + "za" + _pick(r, URLSAFE, 35),
    "gcp service": lambda r: json.dumps({"type": "service_account", "private_key": _pem(r, "PRIVATE " + "KEY")}),
    "slack bot": lambda r: (
        "xo" + "xb-" + _pick(r, string.digits, 12) + "-" + _pick(r, string.digits, 12) + "-" + _pick(r, WORD, 24)
    ),
    "slack hook": lambda r: (
        "https://hooks."
        + "slack.com/services/T"
        + _pick(r, UPPER, 8)
        + "/B"
        + _pick(r, UPPER, 10)
        + "/"
        + _pick(r, WORD, 24)
    ),
    "stripe": lambda r: "sk_" + "live_" + _pick(r, WORD, 99),
    "stripe restricted": lambda r: "rk_" + "live_" + _pick(r, WORD, 99),
    "pem rsa": lambda r: _pem(r, "RSA PRIVATE " + "KEY"),
    "pem openssh": lambda r: _pem(r, "OPENSSH PRIVATE " + "KEY"),
    "jwt": _jwt,
    "npm": lambda r: "np" + "m_" + _pick(r, WORD, 36),
    "pypi": _pypi,
    "hugging face": lambda r: "h" + "f_" + _pick(r, string.ascii_letters, 34),
    "database url": lambda r: "postgresql" + "://app:" + _pick(r, WORD, 16) + "@db.internal:5432/app",
    "redis url": lambda r: "redis" + "://:" + _pick(r, WORD, 20) + "@cache.internal:6379/0",
    "azure storage": lambda r: "AccountKey=" + _pick(r, WORD + "+/", 86) + "==",
    "google oauth": lambda r: "GOC" + "SPX-" + _pick(r, URLSAFE, 28),
    "sendgrid": lambda r: "S" + "G." + _pick(r, URLSAFE, 22) + "." + _pick(r, URLSAFE, 43),
    "digitalocean": lambda r: "do" + "p_v1_" + _pick(r, HEX, 64),
    "telegram": lambda r: "telegram bot token " + _pick(r, "123456789", 10) + ":AA" + _pick(r, URLSAFE, 33),
    "xai": lambda r: "xa" + "i-" + _pick(r, WORD, 80),
    "groq": lambda r: "gs" + "k_" + _pick(r, WORD, 52),
    "age": lambda r: "AGE-SECRET-" + "KEY-1" + _pick(r, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58),
    "assigned api key": lambda r: "API_" + "KEY=" + _pick(r, WORD, 32),
    "assigned secret": lambda r: "client_" + 'secret: "' + _pick(r, URLSAFE, 40) + '"',
    "assigned password": lambda r: "pass" + "word = '" + _pick(r, WORD + "!%&", 18) + "'",
    "bearer": lambda r: "Authorization: " + "Bearer " + _pick(r, WORD, 40),
}

_SENTENCES = (
    "Set API_KEY in the environment; never write it into a file.",
    "Set `OPENAI_API_KEY=sk-...` before the tests run.",
    "Read the password from the vault: `password = vault.read('db/app')`.",
    "Use `token: ${{ secrets.GITHUB_TOKEN }}` in workflows.",
    "DATABASE_URL=postgresql://user:password@localhost:5432/app is the local default.",
    "Write postgres://USER:PASSWORD@HOST/DB in the docs, never a real one.",
    "Store secrets as SECRET_KEY=<your-secret-key> placeholders only.",
    "The public key is ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGt3Xz1yJ5b8d7wYkq9c0m2s4u6v8x0zA2C4E6G8I0K2 ops@example.",
    "Pin actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 by commit.",
    "Keep `password: changeme` out of every compose file.",
    "PASSWORD_MIN_LENGTH=12 and TOKEN_TTL_SECONDS=3600 are the defaults.",
    "Sort keys with `key=lambda item: item.priority_and_then_name`.",
    "Authorization: Bearer <token> goes into the header.",
    "Call getSecretValueForConfigurationKey() rather than reading os.environ.",
    "The image is registry.example/app@sha256:{digest}.",
    "The token budget is 128000 and max_tokens=4096.",
    "secret_key_base must come from credentials.yml.enc, see config/secrets.example.yml.",
    "Run `kubectl create secret generic app-config --from-file=config.yaml`.",
)


def harmless(rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield (kind, text) where nothing is a secret."""
    for i in range(20):
        digest = hashlib.sha256(f"source {i}".encode()).hexdigest()
        yield "our digest in JSON", f'"source_sha256": "{digest}"'
        yield "our digest in prose", f"The record was verified at {digest} on 2026-09-14."
        yield "our file name", f"sources/customer-copy-v{i}.{digest[:12]}.md"
        yield "our record id", f"customer-copy-v{i}-{digest[:4]}"
        yield "key digest", f"key_sha256: {digest}"
        yield "git commit", f"Revert commit {hashlib.sha1(str(i).encode()).hexdigest()} before the release."
        yield "uuid", f"Trace id {digest[:8]}-{digest[8:12]}-4{digest[13:16]}-a{digest[17:20]}-{digest[20:32]}"
        integrity = base64.b64encode(hashlib.sha512(str(i).encode()).digest()).decode()
        yield "npm integrity", f'"integrity": "sha512-{integrity}"'
        yield (
            "ssh fingerprint",
            "SHA256:" + base64.b64encode(hashlib.sha256(str(i).encode()).digest()).decode().rstrip("="),
        )
    for sentence in _SENTENCES:
        yield "documentation", sentence.replace("{digest}", hashlib.sha256(sentence.encode()).hexdigest())


def keys(rounds: int = 5, seed: int = 7) -> Iterator[tuple[str, str]]:
    """Yield (kind, text) where the text holds one secret of that kind, ``rounds`` of each."""
    rng = random.Random(seed)
    for kind, make in KEYS.items():
        for _ in range(rounds):
            yield kind, f"For the deploy job use this:\n{make(rng)}\nand nothing else.\n"
