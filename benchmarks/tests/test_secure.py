"""How clients are told to speak TLS and HTTP/2, and the server they speak them with."""

import os
import ssl
from http.client import HTTPConnection, HTTPSConnection

import pytest
from benchmarks.load_generators.nginx import missing, nginx
from benchmarks.load_generators.tools import secure

from webdyno.generators.cross_check.tools.h2load import H2load
from webdyno.generators.cross_check.tools.oha import Oha
from webdyno.generators.cross_check.tools.shb import Shb
from webdyno.generators.cross_check.tools.wrk import WrkTool


def test_each_client_gets_its_own_options() -> None:
    wrk = secure.closed(WrkTool(), 1, 64, 2, tls=True)
    assert wrk is not None
    assert wrk.argv == ["wrk", "-t1", "-c64", "-d2s", "https://127.0.0.1:1/"]
    h2load = secure.closed(H2load(), 1, 8, 2, streams=8)
    assert h2load is not None
    assert h2load.argv == ["h2load", "-t1", "-c8", "-D2", "-m8", "http://127.0.0.1:1/"]
    oha = secure.closed(Oha(), 1, 8, 2, tls=True, streams=8)
    assert oha is not None
    assert oha.argv[-4:] == ["--insecure", "--http2", "-p8", "https://127.0.0.1:1/"]


def test_what_a_client_cannot_speak_is_none() -> None:
    assert secure.closed(WrkTool(), 1, 8, 2, streams=8) is None
    assert secure.closed(Shb(), 1, 8, 2, tls=True) is None
    assert not secure.reopens(H2load())


@pytest.mark.skipif(missing() is not None, reason="needs nginx and openssl")
def test_nginx_answers_as_the_minimal_server_does_and_closes_where_it_should() -> None:
    trusting = ssl._create_unverified_context()
    with nginx(min(os.sched_getaffinity(0))) as ports:
        expected = {
            ("http", ports.plain): "keep-alive",
            ("https", ports.tls): "keep-alive",
            ("http", ports.plain_closing): "close",
            ("https", ports.tls_closing): "close",
            ("https", ports.tls_resuming): "close",
        }
        for (scheme, port), connection in expected.items():
            host = f"127.0.0.1:{port}"
            client = HTTPConnection(host, timeout=5)
            if scheme == "https":
                client = HTTPSConnection(host, timeout=5, context=trusting)
            client.request("GET", "/")
            answer = client.getresponse()
            assert (answer.status, answer.read()) == (200, b"Hello World")
            assert answer.headers["Connection"] == connection, (scheme, port)
            client.close()
