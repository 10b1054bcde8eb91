"""Where a service is, left out of what it answers."""

from __future__ import annotations

import pytest

from webdyno.ab.study.authority import Authority


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("http://localhost:18081/get", "http://HOST:PORT/get"),
        ("http://127.0.0.1:18081/", "http://HOST:PORT/"),
        ("//[::1]:18081", "//HOST:PORT"),
        ("http://App.localhost:18081/", "http://HOST:PORT/"),
        ("/in?next=http%3A%2F%2Flocalhost%3A18081%2F", "/in?next=http%3A%2F%2FHOST:PORT%2F"),
        # Another host, another port, and a number that is no port.
        ("http://notlocalhost:18081/", "http://notlocalhost:18081/"),
        ("http://shop.example:18081/", "http://shop.example:18081/"),
        ("http://localhost:180812/", "http://localhost:180812/"),
        ("http://localhost/", "http://localhost/"),
        ("took 18081 ns", "took 18081 ns"),
    ],
)
def test_the_own_address_is_left_out_in_all_its_forms(text: str, left: str) -> None:
    headers, body = Authority("app.localhost", 18081).left_out([("Location", text)], text.encode())
    assert (headers, body) == ([("Location", left)], left.encode())


def test_the_usual_port_need_not_be_named() -> None:
    own = Authority("localhost", 80)
    _, body = own.left_out([], b"http://localhost/a http://localhost:8080/b on localhost")
    assert body == b"http://HOST:PORT/a http://localhost:8080/b on localhost"


def test_what_follows_from_the_body_is_that_of_the_body_left() -> None:
    sent = [("Content-Length", "14"), ("ETag", '"1f"'), ("Server", "x")]
    of_a, a = Authority("localhost", 80).left_out(sent, b"localhost:80/a")
    longer = [("Content-Length", "16"), ("ETag", '"2e"'), ("Server", "x")]
    assert Authority("localhost", 8082).left_out(longer, b"127.0.0.1:8082/a") == (of_a, a)
    assert Authority("localhost", 80).left_out(sent, b"elsewhere:80/a") == (sent, b"elsewhere:80/a")
