"""An S3 server on loopback for tests: moto, behind a gate that counts, delays, refuses and cuts requests.

As a command: object_store.py FILE, where it writes its port; it has a bucket `night`. `GET /_gate` answers the counts
as JSON. `GET /_gate?delay=0.03&refuse=0.1&cut=0.02` sets what happens to requests from then on, and clears the
counts. With `short=0.1` a tenth of the answers to reads have fewer bytes than they say. With `expired=1` all
credentials have expired, with `lapse=3` three requests after one that writes a manifest. With `unconditional=1` the
server knows no conditional writes.
"""

from __future__ import annotations

import http.client
import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server

BUCKET = "night"


def _error(code: str, message: str) -> bytes:
    return f"<?xml version='1.0'?><Error><Code>{code}</Code><Message>{message}</Message></Error>".encode()


_REFUSAL = _error("SlowDown", "Reduce your request rate.")
_EXPIRED = _error("ExpiredToken", "The provided token has expired.")
_UNKNOWN = _error("NotImplemented", "A header you provided implies functionality that is not implemented.")


def kind(method: str, query: str) -> str:
    """What a request is, by the names of S3's operations."""
    names = {name for name, _ in parse_qsl(query, keep_blank_values=True)}
    if method == "GET" and "uploads" in names:
        return "ListUploads"
    if "uploads" in names or "uploadId" in names:
        return {"PUT": "UploadPart", "DELETE": "AbortUpload"}.get(
            method, "CreateUpload" if "uploads" in names else "CompleteUpload")
    if method == "POST" and "delete" in names:
        return "DeleteObjects"
    if method == "GET" and names & {"list-type", "prefix", "delimiter", "max-keys"}:
        return "List"
    return {"GET": "Get", "HEAD": "Head", "PUT": "Put", "DELETE": "Delete"}.get(method, method)


@dataclass
class Gate:
    """Passes requests on to the server, with faults, and counts them."""

    server: Any
    delay: float = 0
    refuse: float = 0
    cut: float = 0
    short: float = 0
    expired: float = 0
    unconditional: float = 0
    lapse: float = 0
    _published: float = 0
    """The number of requests since a manifest was written."""
    requests: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    """The bytes of objects sent, by the first folder of their names."""
    log: list[str] = field(default_factory=list)
    _random: random.Random = field(default_factory=lambda: random.Random(31))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def set(self, **faults: float) -> None:
        """Sets the faults of all requests from now on, and clears the counts."""
        self.delay, self.refuse, self.cut, self.short, self.expired, self.unconditional, self.lapse = (
            faults.get(name, 0.0)
            for name in ("delay", "refuse", "cut", "short", "expired", "unconditional", "lapse"))
        self._published = 0
        self.requests.clear()
        self.read.clear()
        self.log.clear()

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        """Answers a request (WSGI)."""
        path, query = unquote(environ["PATH_INFO"]), environ.get("QUERY_STRING", "")
        if path == "/_gate":
            if query:
                self.set(**{name: float(value) for name, value in parse_qsl(query)})
            start("200 OK", [("Content-Type", "application/json")])
            return [json.dumps({"requests": self.requests, "read": self.read, "log": self.log}).encode()]
        method = environ["REQUEST_METHOD"]
        with self._lock:
            what = kind(method, query)
            refused, cuts = self._random.random() < self.refuse, self._random.random() < self.cut
            self.requests[what] += 1
            shortens = what == "Get" and self.short > 0 and self.requests[what] % round(1 / self.short) == 0
            has_lapsed = 0 < self.lapse < self._published
            self._published += what == "Put" and path.endswith("/manifest.json") or self._published > 0
            self.log.append(f"{what} {path}" + (
                " refused" if refused else " cut" if cuts else " shortened" if shortens else ""))
        time.sleep(self.delay)
        answer = None
        if refused:
            answer = "503 Slow Down", _REFUSAL
        elif self.expired or has_lapsed:
            answer = "400 Bad Request", _EXPIRED
        elif self.unconditional and "HTTP_IF_NONE_MATCH" in environ:
            answer = "501 Not Implemented", _UNKNOWN
        if answer:
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start(answer[0], [("Content-Type", "application/xml"), ("Content-Length", str(len(answer[1])))])
            return [] if method == "HEAD" else [answer[1]]
        folder = "/".join(path.split("/")[2:3])
        if shortens:
            return self._shortened(environ, start)
        return self._sent(self.server(environ, start), folder if what == "Get" else None, cuts)

    def _shortened(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        """Half of an answer, with a length that fits, and the range of the whole."""
        begun: list[Any] = []
        body = b"".join(self.server(environ, lambda *answer: begun.extend(answer)))
        body = body[:len(body) // 2]
        start(begun[0], [(name, str(len(body)) if name.lower() == "content-length" else value)
                         for name, value in begun[1]])
        return [body]

    def _sent(self, body: Iterable[bytes], folder: str | None, cuts: bool) -> Iterator[bytes]:
        for piece in body:
            if cuts:
                piece = piece[:len(piece) // 2]
            if folder is not None:
                with self._lock:
                    self.read[folder] += len(piece)
            yield piece
            if cuts:
                raise ConnectionAbortedError("cut by the gate")


class _Handler(WSGIRequestHandler):
    protocol_version = "HTTP/1.1"  # With 1.0, clients wait a second before they send a body.

    def log(self, *_: Any) -> None:
        """Logs nothing."""


@contextmanager
def object_store() -> Iterator[tuple[Gate, int]]:
    """A server with an empty bucket: its gate, and its port."""
    gate = Gate(DomainDispatcherApplication(create_backend_app))
    server = make_server("127.0.0.1", 0, gate, threaded=True, request_handler=_Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port)
    connection.request("PUT", f"/{BUCKET}")
    connection.getresponse().read()
    connection.close()
    gate.set()
    try:
        yield gate, server.server_port
    finally:
        server.shutdown()


def main() -> None:
    """Serves until it is ended."""
    with object_store() as (_, port):
        Path(sys.argv[1]).write_text(str(port))
        threading.Event().wait()


if __name__ == "__main__":
    main()
