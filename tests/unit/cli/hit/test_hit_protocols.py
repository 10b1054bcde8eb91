"""TLS, HTTP/2 and WebSocket in a load of `hit`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from webdyno.catalog.scenarios.checks import EqualsCheck
from webdyno.cli.hit.options import Options
from webdyno.cli.hit.specification import specification
from webdyno.errors import UserError
from webdyno.generators.specification import Http2Spec, TlsSpec
from webdyno.generators.target import parse

HELLO = parse("http://127.0.0.1:8080/hello")


def test_https_has_its_own_port_and_asks_for_certificates() -> None:
    target = parse("https://localhost/x")
    assert (target.port, target.tls, target.host_header) == (443, True, "localhost")
    assert specification(HELLO, Options()).target.tls is None
    assert specification(target, Options()).target.tls == TlsSpec(insecure=False, ca_file=None)
    named = specification(target, Options(cacert=Path("ca.pem"))).target.tls
    assert named == TlsSpec(insecure=False, ca_file=str(Path.cwd() / "ca.pem"))


def test_http2_has_streams() -> None:
    assert specification(HELLO, Options()).http2 is None
    assert specification(HELLO, Options(http2=True)).http2 == Http2Spec(streams=1)
    assert specification(HELLO, Options(http2=True, streams=9)).http2 == Http2Spec(streams=9)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (Options(streams=2), "--streams: HTTP"),
        (Options(insecure=True), "--insecure is about certificates"),
        (Options(cacert=Path("a.pem")), "--cacert is about certificates"),
    ],
)
def test_what_needs_http2_or_https(options: Options, named: str) -> None:
    with pytest.raises(UserError, match=re.escape(named)):
        specification(HELLO, options)


def test_any_certificate_or_some() -> None:
    options = Options(insecure=True, cacert=Path("a.pem"))
    with pytest.raises(UserError, match="--insecure and --cacert cannot be combined"):
        specification(parse("https://localhost/"), options)


WS = parse("ws://127.0.0.1:8080/ws?room={a}")


def test_a_websocket_sends_its_message_as_it_is_typed() -> None:
    (request,) = specification(WS, Options(message="Hi {you}", headers=["A: b"])).requests
    assert (request.websocket, request.message) == (True, "Hi {{you}}")
    assert (request.method, request.body, request.checks) == ("GET", None, [])
    assert (request.path, request.headers) == ("/ws?room=%7Ba%7D", [("A", "b")])
    (request,) = specification(WS, Options(message="{}", echo=True)).requests
    assert request.checks == [EqualsCheck(kind="equals", text="{{}}")]
    assert specification(WS, Options(message="")).requests[0].message == ""


def test_websocket_has_the_ports_and_the_tls_of_http() -> None:
    plain, secure = parse("ws://localhost/"), parse("wss://localhost/")
    assert (plain.port, plain.tls, plain.websocket) == (80, False, True)
    assert (secure.port, secure.tls, secure.websocket) == (443, True, True)
    assert specification(secure, Options(message="x", insecure=True)).target.tls == TlsSpec(
        insecure=True
    )
    assert not parse("https://localhost/").websocket


@pytest.mark.parametrize(
    ("url", "options", "named"),
    [
        ("ws://h/", Options(), "--message is missing"),
        ("ws://h/", Options(message="x", http2=True), "--http2 and a ws:// URL"),
        ("wss://h/", Options(message="x", http2=True, streams=2), "--http2 and a wss:// URL"),
        ("ws://h/", Options(message="x", streams=2), "--streams: HTTP"),
        ("ws://h/", Options(message="x", method="POST"), "--method and a ws:// URL"),
        ("ws://h/", Options(message="x", body="y"), "--body and a ws:// URL"),
        ("ws://h/", Options(message="x", insecure=True), "https:// or wss:// URL"),
        ("http://h/", Options(message="x"), "--message is for WebSocket"),
        ("http://h/", Options(echo=True), "--echo is for WebSocket"),
    ],
)
def test_what_websocket_cannot_be_combined_with(url: str, options: Options, named: str) -> None:
    with pytest.raises(UserError, match=re.escape(named)):
        specification(parse(url), options)
