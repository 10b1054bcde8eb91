"""Which process serves a URL, and which URLs are refused."""

import os
import socket

import pytest

from webdyno.ab.listeners import running
from webdyno.errors import UserError


def test_the_process_behind_a_port_is_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        found = running(f"http://localhost:{port}/items?page=2")
        assert (found.host, found.port, found.path) == ("127.0.0.1", port, "/items?page=2")
        assert found.pid == os.getpid()
    with pytest.raises(UserError, match="nothing answers there"):
        running(f"http://127.0.0.1:{port}/")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("https://localhost/", "https is not supported"),
        ("localhost:80", "write it like http://localhost:8080/"),
        ("http://localhost:port/", "--url http://localhost:port/"),
        ("http://192.0.2.7/", "only services on this machine"),
    ],
)
def test_other_urls_are_refused(url: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        running(url)
    assert said in str(caught.value)
