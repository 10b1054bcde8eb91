"""`webdyno hit ws://` and a scenario over WebSocket, against a server written for this test."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.asyncio_server import AsyncioServer
from support.hit_command import hit, hit_json
from webdyno.catalog.loads.load import Closed
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.generators.job import Job
from webdyno.generators.registry import generator_named

pytestmark = pytest.mark.concurrent

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, CLOSE, PING = 0x81, 0x88, 0x89


class Echo(AsyncioServer):
    """`/ws` sends each text back, with a ping before it; `/shout` in capitals; others are 404."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.upgrades: list[str] = []
        super().__init__(tls)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            path = head.split(" ")[1]
            fields = dict(line.split(": ", 1) for line in head.splitlines()[1:] if line)
            if path not in ("/ws", "/shout"):
                writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                return
            self.upgrades.append(head)
            key = fields["Sec-WebSocket-Key"] + GUID
            accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
            writer.write(
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                f"Sec-WebSocket-Accept: {accept}\r\n\r\n".encode()
            )
            while True:
                kind, payload = await _frame(reader)
                if kind == CLOSE:
                    writer.write(_written(CLOSE, payload))
                    return
                if kind == TEXT:
                    said = payload.upper() if path == "/shout" else payload
                    writer.write(_written(PING, b"still there?") + _written(TEXT, said))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


async def _frame(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """A client's frame, which must be masked: its first byte and its payload."""
    first, second = await reader.readexactly(2)
    assert second & 0x80, "a client's frame is masked"
    length = second & 0x7F
    if length > 125:
        length = int.from_bytes(await reader.readexactly(2 if length == 126 else 8))
    mask = await reader.readexactly(4)
    payload = await reader.readexactly(length)
    return first, bytes(byte ^ mask[place % 4] for place, byte in enumerate(payload))


def _written(kind: int, payload: bytes) -> bytes:
    assert len(payload) < 126
    return bytes([kind, len(payload)]) + payload


@pytest.fixture
def server() -> Iterator[Echo]:
    running = Echo()
    yield running
    running.close()


def test_each_connection_is_upgraded_once_and_every_message_comes_back(
    server: Echo, tmp_path: Path
) -> None:
    url = f"ws://127.0.0.1:{server.port}/ws"
    say = ("--message", "Héllo {you}", "--echo", "-H", "Origin: http://a.test")
    users = ("--users", "3", "--iterations", "40", "-t", "2")
    document = hit_json(tmp_path, url, *say, *users)
    counts = document["counts"]
    assert (counts["ok"], counts["sent"]) == (120, 120), document["errors_detail"]
    assert (document["protocol"], document["connections_opened"]) == ("WebSocket", 3)
    assert document["websocket"]["upgrades"] == len(server.upgrades) == 3
    assert document["websocket"]["pings"] == 120
    assert all("\r\nOrigin: http://a.test\r\n" in head for head in server.upgrades)
    # No two connections have the same key.
    assert len(set(server.upgrades)) == 3


def test_messages_are_sent_at_a_rate(server: Echo, tmp_path: Path) -> None:
    url = f"ws://127.0.0.1:{server.port}/ws"
    load = ("--rate", "200/s", "-d", "1s", "-c", "4")
    document = hit_json(tmp_path, url, "--message", "tick", "--echo", *load)
    assert document["counts"]["offered"] == 200
    assert document["counts"]["ok"] >= 190, document["errors_detail"]


def test_messages_go_over_tls(tmp_path: Path) -> None:
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    files = ["-keyout", "key.pem", "-out", "cert.pem"]
    made = [*command.split(), *names, *files]
    subprocess.run(made, cwd=tmp_path, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    server = Echo(context)
    try:
        url = f"wss://localhost:{server.port}/ws"
        users = ("--users", "2", "--iterations", "20")
        say = ("--message", "secret", "--echo", "--cacert", str(tmp_path / "cert.pem"))
        document = hit_json(tmp_path, url, *say, *users)
    finally:
        server.close()
    assert document["counts"]["ok"] == 40, document["errors_detail"]
    assert document["tls"]["full_handshakes"] == document["websocket"]["upgrades"] == 2


def test_an_answer_that_is_no_echo_fails(server: Echo) -> None:
    url = f"ws://127.0.0.1:{server.port}/shout"
    load = ("--users", "1", "--iterations", "5")
    done = hit(url, "--message", "hello", "--echo", *load)
    assert 'expected "hello", got "HELLO"' in done.stdout
    assert hit(url, "--message", "hello", *load).returncode == 0


def test_an_upgrade_that_fails_is_told_by_its_name(server: Echo, tmp_path: Path) -> None:
    url = f"ws://127.0.0.1:{server.port}/nowhere"
    load = ("--users", "1", "--iterations", "2")
    file = tmp_path / "hit.json"
    done = hit(url, "--message", "hello", *load, "--json", str(file))
    assert "WebSocket: the server answered status 404, not 101" in done.stdout
    assert "is it the path of the WebSocket" in done.stderr
    held = json.loads(file.read_text(encoding="utf-8"))
    assert held["counts"]["refused"] == 2
    assert held["websocket"]["failed_upgrades"]["status"] >= 2


def test_a_scenario_of_messages_is_loaded_and_its_answers_are_kept(server: Echo) -> None:
    said = {
        "name": "chat",
        "title": "Chat",
        "description": "Echoes.",
        "variables": {"n": {"kind": "int", "min": 0, "max": 10**9}},
        "requests": [
            {
                "name": "echo",
                "path": "/ws",
                "websocket": True,
                "message": "No. {n}",
                "checks": [{"kind": "equals", "text": "No. {n}"}],
            }
        ],
    }
    scenario = parse_manifest(said, ScenarioManifest, "test")
    load = Closed(kind="closed", connections=4, duration=0.5)
    job = Job(scenario=scenario, load=load, port=server.port, cpus=(), seed=1, samples=5)
    result = generator_named("engine").run(job)
    assert result.counts.ok > 20
    assert result.counts.errors == 0
    assert result.websocket is not None
    assert result.websocket.upgrades == 4
    for sample in result.samples:
        assert base64.b64decode(sample.body_base64).decode() == f"No. {sample.variables['n']}"
