"""What `hit` makes of its options and URL, and what it refuses."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.own_address import own_address
from webdyno.catalog.scenarios.scenario import EqualsCheck
from webdyno.cli.hit import run, target
from webdyno.cli.hit.options import Options
from webdyno.cli.hit.specification import specification
from webdyno.cli.hit.target import check_reachable
from webdyno.errors import UserError
from webdyno.generators.specification import (
    ClosedShape,
    Http2Spec,
    IterationsShape,
    OpenShape,
    PhaseSpec,
    TlsSpec,
)
from webdyno.generators.target import parse

HELLO = parse("http://127.0.0.1:8080/hello")


@pytest.mark.parametrize(
    ("url", "host", "port", "host_header", "path"),
    [
        ("http://127.0.0.1:8080/hello", "127.0.0.1", 8080, "127.0.0.1:8080", "/hello"),
        ("http://localhost", "localhost", 80, "localhost", "/"),
        ("http://[::1]:81?a=b&c", "::1", 81, "[::1]:81", "/?a=b&c"),
        (
            "HTTP://Example:1/a b/ü?q={n}%20#part",
            "example",
            1,
            "Example:1",
            "/a%20b/%C3%BC?q=%7Bn%7D%20",
        ),
    ],
)
def test_urls(url: str, host: str, port: int, host_header: str, path: str) -> None:
    target = parse(url)
    assert (target.host, target.port, target.path) == (host, port, path)
    assert target.host_header == host_header


@pytest.mark.parametrize(
    ("url", "remedy"),
    [
        ("localhost:8080/x", "write http://localhost:8080/x"),
        ("", "write http://HOST:PORT/"),
        ("ftp://127.0.0.1/", "use http:// or https://, or for WebSocket ws:// or wss://"),
        ("http:///path", "names no host"),
        ("http://127.0.0.1:99999/", "is not a URL"),
        ("http://127.0.0.1:port/", "is not a URL"),
        ("http://127.0.0.1:0/", "give the server's"),
        ("http://me:secret@127.0.0.1/", "-H 'Authorization"),
        ("http://[::1", "is not a URL"),
    ],
)
def test_what_is_no_url_to_load_gets_one_line_with_the_remedy(url: str, remedy: str) -> None:
    with pytest.raises(UserError, match=re.escape(remedy)) as caught:
        parse(url)
    assert "\n" not in str(caught.value)


def test_a_closed_load_is_the_default() -> None:
    spec = specification(HELLO, Options())
    assert spec.load == ClosedShape(connections=64, duration_s=10.0)
    assert spec.load.seconds() == 10
    assert spec.target.host_header == "127.0.0.1:8080"
    assert spec.requests[0].method == "GET"
    assert spec.requests[0].body is None
    assert spec.allow_remote is False


def test_requests_are_recorded_where_a_file_is_named() -> None:
    assert specification(HELLO, Options(record="x.jtl")).record == "x.jtl"
    assert specification(HELLO, Options()).record is None


def test_a_rate_makes_an_open_load() -> None:
    load = specification(HELLO, Options(rate="2k/s", duration="1m")).load
    phases = [PhaseSpec(rate=2000, duration_s=60)]
    assert load == OpenShape(phases=phases, arrivals="uniform", connections=256)


def test_phases_may_ramp() -> None:
    options = Options(phases="150/s:60s,100/s..400/s:30s", poisson=True, connections=9)
    load = specification(HELLO, options).load
    phases = [
        PhaseSpec(rate=150, duration_s=60),
        PhaseSpec(rate=100, to_rate=400, duration_s=30),
    ]
    assert load == OpenShape(phases=phases, arrivals="poisson", connections=9)
    assert load.seconds() == 90


def test_users_and_iterations() -> None:
    load = specification(HELLO, Options(users=30, iterations=1000)).load
    assert load == IterationsShape(users=30, iterations=1000)
    assert load.seconds() is None


def test_a_body_makes_a_post_and_braces_are_no_variables() -> None:
    options = Options(body='{"a": 1}', headers=["X-Json: {}", "Accept:*/*"])
    (request,) = specification(HELLO, options).requests
    assert request.method == "POST"
    assert request.body == '{{"a": 1}}'
    assert request.headers == [("X-Json", "{{}}"), ("Accept", "*/*")]
    assert specification(HELLO, Options(body="x", method="PUT")).requests[0].method == "PUT"


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (Options(rate="5", phases="5:1s"), "--rate and --phases"),
        (Options(rate="5", users=1, iterations=1), "--users and --rate"),
        (Options(phases="5:1s", iterations=1), "--users and --rate or --phases"),
        (Options(phases="5:1s", duration="1s"), "--duration and --phases"),
        (Options(users=1, iterations=1, duration="1s"), "--duration and --users"),
        (Options(users=1, iterations=1, connections=1), "--connections and --users"),
        (Options(users=1), "--iterations is missing"),
        (Options(iterations=1), "--users is missing"),
        (Options(poisson=True), "--poisson needs a rate"),
        (Options(rate="fast"), "--rate: 'fast' is not a rate"),
        (Options(rate="0/s"), "--rate: '0/s' is not a valid rate"),
        (Options(phases="5/s"), "--phases: '5/s' is not a phase"),
        (Options(duration="0s"), "--duration: '0s' is not a duration"),
        (Options(timeout="never"), "--timeout: 'never' is not a duration"),
        (Options(headers=["no colon"]), "--header: 'no colon' is not a header"),
    ],
)
def test_what_contradicts_itself_names_the_option(options: Options, named: str) -> None:
    with pytest.raises(UserError, match=re.escape(named)):
        specification(HELLO, options)


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


@pytest.fixture
def listening() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_server_that_listens_is_reachable(listening: int) -> None:
    for host in ("127.0.0.1", "localhost"):
        check_reachable(parse(f"http://{host}:{listening}/"), allow_remote=False)


@pytest.mark.parametrize(
    ("host", "leaves"),
    [("127.0.0.1", False), ("0.0.0.0", True), ("[::ffff:127.0.0.1]", True), ("OWN", True)],
)
def test_every_address_of_this_machine_is_its_own(
    host: str, leaves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine is told where it is another than one of loopback."""
    monkeypatch.setattr(target, "_refusal", lambda *_where: None)
    url = f"http://{own_address() if host == 'OWN' else host}:8080/"
    assert check_reachable(parse(url), allow_remote=False) is leaves


def test_all_addresses_of_a_name_must_be_here(monkeypatch: pytest.MonkeyPatch) -> None:
    found = ["127.0.0.1", "192.0.2.1"]
    monkeypatch.setattr(target, "addresses_of", lambda *_where: found)
    with pytest.raises(UserError, match=r"'some\.name' is 192\.0\.2\.1, another machine"):
        check_reachable(parse("http://some.name/"), allow_remote=False)


def test_nothing_listens(listening: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(UserError, match=rf"127\.0\.0\.1:{port} \(connection refused\)"):
        check_reachable(parse(f"http://127.0.0.1:{port}/"), allow_remote=False)


def test_another_machine_is_not_even_asked() -> None:
    # 192.0.2.0/24 is for documentation: were it asked, the answer would take seconds.
    with pytest.raises(UserError, match="add --allow-remote"):
        check_reachable(parse("http://192.0.2.1/"), allow_remote=False)


def test_a_name_without_address() -> None:
    with pytest.raises(UserError, match=r"'no-such-host\.invalid' has no address"):
        check_reachable(parse("http://no-such-host.invalid/"), allow_remote=False)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            Options(duration="366d"),
            "--duration: '366d' is not a valid load duration; write one from",
        ),
        (
            Options(timeout="10d"),
            "--timeout: '10d' is not a valid load duration; write one from 1ms",
        ),
        (Options(rate="1000M/s"), "--rate: '1000M/s' is too fast for a load; write at most 100M/s"),
        (Options(rate="0.01/s"), "--rate: fewer than one request in all; raise the rate, or load"),
        (Options(phases="0.1/s:2s"), "--phases: fewer than one request in all"),
        (Options(phases="9/s:2d"), "--phases: '2d' is not a valid load duration"),
        (Options(rate="0/s"), "--rate: '0/s' is not a valid rate; it must be above 0/s"),
        (Options(objective="p99 < 1s", max_rate="200M/s"), "--max-rate: '200M/s' is too fast"),
        (Options(objective="p99 < 1s", duration="2d"), "--duration: '2d' is not a valid load"),
    ],
)
def test_what_the_engine_would_refuse_is_told_by_its_option(options: Options, said: str) -> None:
    with pytest.raises(UserError) as caught:
        specification(HELLO, options)
    assert str(caught.value).startswith(said)


def test_what_only_the_engine_finds_bears_the_name_of_its_option(tmp_path: Path) -> None:
    (file := tmp_path / "empty.pem").touch()
    for cacert, said in (
        (file, "holds no certificate"),
        (tmp_path / "none.pem", ": No such file"),
        (tmp_path, ": Is a directory"),
    ):
        secure = specification(parse("https://127.0.0.1:1/"), Options(cacert=cacert))
        with pytest.raises(UserError, match=f"^--cacert: {cacert} ?{said}"):
            run.prepare(secure)
    many = specification(HELLO, Options(http2=True, streams=10_000, connections=1000))
    with pytest.raises(UserError, match=r"^--streams: 10000 are 10000000 users in all"):
        run.prepare(many)
