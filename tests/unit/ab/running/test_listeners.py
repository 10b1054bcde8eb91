"""Which process serves a URL, and which URLs are refused."""

import os
import socket

import pytest

from support.own_address import own_address
from webdyno.ab.running.listeners import running
from webdyno.errors import UserError


def test_the_process_behind_a_port_is_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        found = running(f"http://localhost:{port}/items?page=2")
        assert (found.host, found.port, found.path) == ("127.0.0.1", port, "/items?page=2")
        assert found.pid == os.getpid()
    with pytest.raises(UserError, match="nothing answers there"):
        running(f"http://127.0.0.1:{port}/")


def test_a_url_is_read_as_that_of_a_single_load() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        found = running(
            f"http://0.0.0.0:{port}/caf\N{LATIN SMALL LETTER E WITH ACUTE} au lait?a={{b}}"
        )
    assert found.path == "/caf%C3%A9%20au%20lait?a=%7Bb%7D"
    assert (found.host, found.authority) == ("127.0.0.1", f"0.0.0.0:{port}")


def test_a_service_at_an_address_of_its_own_is_found() -> None:
    own = own_address()
    with socket.create_server((own, 0)) as listening:
        port = listening.getsockname()[1]
        found = running(f"http://{own}:{port}/")
        assert (found.host, found.pid) == (own, os.getpid())


def test_a_service_of_ipv6_alone_is_found() -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as listening:
        port = listening.getsockname()[1]
        found = running(f"http://[::1]:{port}/")
        assert (found.host, found.pid) == ("::1", os.getpid())


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://localhost/", "only http:// is supported here"),
        ("localhost:80", "--url 'localhost:80' is not a URL; write http://localhost:80"),
        ("http://localhost:port/", "--url 'http://localhost:port/' is not a URL"),
        ("http://localhost:0/", "port 0 is not a port"),
        ("http://192.0.2.7/", "only services on this machine"),
        ("ws://localhost/", "write it like http://localhost:8080/"),
    ],
)
def test_other_urls_are_refused(url: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        running(url)
    assert said in str(caught.value)
