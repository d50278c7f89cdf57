"""Who may call over HTTP: one store a bearer token. Tokens are read from a file or the environment, never from argv."""

from __future__ import annotations

import hashlib
import hmac
import os
import stat

from upheld.errors import FaultError, UsageError
from upheld.mcp.options import LOOPBACK
from upheld.model.names import is_digest
from upheld.model.value import Value
from upheld.wire.strictjson import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from upheld.mcp.options import Options

VARIABLE = "UPHELD_MCP_TOKEN"
LEAST = 16
"""Characters of a token; a generator gives 32 or more (`openssl rand -hex 32`)."""
MOST_BYTES = 1024 * 1024
ONLY = "store"
"""What the one store is called towards callers, who see no path."""


class Tenant(Value):
    """One store and who may call it.

    Attributes:
        name: what the store is called towards the caller.
        store: its folder.
        token_sha256: the digest of the token; empty where everybody on this machine may call.
    """

    name: str
    store: str
    token_sha256: str = ""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    import ipaddress

    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def tenants_of(options: Options, environ: Mapping[str, str], find: Callable[[], str]) -> tuple[Tenant, ...]:
    """Return who may call.

    Args:
        options: the arguments.
        environ: the environment; ``UPHELD_MCP_TOKEN`` counts where no file is named.
        find: finds the one store, where there are no tenants.

    Raises:
        UsageError: a file cannot be used, or an address that others can reach would need no token.
    """
    if options.tenants is not None:
        return _listed(options.tenants)
    token = _token(options, environ)
    host = options.http[0] if options.http is not None else LOOPBACK
    if not token and not is_loopback(host):
        raise UsageError(
            f"whoever reaches {host} could read the store: a token is needed", help=f"--token-file FILE, or {VARIABLE}"
        )
    where = options.token_file or VARIABLE
    return (Tenant(name=ONLY, token_sha256=_digest(token, where) if token else "", store=find()),)


def tenant_for(tenants: Sequence[Tenant], authorization: str) -> Tenant | None:
    """Return the tenant whose token this ``Authorization`` header gives; None where it is nobody's.

    Every tenant is compared, and digests in constant time, so how long it takes tells nothing.
    """
    scheme, _, token = authorization.partition(" ")
    given = hashlib.sha256(token.strip().encode("utf-8", "surrogateescape")).hexdigest()
    found = None
    for tenant in tenants:
        if not tenant.token_sha256 or (hmac.compare_digest(tenant.token_sha256, given) and scheme.lower() == "bearer"):
            found = tenant
    return found


def _token(options: Options, environ: Mapping[str, str]) -> str:
    if options.token_file is None:
        return environ.get(VARIABLE, "").strip()
    token = _private(options.token_file).decode("utf-8", "replace").strip()
    if not token:
        raise UsageError(f"{options.token_file} holds no token", help="`openssl rand -hex 32` makes one")
    return token


def _digest(token: str, where: str) -> str:
    if len(token) < LEAST or not token.isprintable() or " " in token:
        raise UsageError(
            f"{where}: a token of {LEAST} printable characters or more is wanted",
            help="`openssl rand -hex 32` makes one",
        )
    return hashlib.sha256(token.encode()).hexdigest()


def _private(path: str) -> bytes:
    """Read a file that nobody else can read.

    Raises:
        UsageError: it cannot be read, or others can read it.
    """
    try:
        with open(path, "rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise UsageError(f"{path}: {os.strerror(error.errno or 0)}") from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError(f"{path} holds tokens, and others can read it", help=f"chmod 600 {path}")
    if len(data) > MOST_BYTES:
        raise UsageError(f"{path} is too large")
    return data


def _listed(path: str) -> tuple[Tenant, ...]:
    try:
        listed = parse(_private(path), path).get("tenants")
    except FaultError as fault:
        raise UsageError(fault.message) from None
    if not isinstance(listed, list) or not listed:
        raise UsageError(f'{path}: "tenants" is no list with somebody in it', help="see docs/how-to/mcp.md")
    found = tuple(_tenant(item, f"{path}: tenants[{number}]") for number, item in enumerate(listed))
    for name in ("name", "token_sha256"):
        if len({getattr(tenant, name) for tenant in found}) < len(found):
            raise UsageError(f"{path}: two tenants have one {name.replace('_sha256', '')}")
    return found


def _tenant(item: object, where: str) -> Tenant:
    if not isinstance(item, dict) or not item.keys() <= {"name", "store", "token", "token_sha256"}:
        raise UsageError(f'{where}: an object with "name", "store" and "token" or "token_sha256" is wanted')
    values = {name: item.get(name, "") for name in ("name", "store", "token", "token_sha256")}
    if not all(isinstance(value, str) for value in values.values()) or not values["name"] or not values["store"]:
        raise UsageError(f'{where}: "name" and "store" are texts, and neither is empty')
    if bool(values["token"]) == bool(values["token_sha256"]):
        raise UsageError(f'{where}: one of "token" and "token_sha256" is wanted')
    if not os.path.isabs(values["store"]):
        raise UsageError(f'{where}: "store" is an absolute path')
    digest = values["token_sha256"] or _digest(values["token"], where)
    if not is_digest(digest):
        raise UsageError(f'{where}: "token_sha256" is 64 lower-case hex digits')
    return Tenant(name=values["name"], store=values["store"], token_sha256=digest)
