"""`webdyno hit` over TLS and HTTP/2, against Node.js and Nginx."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.hit_command import hit, hit_json
from webdyno.runtime.ports import free_port

pytestmark = pytest.mark.concurrent


NODE = """
const fs = require('fs'), [key, cert, ...ports] = process.argv.slice(1);
const pair = {key: fs.readFileSync(key), cert: fs.readFileSync(cert)};
const hello = (request, response) => { request.resume(); response.end('hello'); };
require('https').createServer(pair, hello).listen(+ports[0], '127.0.0.1');
require('http2').createServer(hello).listen(+ports[1], '127.0.0.1');
require('http2').createSecureServer(pair, hello).listen(+ports[2], '127.0.0.1');
"""

NGINX = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/log;
events {{ worker_connections 256; }}
http {{
  access_log off; client_body_temp_path {folder}; proxy_temp_path {folder};
  fastcgi_temp_path {folder}; uwsgi_temp_path {folder}; scgi_temp_path {folder};
  keepalive_requests 50;
  server {{
    listen 127.0.0.1:{port} ssl http2;
    ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;
    location / {{ return 200 hello; }}
  }}
}}
"""


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `cert.pem` and `key.pem` of localhost, as a developer makes them."""
    folder = tmp_path_factory.mktemp("certificate")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    files = ["-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run([*command.split(), *names, *files], cwd=folder, check=True, capture_output=True)
    return folder


def running(command: list[str], ports: list[int]) -> Iterator[list[int]]:
    """The ports of a program that listens on them, until the test ends."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for port in ports:
            wait_for(port, process)
        yield ports
    finally:
        process.terminate()
        process.wait(10)


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        assert process.poll() is None, f"{process.args} ended"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"{process.args} does not listen")


@pytest.fixture
def node(certificate: Path) -> Iterator[list[int]]:
    """Node's ports: HTTP/1.1 over TLS, HTTP/2 by prior knowledge, HTTP/2 over TLS."""
    if shutil.which("node") is None:
        pytest.skip("needs node")
    ports = [free_port() for _ in range(3)]
    files = [str(certificate / "key.pem"), str(certificate / "cert.pem")]
    yield from running(["node", "-e", NODE, *files, *map(str, ports)], ports)


@pytest.fixture
def nginx(certificate: Path) -> Iterator[int]:
    """Nginx's port; it ends every connection after 50 requests."""
    if shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") is None:
        pytest.skip("needs nginx")
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or "nginx"
    ports = [free_port()]
    configuration = certificate / "nginx.conf"
    configuration.write_text(NGINX.format(folder=certificate, port=ports[0]))
    command = [program, "-c", str(configuration), "-e", str(certificate / "log")]
    for listening in running(command, ports):
        yield listening[0]


def faultless(folder: Path, *arguments: str) -> dict[str, Any]:
    """The document of a load that had no errors."""
    document = hit_json(folder, *arguments)
    assert document["errors_detail"] == []
    assert document["counts"]["ok"] > 0
    return document


def test_each_protocol_of_node(node: list[int], certificate: Path, tmp_path: Path) -> None:
    trusted = ["--cacert", str(certificate / "cert.pem")]
    load = ["-c", "3", "-d", "400ms"]
    http2 = ["--http2", "--streams", "4"]

    one = faultless(tmp_path, f"https://localhost:{node[0]}/", *trusted, *load)
    assert (one["protocol"], one["tls"]["full_handshakes"], one["http2"]) == ("HTTP/1.1", 3, None)
    assert one["tls"]["version"] == "TLS 1.3"

    clear = faultless(tmp_path, f"http://localhost:{node[1]}/", *load, *http2)
    assert (clear["protocol"], clear["tls"]) == ("HTTP/2", None)
    assert (clear["connections_opened"], clear["http2"]["streams"]) == (3, 4)

    rate = ["--rate", "100/s", "-d", "500ms", "-c", "2", "--insecure"]
    two = faultless(tmp_path, f"https://127.0.0.1:{node[2]}/", *rate, *http2)
    assert (two["counts"]["offered"], two["tls"]["alpn"]) == (50, "h2")

    users = ["--users", "5", "--iterations", "6", "--body", "x"]
    counted = faultless(tmp_path, f"https://localhost:{node[2]}/", *trusted, *users, *http2)
    assert (counted["counts"]["ok"], counted["connections_opened"]) == (30, 2)


def test_nginx_ends_connections_and_none_is_missed(nginx: int, tmp_path: Path) -> None:
    url = f"https://localhost:{nginx}/"
    users = ["--users", "8", "--iterations", "100", "--insecure"]
    one = faultless(tmp_path, url, *users)
    assert (one["counts"]["ok"], one["tls"]["full_handshakes"]) == (800, 8)
    assert one["tls"]["resumed_handshakes"] >= 8

    two = faultless(tmp_path, url, *users, "--http2", "--streams", "4")
    assert two["counts"]["ok"] == 800
    # Two connections at a time carry 400 requests each, 50 before each goodbye; the load may end
    # before the last one of each is read.
    assert two["http2"]["goaways"] >= 14


def test_a_certificate_that_is_not_trusted_is_said_with_the_remedy(node: list[int]) -> None:
    done = hit(f"https://localhost:{node[0]}/", "-c", "2", "-d", "300ms")
    assert done.returncode == 1
    assert "refused: certificate: it is self-signed and not trusted here" in done.stdout
    assert "--cacert FILE" in done.stderr


def test_a_certificate_file_that_is_none_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"https://127.0.0.1:{listening.getsockname()[1]}/"
        done = hit(url, "--cacert", "/dev/null", "-d", "1s")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "/dev/null holds no certificate" in done.stderr
