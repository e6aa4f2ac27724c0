"""Deliveries, by an HTTP server on this machine with all kinds of answers; deliveries are also killed.

The server answers 200, 404, 500, 429, a redirect, late, never, with an endless body, or closes the connection; another has
a certificate, which is trusted or not. No message may be lost or overtake an earlier one of its pay key, even if deliveries
are killed again and again. All traffic stays on 127.0.0.0/8.
"""
import hashlib
import json
import os
import random
import signal
import ssl
import subprocess
import threading
import time
from collections import Counter, defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from model.files import json_lines
from programs import run

SEED = 15
STATUS = {"/error": 500, "/missing": 404, "/redirect": 302}


class Listener(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        with self.server.lock:
            self.server.connections += 1

    def do_POST(self):
        length, server = int(self.headers["Content-Length"]), self.server
        self.count(1)
        body = self.rfile.read(length).decode()
        try:
            # If the sender is killed while it sends a message, only a part arrives.
            if len(body) == length:
                with server.lock:
                    server.came[body].append(time.monotonic())
                self.answer(self.path.split("?")[0], server.came[body])
            else:
                self.count(-1)
        except OSError:
            pass

    def count(self, more):
        """Counts the messages of each host that are at work: from their arrival until their answer begins.

        While an answer is on its way, the next message may already arrive.
        """
        host, server = self.headers["Host"].split(":")[0], self.server
        with server.lock:
            server.at[host] += more
            server.most_of_host = max(server.most_of_host, server.at[host])
            server.most = max(server.most, server.at.total())

    def answer(self, path, came):
        # Also a busy machine answers others within the timeouts of the tests, and never this one.
        time.sleep({"/never": 15, "/late": 0.2}.get(path, 0))
        self.count(-1)
        if path in ("/never", "/drop"):
            self.close_connection = True
            return
        self.send_response(429 if path == "/busy" and len(came) < 3 else STATUS.get(path, 200))
        if path == "/redirect":
            self.send_header("Location", "/elsewhere")
        if path == "/endless":
            self.end_headers()
            while True:
                self.wfile.write(b"x" * 65536)
                self.server.written += 65536
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"OK")

    def log_message(self, *_):
        pass


def serve(tls=None):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Listener)
    server.handle_error = lambda *_: None
    server.daemon_threads = True
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    server.lock, server.at, server.came = threading.Lock(), Counter(), defaultdict(list)
    server.most = server.most_of_host = server.written = server.connections = 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@pytest.fixture
def server():
    return serve()


@pytest.fixture
def origins(server):
    """Two names of the server."""
    return [f"http://{name}:{server.server_port}" for name in ("127.0.0.1", "localhost")]


@pytest.fixture
def outbox(tmp_path):
    return tmp_path / "outbox"


@pytest.fixture
def deliver(deliver_path, outbox):
    """Delivers the outbox to these hosts with `programs.run`."""
    return lambda allowed, *options, **how: run(
        deliver_path, outbox, "--allow", *allowed, "--allow-private", *options, **how)


def fill(outbox, messages):
    """Writes messages, each a pay key and a URL; returns their digests by body."""
    digests = {}
    with open(outbox, "w", encoding="utf-8") as file:
        for number, (key, url) in enumerate(messages, 1):
            body = f"transaction_type=Adaptive+Payment+PAY&pay_key={key}&n={number}"
            digests[body] = hashlib.sha256(f"{url}\n{body}".encode()).hexdigest()
            file.write(json.dumps({"number": number, "kind": "PAY", "payKey": key, "url": url,
                                   "digest": digests[body], "body": body}, separators=(",", ":")) + "\n")
    return digests


def sent(outbox):
    return Path(f"{outbox}.sent").read_text(encoding="ascii").split()


def test_answers(server, origins, outbox, deliver):
    paths = ["/ok", "/missing", "/error", "/busy", "/redirect", "/late", "/never", "/endless", "/drop", "/ok?a=1#b"]
    digests = fill(outbox, [(f"K-{path}", origins[0] + path) for path in paths])
    begin = time.monotonic()
    told = deliver(origins[:1], "--attempts", "3", "--timeout", "5", exits=[1]).stderr
    assert [len(server.came[body]) for body in digests] == [1, 1, 3, 3, 1, 1, 3, 1, 3, 1]
    for number, reason in [(2, "status 404"), (3, "status 500"), (5, "status 302"), (7, "no answer in time"), (9, "clos")]:
        assert any(f"message {number} to {origins[0]}: " in line and reason in line for line in told.splitlines())
    assert "transaction_type" not in told, "a message shows a body"
    assert set(sent(outbox)) == {digest for place, digest in enumerate(digests.values(), 1) if place in (1, 4, 6, 8, 10)}
    assert time.monotonic() - begin > 3, "pauses of 1 and 2 seconds"
    assert server.written < 64 << 20, "an endless answer is not read on"


def test_refusals(server, origins, outbox, deliver, deliver_path):
    fill(outbox, [("A", origins[0] + "/ok")])
    for exit_code, options in [
            (64, []), (64, ["--allow", origins[0] + "/"]), (1, ["--allow", origins[0]]),
            (1, ["--allow", origins[1], "--allow-private"]), (64, ["--allow", origins[0], "--attempts", "0"])]:
        run(deliver_path, outbox, *options, exits=[exit_code])
    log = run(deliver_path, outbox, "--allow", origins[0], "--log-format", "json", exits=[1])
    assert [line["level"] for line in json_lines(log.stderr)] == ["error", "notice"]
    outbox.write_text(outbox.read_text().replace("n=1", "n=2"))
    deliver(origins[:1], exits=[66])
    outbox.unlink()
    deliver(origins[:1], exits=[66])
    assert not server.came


def test_proxy(server, origins, outbox, deliver):
    """Proxies of the environment are not used: messages show what was paid."""
    proxy = serve()
    fill(outbox, [("A", origins[0] + "/ok")])
    names = ("http_proxy", "https_proxy", "all_proxy", "ALL_PROXY")
    deliver(origins[:1], env=os.environ | dict.fromkeys(names, f"http://127.0.0.1:{proxy.server_port}"))
    assert server.came and not proxy.connections


@pytest.fixture
def certificate(tmp_path):
    """The files of a certificate of localhost and of its key."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost")
    return certificate, key


@pytest.fixture
def secure(certificate):
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(*certificate)
    return serve(tls)


def test_unknown_certificate(secure, outbox, deliver):
    origin = f"https://localhost:{secure.server_port}"
    fill(outbox, [("A", origin + "/ok")])
    told = deliver([origin], "--attempts", "1", "--timeout", "5", exits=[1]).stderr
    assert f"message 1 to {origin}: its certificate is not accepted" in told and not secure.came


@pytest.mark.skipif(os.geteuid() != 0, reason="that takes root")
def test_known_certificate(secure, certificate, outbox, deliver_path):
    """A certificate that the system trusts is accepted, but only for its own host."""
    origins = [f"https://{name}:{secure.server_port}" for name in ("localhost", "127.0.0.1")]
    digests = fill(outbox, [(f"K-{n}", origins[n // 3] + "/ok") for n in range(6)])
    trusting = 'mount --bind "$0" /etc/ssl/certs/ca-certificates.crt && exec "$@"'
    told = run("unshare", "-m", "bash", "-c", trusting, certificate[0], deliver_path, outbox, "--allow", *origins,
               "--allow-private", "--attempts", "1", "--timeout", "5", exits=[1]).stderr
    assert sorted(secure.came) == sorted(digests)[:3] and told.count("certificate is not accepted") == 3


def test_concurrency(server, origins, outbox, deliver):
    fill(outbox, [(f"K-{n}", origins[n % 2] + "/late") for n in range(24)])
    deliver(origins)
    assert server.most_of_host == 2 and 2 < server.most <= 4
    assert server.connections <= 4, "connections are kept for the next message"
    server.most = 0
    Path(f"{outbox}.sent").unlink()
    deliver(origins, "--concurrency", "1")
    assert server.most == 1


def test_lock(server, origins, outbox, deliver, deliver_path):
    fill(outbox, [("A", origins[0] + "/never")])
    first = subprocess.Popen([deliver_path, outbox, "--allow", origins[0], "--allow-private", "--attempts", "1"])
    while not server.came:
        assert first.poll() is None, "it ended without sending"
        time.sleep(0.01)
    # Stopped, it cannot end before the second one begins.
    first.send_signal(signal.SIGSTOP)
    deliver(origins[:1], exits=[75])
    first.kill()
    first.wait()


def test_kills(server, origins, outbox, deliver):
    """Kills deliveries at any time: no message is lost, ids stay the same, and so does the order per pay key."""
    dice = random.Random(SEED)
    digests = fill(outbox, [(f"K-{n % 150}", origins[n % 2] + "/ok") for n in range(600)])
    for kills in range(500):
        try:
            deliver(origins, timeout=dice.uniform(0.02, 0.4 + kills / 20))
            break
        except subprocess.TimeoutExpired:
            pass
    assert 2 < kills < 499
    assert sorted(server.came) == sorted(digests), "messages that came"
    assert sorted(sent(outbox)) == sorted(digests.values()), "digests noted once each"
    last = {}
    for body in digests:
        key = body.split("&")[1]
        assert key not in last or server.came[last[key]][0] <= server.came[body][0], f"the order of {key}"
        last[key] = body
