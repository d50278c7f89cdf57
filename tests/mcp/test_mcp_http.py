"""Over HTTP: who is let in, and that what is one tenant's never reaches another."""

from __future__ import annotations

import asyncio
import hashlib
import http.client
import json
import os
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from keeping import kept_store
from serving import COMMAND, MODERN, SECONDS, envelope, handshake, http_server
from upheld.compose.library import Memory
from upheld.errors import UsageError
from upheld.mcp.desk import Caller, Desk
from upheld.mcp.options import parse
from upheld.mcp.tenants import Tenant, is_loopback, tenant_for, tenants_of

TOKENS = {"ada": "ada-token-0123456789abcdef", "bob": "bob-token-0123456789abcdef"}
SECRETS = {"ada": "Ada ships only on odd days.", "bob": "Bob ships only on even days."}


class Reply:
    """What a request over HTTP came to."""

    def __init__(self, status: int, headers: dict[str, str], body: str) -> None:
        self.status, self.body = status, body
        self.headers = {name.lower(): value for name, value in headers.items()}

    @property
    def message(self) -> dict[str, Any]:
        """The JSON of the answer, also where it came as an event."""
        data = [line[6:] for line in self.body.splitlines() if line.startswith("data: {")]
        return dict(json.loads(data[-1] if data else self.body))


def post(address: str, message: object, token: str = "", **headers: str) -> Reply:
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    sent |= {"Authorization": f"Bearer {token}"} if token else {}
    sent |= {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(address, json.dumps(message).encode(), sent)
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return Reply(answer.status, dict(answer.headers), answer.read().decode())
    except urllib.error.HTTPError as error:
        with error:
            return Reply(error.code, dict(error.headers), error.read().decode())


def call(address: str, name: str, arguments: dict[str, object], token: str = "") -> Reply:
    """Call a tool in the modern era: one request, no session."""
    message = {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments, **envelope()},
    }  # fmt: skip
    return post(address, message, token, Mcp_Method="tools/call", Mcp_Name=name, Mcp_Protocol_Version=MODERN)


@pytest.fixture
def one(memory: Memory) -> Iterator[str]:
    memory.remember("deploys", "Deploy on Tuesdays.", when="Before deploying", because="The rota says so.")
    with http_server("--store", memory.path) as address:
        yield address


@pytest.fixture
def tenants(tmp_path: Path) -> Iterator[tuple[str, dict[str, Memory]]]:
    """Two tenants, each with a store, a key of the same name, and one of their own."""
    stores: dict[str, Memory] = {}
    for name in TOKENS:
        (tmp_path / f"of-{name}").mkdir()
        stores[name] = kept_store(tmp_path / f"of-{name}") if not stores else _another(tmp_path / f"of-{name}")
        stores[name].remember("shipping", SECRETS[name], when="Before shipping", because=f"For {name}.")
        stores[name].remember(f"only-{name}", f"Only {name} knows.", when="Before knowing", because=f"For {name}.")
    listed = [
        {"name": "ada", "store": stores["ada"].path, "token": TOKENS["ada"]},
        {
            "name": "bob",
            "store": stores["bob"].path,
            "token_sha256": hashlib.sha256(TOKENS["bob"].encode()).hexdigest(),
        },
    ]
    file = tmp_path / "tenants.json"
    file.write_text(json.dumps({"tenants": listed}))
    file.chmod(0o600)
    with http_server("--tenants", str(file)) as address:
        yield address, stores


def _another(folder: Path) -> Memory:
    from upheld.services.seal_store import SEALING_VERBS

    memory = Memory(path=str(folder / ".upheld"), why="a test")
    memory.init(automation=SEALING_VERBS, accept=("SIG030",))
    return memory


# --- the door -----------------------------------------------------------------------------------------------------


def test_a_request_needs_no_session_in_the_modern_era(one: str) -> None:
    reply = call(one, "recall", {"key": "deploys"})
    assert reply.status == 200 and "mcp-session-id" not in reply.headers
    assert reply.message["result"]["structuredContent"]["outcome"] == "verified"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost@evil.example", ""]
)
def test_a_name_that_is_not_ours_is_not_answered(one: str, host: str) -> None:
    assert call_with(one, Host=host).status in (400, 421)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "https://127.0.0.1.evil.example", "null", "http://localhost.evil.example"]
)
def test_a_page_of_another_site_is_not_answered(one: str, origin: str) -> None:
    assert call_with(one, Origin=origin).status == 403


def test_two_tokens_in_one_request_are_nobodys(tenants: tuple[str, dict[str, Memory]]) -> None:
    address, _ = tenants
    host, _, port = urllib.parse.urlsplit(address).netloc.partition(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=SECONDS)
    connection.putrequest("POST", urllib.parse.urlsplit(address).path)
    for name in ("ada", "bob"):
        connection.putheader("Authorization", f"Bearer {TOKENS[name]}")
    connection.putheader("Content-Length", "2")
    connection.endheaders(b"{}")
    assert connection.getresponse().status == 401
    connection.close()


def test_a_page_of_this_machine_is(one: str) -> None:
    assert call_with(one, Origin="http://localhost:3000").status == 200


def call_with(address: str, **headers: str) -> Reply:
    return post(address, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": handshake()}, **headers)


def test_no_answer_names_a_path_of_the_machine(one: str, memory: Memory) -> None:
    for source in Path(memory.path, "sources").iterdir():
        source.unlink()
    said = [call(one, name, arguments).body for name, arguments in every_call("deploys")]
    assert not [body for body in said if memory.path in body or os.environ["HOME"] in body or "of-" in body]
    assert '"code":"STO001"' in said[0]


def every_call(key: str) -> list[tuple[str, dict[str, object]]]:
    return [
        ("recall", {"key": key}),
        ("route", {"task": "Before shipping"}),
        ("index", {}),
        ("status", {}),
        ("propose", {"key": key, "text": "Do it so.", "because": "Because."}),
        ("propose", {"key": "new-key", "text": "Do it so.", "because": "Because.", "when": "Before it"}),
    ]


def test_a_text_that_names_a_folder_is_served_as_it_was_verified(memory: Memory) -> None:
    home = os.environ["HOME"]
    text = f"Run {home}/bin/check in {memory.path} first."
    memory.remember("checks", text, when="Before checking", because="It is kept there.")
    desk = Desk(store=memory.path, label="store")
    assert text in desk.call("recall", {"key": "checks"}, Caller()).fields["text"]
    assert text in desk.call("route", {"task": "Before checking"}, Caller()).fields["text"]


def test_no_path_is_left_of_a_refusal(memory: Memory) -> None:
    desk = Desk(store=f"{memory.path}-gone", label="ada")
    said = desk.call("recall", {"key": "checks"}, Caller())
    assert said.is_error and said.fields["code"] == "no-store"
    assert memory.path not in json.dumps(said.fields) + said.text and "ada" in said.text
    open_about_paths = Desk(store=f"{memory.path}-gone").call("recall", {"key": "checks"}, Caller())
    assert f"{memory.path}-gone" in open_about_paths.text


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "localhost", "127.0.0.9"])
def test_only_this_machine_is_let_in_without_a_token(host: str) -> None:
    assert is_loopback(host)
    assert not is_loopback("0.0.0.0") and not is_loopback("192.0.2.1") and not is_loopback("memory.example.org")


def test_any_other_address_needs_a_token_and_a_name() -> None:
    with pytest.raises(UsageError, match="token is needed"):
        tenants_of(parse(["--http", "192.0.2.1:1"]), {}, lambda: "x")
    found = tenants_of(parse(["--http", "192.0.2.1:1"]), {"UPHELD_MCP_TOKEN": TOKENS["ada"]}, lambda: "x")
    assert tenant_for(found, "") is None and tenant_for(found, f"Bearer {TOKENS['ada']}") is not None
    ran = subprocess.run([*COMMAND, "--http", "0.0.0.0:0"], capture_output=True, text=True, check=False,
                         env=os.environ | {"UPHELD_MCP_TOKEN": TOKENS["ada"]}, timeout=SECONDS)  # fmt: skip
    assert (ran.returncode, ran.stdout) == (2, "") and "--allow-host" in ran.stderr


@pytest.mark.parametrize("token", ["short", "with a space in it all", "\x1b[31m0123456789abcdef"])
def test_a_token_that_could_be_guessed_is_no_token(token: str) -> None:
    with pytest.raises(UsageError, match="a token of"):
        tenants_of(parse(["--http", "0"]), {"UPHELD_MCP_TOKEN": token}, lambda: "x")


def test_a_file_of_tokens_that_others_can_read_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(TOKENS["ada"] + "\n")
    file.chmod(0o640)
    options = parse(["--http", "0", "--token-file", str(file)])
    with pytest.raises(UsageError, match="others can read it"):
        tenants_of(options, {}, lambda: "x")
    file.chmod(0o600)
    [tenant] = tenants_of(options, {}, lambda: "x")
    assert tenant_for([tenant], f"Bearer {TOKENS['ada']}") == tenant


BAD_TENANTS: list[object] = [
    {}, {"tenants": []}, {"tenants": ["ada"]}, {"tenants": [{"name": "a", "store": "/s"}]},
    {"tenants": [{"name": "a", "store": "relative", "token": TOKENS["ada"]}]},
    {"tenants": [{"name": "a", "store": "/s", "token": TOKENS["ada"], "token_sha256": "0" * 64}]},
    {"tenants": [{"name": "a", "store": "/s", "token_sha256": "0" * 63}]},
    {"tenants": [{"name": "a", "store": "/s", "token": "short"}]},
    {"tenants": [{"name": "", "store": "/s", "token": TOKENS["ada"]}]},
    {"tenants": [{"name": "a", "store": "/s", "token": TOKENS["ada"], "unsealed": True}]},
    {"tenants": [{"name": name, "store": "/s", "token": TOKENS["ada"]} for name in ("a", "b")]},
    {"tenants": [{"name": "a", "store": "/s", "token": token} for token in TOKENS.values()]},
]  # fmt: skip


@pytest.mark.parametrize("listed", BAD_TENANTS, ids=json.dumps)
def test_tenants_that_cannot_be_meant_are_refused_and_no_token_is_shown(tmp_path: Path, listed: object) -> None:
    file = tmp_path / "tenants.json"
    file.write_text(json.dumps(listed))
    file.chmod(0o600)
    with pytest.raises(UsageError) as refused:
        tenants_of(parse(["--http", "0", "--tenants", str(file)]), {}, lambda: "x")
    assert not [token for token in TOKENS.values() if token in str(refused.value)]


@given(st.text(max_size=60))
def test_no_header_but_the_token_opens_the_door(header: str) -> None:
    digest = hashlib.sha256(TOKENS["ada"].encode()).hexdigest()
    found = [Tenant(name="ada", store="/s", token_sha256=digest)]
    assert tenant_for(found, header) is None
    assert tenant_for(found, f"Basic {TOKENS['ada']}") is None
    assert tenant_for(found, f"bearer {TOKENS['ada']}") is found[0]


# --- tenants ------------------------------------------------------------------------------------------------------


def test_each_tenant_gets_their_own_text_for_one_key(tenants: tuple[str, dict[str, Memory]]) -> None:
    address, _ = tenants
    for name, other in (("ada", "bob"), ("bob", "ada")):
        body = call(address, "recall", {"key": "shipping"}, TOKENS[name]).body
        assert SECRETS[name] in body and SECRETS[other] not in body


def test_nothing_of_one_tenant_reaches_another(tenants: tuple[str, dict[str, Memory]]) -> None:
    address, stores = tenants
    # Ada's store is damaged, so that her answers are errors with places in them.
    for source in Path(stores["ada"].path, "sources").iterdir():
        source.chmod(0o644)
        source.write_text("spoilt\n")
    for name, other in (("ada", "bob"), ("bob", "ada")):
        for key in ("shipping", f"only-{other}"):
            for tool, arguments in every_call(key):
                body = call(address, tool, arguments, TOKENS[name]).body
                own = {f"only-{other}"} if key == f"only-{other}" else set()  # what was asked comes back
                known = {
                    stores[other].path,
                    f"of-{other}",
                    SECRETS[other],
                    TOKENS[other],
                    f"only-{other}",
                    f'"{other}"',
                }
                assert not [word for word in known - own if word in body], (name, tool, key)
                assert stores[name].path not in body
    nearest = call(address, "recall", {"key": "only-bo"}, TOKENS["ada"]).message["result"]["structuredContent"]
    assert "only-bob" not in json.dumps(nearest)


@pytest.mark.parametrize("token", ["", "wrong-token-0123456789", TOKENS["ada"][:-1], f"{TOKENS['ada']}x"])
def test_without_a_tenants_token_nothing_is_said(tenants: tuple[str, dict[str, Memory]], token: str) -> None:
    address, _ = tenants
    replies = [call(address, "recall", {"key": "shipping"}, token), call_with(address, Authorization=f"Bearer {token}")]
    for reply in replies:
        assert reply.status == 401 and reply.headers["www-authenticate"] == "Bearer"
        assert json.loads(reply.body) == {"error": "a valid bearer token is needed"}


def test_a_session_of_one_tenant_is_unknown_to_another(tenants: tuple[str, dict[str, Memory]]) -> None:
    address, _ = tenants
    opened = call_with(address, Authorization=f"Bearer {TOKENS['ada']}")
    session = opened.headers["mcp-session-id"]
    listing = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
    assert post(address, listing, TOKENS["ada"], Mcp_Session_Id=session).status == 200
    assert post(address, listing, TOKENS["bob"], Mcp_Session_Id=session).status == 404


def test_tenants_at_once_do_not_mix(tenants: tuple[str, dict[str, Memory]]) -> None:
    address, _ = tenants

    async def recall(name: str, mode: str) -> list[str]:
        http = create_mcp_http_client(headers={"Authorization": f"Bearer {TOKENS[name]}"})
        async with http, Client(streamable_http_client(address, http_client=http), mode=mode) as client:
            results = await asyncio.gather(*(client.call_tool("recall", {"key": "shipping"}) for _ in range(20)))
        return [str(result.structured_content) for result in results]

    async def everybody() -> list[list[str]]:
        return await asyncio.gather(*(recall(name, mode) for name in TOKENS for mode in ("legacy", MODERN)))

    for name, said in zip(["ada", "ada", "bob", "bob"], asyncio.run(everybody()), strict=True):
        other = "bob" if name == "ada" else "ada"
        assert all(SECRETS[name] in text and SECRETS[other] not in text for text in said)
