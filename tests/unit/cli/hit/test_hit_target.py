"""Which URLs `hit` loads: those that are well-formed, answer, and are of this machine."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator

import pytest

from support.own_address import own_address
from webdyno.cli.hit import target
from webdyno.cli.hit.target import check_reachable
from webdyno.errors import UserError
from webdyno.generators.target import parse


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
