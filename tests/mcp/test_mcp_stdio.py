"""The server as a process over standard input and output, spoken to in raw JSON lines."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from serving import COMMAND, HANDSHAKES, SECONDS, Raw, envelope
from upheld.compose.library import Memory
from upheld.mcp.lines import MAX_LINE

TEXT = "Deploy before 15:00 UTC.\n"


@pytest.fixture
def store(memory: Memory) -> str:
    memory.remember("deploy-window", TEXT, when="Before deploying", because="The rota says so.")
    return memory.path


def recall(number: int, key: str = "deploy-window", **more: object) -> dict[str, object]:
    params = {"name": "recall", "arguments": {"key": key}, **more}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


@pytest.mark.parametrize("version", HANDSHAKES)
def test_a_client_of_the_handshake_era_gets_the_text_in_its_frame(store: str, version: str) -> None:
    with Raw("--store", store) as server:
        assert server.open(version)["result"]["protocolVersion"] == version
        result = server.ask("tools/call", {"name": "recall", "arguments": {"key": "deploy-window"}})["result"]
        rest, code = server.end()
    assert (rest, code) == ([], 0)
    assert result["isError"] is False
    said = result["structuredContent"]
    assert said["outcome"] == "verified"
    assert result["content"][0]["text"].startswith(said["text"])
    assert said["text"].startswith("[upheld ") and "\nDeploy before 15:00 UTC.\n[upheld " in said["text"]


def test_a_client_of_the_modern_era_needs_no_opening(store: str) -> None:
    with Raw("--store", store) as server:
        called = {"name": "recall", "arguments": {"key": "deploy-window"}, **envelope()}
        first = server.ask("tools/call", called)["result"]
        listed = server.ask("tools/list", envelope())["result"]
        server.ask("tools/call", {"name": "status", "arguments": {}, **envelope()})  # the SDK answers from here on
        again = server.ask("tools/call", called)["result"]
    assert first["structuredContent"]["outcome"] == "verified"
    assert first == again
    assert [tool["name"] for tool in listed["tools"]] == ["recall", "route", "index", "propose", "status"]


def test_a_refusal_is_an_error_with_code_reason_and_help_and_holds_no_text(store: str) -> None:
    with Raw("--store", store) as server:
        server.open()
        served = server.ask("tools/call", {"name": "recall", "arguments": {"key": "deploy-window"}})["result"]
        for source in Path(store, "sources").iterdir():
            source.chmod(0o644)
            source.write_text(TEXT.replace("15:00", "23:00"))
        results = [
            server.ask("tools/call", {"name": name, "arguments": arguments})["result"]
            for name, arguments in [
                ("recall", {"key": "deploy-window"}),
                ("status", {}),
                ("recall", {"key": "deploy-window"}),
            ]
        ]
        resource = server.ask("resources/read", {"uri": "upheld://key/deploy-window"})["error"]
    assert served["isError"] is False
    for result in results:
        assert result["isError"] is True
        assert result["structuredContent"]["code"] == "HSH001"
        assert result["structuredContent"]["reason"] and result["structuredContent"]["help"]
        assert "23:00" not in json.dumps(result) and "15:00" not in json.dumps(result)
    assert "REFUSED HSH001" in results[0]["content"][0]["text"]
    assert resource["data"]["code"] == "HSH001"
    assert "23:00" not in json.dumps(resource)


def test_the_opening_is_answered_where_there_is_no_store_and_a_call_says_so(tmp_path: Path) -> None:
    with Raw(cwd=str(tmp_path)) as server:
        server.open()
        assert server.ask("tools/list")["result"]["tools"]
        result = server.ask("tools/call", {"name": "index", "arguments": {}})["result"]
    assert result["isError"] is True
    assert result["structuredContent"]["code"] == "no-store"
    assert "upheld init" in result["structuredContent"]["help"]


def test_a_store_is_looked_for_at_each_call_in_the_folder_where_the_client_started_us(memory: Memory) -> None:
    with Raw(cwd=os.path.dirname(memory.path)) as server:
        server.open()
        empty = server.ask("tools/call", {"name": "recall", "arguments": {"key": "deploy-window"}})["result"]
        memory.remember("deploy-window", TEXT, when="Before deploying", because="The rota says so.")
        found = server.ask("tools/call", {"name": "recall", "arguments": {"key": "deploy-window"}})["result"]
    assert empty["structuredContent"]["code"] == "PTR001"
    assert found["structuredContent"]["outcome"] == "verified"


NO_MESSAGES = [
    (b"nonsense", -32700),
    (b'{"jsonrpc":"2.0","id":1', -32700),
    (b"\xff\xfe{}", -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\\ud800"}}', -32700),
    (b"[" * 100_000, -32700),
    (b"3", -32600),
    (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
    (b'{"jsonrpc":"2.0","id":1}', -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":3}', -32600),
    (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
    (b'{"x":"' + b"y" * MAX_LINE + b'"}', -32700),
]


@pytest.mark.parametrize("by", ["the front", "the SDK"])
def test_what_is_no_message_is_answered_and_the_next_one_too(store: str, by: str) -> None:
    with Raw("--store", store) as server:
        server.open()
        if by == "the SDK":
            assert server.ask("tools/call", {"name": "status", "arguments": {}})["result"]["isError"] is False
        for line, code in NO_MESSAGES:
            server.write(line + b"\n")
            assert server.read()["error"]["code"] == code, line[:80]
            assert server.ask("ping")["result"] == {}
        assert server.ask("tools/call", {"name": "recall", "arguments": {"key": "deploy-window"}})["result"]


def test_a_prompt_may_hold_any_character(store: str) -> None:
    with Raw("--store", store) as server:
        server.open()
        for task in ("\x1b[31mBefore deploying\x00", "Before deploying \U0001f680", "a\u2028b"):
            result = server.ask("tools/call", {"name": "route", "arguments": {"task": task}})["result"]
            assert result["structuredContent"]["outcome"] in ("match", "ambiguous", "none", "failed")
            assert result["structuredContent"].get("code") in (None, "unchecked")


def test_unknown_methods_and_tools_are_protocol_errors(store: str) -> None:
    with Raw("--store", store) as server:
        server.open()
        assert server.ask("no/such/method")["error"]["code"] == -32601
        assert server.ask("tools/call", {"name": "remember", "arguments": {}})["error"]["code"] == -32602
        assert server.ask("resources/read", {"uri": "file:///etc/passwd"})["error"]["code"] == -32602
        assert server.ask("resources/read", {"uri": "upheld://key/../../etc/passwd"})["error"]["code"] == -32602


def test_notifications_are_never_answered(store: str) -> None:
    with Raw("--store", store) as server:
        server.open()
        for method in ("notifications/cancelled", "notifications/roots/list_changed", "notifications/no-such"):
            server.notify(method, {"requestId": 77})
        assert server.ask("ping")["result"] == {}


def test_calls_in_flight_when_the_input_ends_are_answered(store: str) -> None:
    with Raw("--store", store) as server:
        server.open()
        status = {"jsonrpc": "2.0", "id": 50, "method": "tools/call", "params": {"name": "status", "arguments": {}}}
        for message in (status, *(recall(number) for number in range(100, 120))):
            server.send(message)
        rest, code = server.end()
    assert code == 0
    assert sorted(message["id"] for message in rest) == [50, *range(100, 120)]
    assert not any(message["result"]["isError"] for message in rest)


def test_an_input_that_ends_at_once_is_no_fault(store: str) -> None:
    with Raw("--store", store) as server:
        assert server.end() == ([], 0)


def test_an_input_that_ends_while_the_sdk_is_imported_is_no_fault(store: str) -> None:
    lines = json.dumps(recall(1, **envelope())) + "\n"
    for _ in range(5):
        ran = subprocess.run([*COMMAND, "--store", store], input=lines, capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert json.loads(ran.stdout)["result"]["isError"] is False


def test_the_server_ends_when_nobody_reads_any_more(store: str) -> None:
    with Raw("--store", store) as server:
        server.open()
        assert server.process.stdout is not None and server.process.stdin is not None
        server.process.stdout.close()
        server.send(recall(5))
        server.process.stdin.close()
        assert server.process.wait(SECONDS) == 0
        assert server.process.stderr is not None
        assert b"Traceback" not in server.process.stderr.read()


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_signal_ends_it_also_while_it_waits(store: str) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        with Raw("--store", store) as server:
            server.open()
            server.ask("tools/call", {"name": "status", "arguments": {}})
            server.process.send_signal(number)
            assert server.process.wait(SECONDS) in (-signal.SIGTERM, 130)
            assert server.process.stderr is not None
            assert b"Traceback" not in server.process.stderr.read()


def test_nothing_but_the_protocol_is_on_standard_output(store: str) -> None:
    """A print inside a call goes to standard error."""
    code = (
        "import os, sys\n"
        "from upheld.mcp import recall_tool\n"
        "real = recall_tool.run\n"
        "def run(*given):\n"
        "    print('stray'); sys.stdout.flush(); os.system('echo stray')\n"
        "    return real(*given)\n"
        "recall_tool.run = run\n"
        "from upheld.mcp.main import main\n"
        f"sys.exit(main(['--store', {store!r}]))\n"
    )
    lines = [json.dumps(recall(1, **envelope())), ""]
    ran = subprocess.run(
        [sys.executable, "-c", code],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
        timeout=SECONDS,
    )
    assert [json.loads(line)["id"] for line in ran.stdout.splitlines()] == [1]
    assert ran.stderr.count("stray") == 2


def test_help_needs_no_extra_and_serving_says_how_to_install_it(tmp_path: Path) -> None:
    """As on a machine where the extra is not installed: nothing of the SDK can be found."""
    code = (
        "import sys\n"
        "class Hidden:\n"
        "    @staticmethod\n"
        "    def find_spec(name, path=None, target=None):\n"
        "        if name.partition('.')[0] in ('mcp', 'mcp_types', 'pydantic'): raise ModuleNotFoundError(name)\n"
        "sys.meta_path[:] = [type('Without', (), {'find_spec': staticmethod(lambda name, path=None, target=None, old=old:"
        " None if name == 'mcp' else old.find_spec(name, path, target))}) for old in sys.meta_path]\n"
        "from upheld.__main__ import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    helped = subprocess.run([sys.executable, "-c", code, "mcp", "--help"], capture_output=True, text=True, check=True)
    assert "Examples:" in helped.stdout
    served = subprocess.run([sys.executable, "-c", code, "mcp"], capture_output=True, text=True, input="", check=False)
    assert (served.returncode, served.stdout) == (2, "")
    assert "pip install 'upheld[mcp]'" in served.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--no-such"], ["--store"], ["--store", "a", "--store", "b"], ["extra"], ["--http", "x"], ["--http", "1:99999"],
        ["--tenants", "f"], ["--token-file", "f"], ["--http", "1", "--tenants", "f", "--store", "s"],
        ["--http", "0.0.0.0:0"], ["--http", "192.0.2.1:0"], ["--token", "secret", "--http", "0"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_a_call_that_cannot_be_meant_is_refused_before_anything_is_served(arguments: list[str]) -> None:
    ran = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, input="", check=False, timeout=SECONDS)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("error: ")
    assert "secret" not in ran.stderr


SLOW = {
    "anyio", "argparse", "asyncio", "click", "cryptography", "dataclasses", "enum", "functools", "hashlib", "json",
    "logging", "mcp", "pathlib", "platformdirs", "pydantic", "re", "threading", "typing", "upheld.compose.library",
}  # fmt: skip


def test_the_opening_and_the_lists_are_answered_before_anything_slow_is_imported() -> None:
    """By name, never by time; what the process loads before the first answer is what its client waits for."""
    messages = [
        {"jsonrpc": "2.0", "id": number, "method": method, "params": envelope()}
        for number, method in enumerate(["server/discover", "tools/list", "resources/list", "prompts/list"])
    ]
    code = (
        "import sys; before = set(sys.modules)\n"
        "from upheld.mcp.desk import Desk\nfrom upheld.mcp import main, stdio\nfrom upheld.mcp.lines import Wire\n"
        "main.parse([]); main._look_for_extra()\n"
        "connection = stdio._Connection(Desk(), Wire(0, 1))\n"
        "stdio._Connection._started = lambda self: None\n"
        "for message in connection._wire.messages(): connection.take(message)\n"
        "sys.stderr.write(','.join(set(sys.modules) - before))\n"
    )
    lines = "".join(json.dumps(message) + "\n" for message in messages)
    ran = subprocess.run([sys.executable, "-I", "-c", code], input=lines, capture_output=True, text=True, check=True)
    assert [json.loads(line)["id"] for line in ran.stdout.splitlines()] == [0, 1, 2, 3]
    assert set(ran.stderr.split(",")) & SLOW == set()
