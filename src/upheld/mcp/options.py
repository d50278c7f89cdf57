"""The arguments of ``upheld mcp``, read without the command framework, whose import a client would wait for."""

from __future__ import annotations

from upheld.errors import UsageError
from upheld.model.value import Value

HELP = """\
Usage: upheld mcp [OPTIONS]

  Serve the store to an agent over MCP: the tools recall, route, index, propose and status, and the texts as resources.
  Without --http it speaks over standard input and output, as clients start it. Needs the extra: pip install
  'upheld[mcp]'.

  The store is the one that --store or UPHELD_STORE names, else the nearest .upheld upward from the working directory,
  looked for at each call. No tool takes a date, a path outside the store, or a way round the seal.

Options:
  --store DIR               The store's folder.
  --client-name NAME        The client that this server is registered for; recorded with proposals.
  --http [HOST:]PORT        Serve streamable HTTP at /mcp instead. On loopback unless HOST says otherwise.
  --token-file FILE         The bearer token that HTTP callers must give (else UPHELD_MCP_TOKEN). Any HOST but loopback
                            needs one. A token is never an argument: arguments can be seen by every user.
  --tenants FILE            Serve several stores, one a bearer token: JSON with "tenants", each with "name", "store"
                            and "token" or "token_sha256".
  --allow-host NAME         A further name under which HTTP callers may ask for this server; may be given several times.
  -h, --help                Show this message.

Examples:
  upheld mcp                                         as a client starts it, in the project's folder
  upheld mcp --store ~/notes/.upheld --client-name claude
  upheld mcp --http 8765                             http://127.0.0.1:8765/mcp for this machine
  upheld mcp --http 0.0.0.0:8765 --allow-host memory.example.org --token-file token
"""

LOOPBACK = "127.0.0.1"
_VALUED = {
    "--store": "store",
    "--client-name": "client_name",
    "--http": "http",
    "--token-file": "token_file",
    "--tenants": "tenants",
    "--allow-host": "allow_host",
}


class Options(Value):
    """What was given. ``http`` is host and port, or None for standard input and output."""

    store: str | None = None
    client_name: str = ""
    http: tuple[str, int] | None = None
    token_file: str | None = None
    tenants: str | None = None
    allow_host: tuple[str, ...] = ()
    wants_help: bool = False


def parse(arguments: list[str]) -> Options:
    """Read what follows ``upheld mcp``.

    Raises:
        UsageError: it cannot be meant.
    """
    given: dict[str, list[str]] = {}
    waiting = iter(arguments)
    for argument in waiting:
        if argument in ("-h", "--help"):
            return Options(wants_help=True)
        name, equals, value = argument.partition("=")
        if name not in _VALUED:
            raise _wrong(f"there is no option `{argument[:60]}`")
        said = value if equals else next(waiting, None)
        if said is None:
            raise _wrong(f"`{name}` needs a value")
        given.setdefault(_VALUED[name], []).append(said)
    return _options(given)


def _options(given: dict[str, list[str]]) -> Options:
    repeated = [name for name, values in given.items() if len(values) > 1 and name != "allow_host"]
    if repeated:
        raise _wrong(f"--{repeated[0].replace('_', '-')} is given twice")
    only_http = [name for name in ("token_file", "tenants", "allow_host") if name in given and "http" not in given]
    if only_http:
        raise _wrong(f"--{only_http[0].replace('_', '-')} belongs to --http")
    if "tenants" in given and ("store" in given or "token_file" in given):
        raise _wrong("--tenants names every store and token itself: leave --store and --token-file out")
    one = {name: values[0] for name, values in given.items()}
    return Options(
        store=one.get("store"),
        client_name=one.get("client_name", "")[:100],
        http=_address(one["http"]) if "http" in one else None,
        token_file=one.get("token_file"),
        tenants=one.get("tenants"),
        allow_host=tuple(given.get("allow_host", ())),
    )


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not (port.isascii() and port.isdigit() and len(port) < 6 and int(port) < 65536):
        raise _wrong(f"--http {text[:60]!r}: [HOST:]PORT is wanted, for example 127.0.0.1:8765")
    return host.removeprefix("[").removesuffix("]") or LOOPBACK, int(port)


def _wrong(message: str) -> UsageError:
    return UsageError(message, help="`upheld mcp --help`")
