"""A scripted model on loopback: it speaks what the clients speak, plays a script, and keeps what it was sent.

It is also the proxy that the clients are pointed at for everything else. As a proxy it refuses, and keeps the name of
the host: so a run reaches nothing outside, and what a client tried to reach is known.
"""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from acceptance.dialects.anthropic import Messages
from acceptance.dialects.gemini import GenerateContent
from acceptance.dialects.openai import Responses
from acceptance.dialects.turn import Dialect, Written, choose, document
from acceptance.script import Script
from upheld.model.value import Value

BODY_LIMIT = 32 * 1024 * 1024
REQUEST_LIMIT = 200
LIFETIME = 300.0
DIALECTS: tuple[Dialect, ...] = (Messages(), Responses(), GenerateContent())


class Request(Value):
    """One request for an answer, as it came.

    Attributes:
        path: without its query.
        body: the decoded JSON document.
        main: it offers tools, so it is a turn of the agent and not a side request.
    """

    path: str
    body: Any
    main: bool


class ModelServer:
    """A model that plays one script. Use it as a context manager; it stops by itself after ``lifetime`` seconds.

    Args:
        script: what it says.
        lifetime: seconds after which it stops whatever happens.
    """

    def __init__(self, script: Script | None = None, *, lifetime: float = LIFETIME) -> None:
        self.script = script or Script()
        self._kept: list[Request] = []
        self._outside: list[str] = []
        self._lock = threading.Lock()
        self._count = 0
        self._http = _Server(("127.0.0.1", 0), _handler_for(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        self._watch = threading.Timer(lifetime, self._http.shutdown)
        self._watch.daemon = True

    def __enter__(self) -> Self:
        self._thread.start()
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._watch.cancel()
        self._http.shutdown()
        self._thread.join(10)
        self._http.server_close()

    @property
    def url(self) -> str:
        """Where it listens: ``http://127.0.0.1:PORT``."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def requests(self) -> tuple[Request, ...]:
        """What it was asked to answer so far, in order."""
        with self._lock:
            return tuple(self._kept)

    @property
    def outside(self) -> tuple[str, ...]:
        """The hosts that something tried to reach through it, each refused."""
        with self._lock:
            return tuple(sorted(set(self._outside)))

    def keep(self, request: Request) -> None:
        """Keep a request."""
        with self._lock:
            self._kept.append(request)

    def refuse(self, host: str) -> None:
        """Keep the name of a host that somebody tried to reach."""
        with self._lock:
            self._outside.append(host)

    def admit(self) -> bool:
        """Whether one more request is within the limit."""
        with self._lock:
            self._count += 1
            return self._count <= REQUEST_LIMIT

    def answer(self, path: str, body: Any) -> Written:
        """Keep a request and say what the script says to it."""
        for dialect in DIALECTS:
            turn = dialect.read(path, body) if isinstance(body, dict) else None
            if turn is not None:
                self.keep(Request(path=path, body=body, main=bool(turn.offers)))
                return dialect.write(turn, choose(self.script, turn))
        return _aside(path)


class _Server(ThreadingHTTPServer):
    daemon_threads = True


def _aside(path: str) -> Written:
    """What clients ask for besides answers: how long a request is, and which models there are."""
    counted = {"input_tokens": 10, "totalTokens": 10}
    listed = {"object": "list", "data": [], "models": []}
    return document(counted if "count" in path else listed)


def _handler_for(model: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout = 60

        def log_message(self, *_: object) -> None:
            pass

        def do_HEAD(self) -> None:
            self._send(200, Written(content_type="application/json", body=b""))

        def do_CONNECT(self) -> None:
            model.refuse(self.path)
            self._stop(403)

        def do_GET(self) -> None:
            self._serve(_aside)

        def do_POST(self) -> None:
            self._serve(lambda path: model.answer(path, json.loads(self._body() or b"null")))

        def _serve(self, answer: Any) -> None:
            path = self.path.partition("?")[0]
            if path.startswith("http://"):  # an absolute address is a request to a proxy
                model.refuse(path.split("/")[2])
                return self._stop(403)
            if not model.admit():
                return self._stop(429)
            try:
                self._send(200, answer(path))
            except (ValueError, KeyError, TypeError, AttributeError):
                self._stop(400)
            return None

        def _body(self) -> bytes:
            if self.headers.get("transfer-encoding", "").lower() == "chunked":
                return b"".join(self._chunks())
            size = int(self.headers.get("content-length") or 0)
            if not 0 <= size <= BODY_LIMIT:
                self.rfile.read(min(abs(size), BODY_LIMIT))  # so that the refusal is read before the connection goes
                raise ValueError("too large")
            return self.rfile.read(size)

        def _chunks(self) -> list[bytes]:
            chunks: list[bytes] = []
            left = BODY_LIMIT
            while size := int(self.rfile.readline(100).split(b";")[0], 16):
                left -= size
                if left < 0:
                    raise ValueError("too large")
                chunks.append(self.rfile.read(size))
                self.rfile.readline(100)
            self.rfile.readline(100)
            return chunks

        def _send(self, code: int, written: Written) -> None:
            self.send_response(code)
            self.send_header("content-type", written.content_type)
            self.send_header("content-length", str(len(written.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(written.body)

        def _stop(self, code: int) -> None:
            self.close_connection = True
            self._send(code, document({"error": {"type": "invalid_request_error", "message": "not here"}}))

    return Handler


def turns(model: ModelServer) -> tuple[Request, ...]:
    """The agent's own requests, without the client's side requests."""
    return tuple(request for request in model.requests if request.main)
