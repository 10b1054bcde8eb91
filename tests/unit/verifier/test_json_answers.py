"""Answers in JSON that are nearly right are refused, with what is wrong about them."""

from __future__ import annotations

import pytest

from webdyno.verifier.json_answers import Wrong, rows_of, value_of

JSON = "application/json"


def test_rows_are_read_whatever_the_order_of_their_members() -> None:
    body = b'[{"id": 7, "quantity": 1}, {"quantity": 2, "id": 8}]'
    assert rows_of(200, JSON, body, number=2, column="quantity") == [(7, 1), (8, 2)]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b'{"id": 7, "quantity": 1}', "not a JSON array"),
        (b"{}", "0 rows, not 1"),
        (b"7", "not a JSON array"),
        (b'[{"id": 7, "quantity": 1}, {"id": 8, "quantity": 1}]', "2 rows, not 1"),
        (
            b'[{"id": 7, "quantity": 1, "quantity": 2}]',
            "not an object with 'id' and 'quantity' alone",
        ),
        (b'[{"id": 7, "quantity": 1, "more": 2}]', "not an object with 'id' and 'quantity' alone"),
        (b'[[["id", 7], ["quantity", 1]]]', "not an object with 'id' and 'quantity' alone"),
        (b'[{"id": 7}]', "not an object with 'id' and 'quantity' alone"),
        (b'[{"id": 7, "quantity": true}]', "'quantity' is true, not an integer"),
        (b'[{"id": 7.0, "quantity": 1}]', "'id' is 7.0, not an integer"),
    ],
)
def test_other_rows_are_refused(body: bytes, says: str) -> None:
    with pytest.raises(Wrong, match=says):
        rows_of(200, JSON, body, number=1, column="quantity")


@pytest.mark.parametrize(
    ("status", "kind", "body", "says"),
    [
        (500, JSON, b"[]", "answered 500"),
        (200, "text/html", b"[]", "content-type is 'text/html'"),
        (200, JSON, b"[1,", "not JSON"),
        (200, JSON, b"[" + b"1, " * 90 + b"x]", r"not JSON .*1, x\]'$"),
        (200, JSON, b"\xff", "not JSON"),
        # Only UTF-8 is JSON's, and the checks under load take no other.
        (200, JSON, "[1]".encode("utf-8-sig"), "not JSON .*BOM"),
        (200, JSON, "[1]".encode("utf-16"), "not JSON"),
        (200, JSON, "[1]".encode("utf-16-le"), "not JSON"),
        (200, JSON, b"[" * 200_000, "not JSON"),
    ],
)
def test_what_is_no_json_is_refused(status: int, kind: str, body: bytes, says: str) -> None:
    with pytest.raises(Wrong, match=says):
        value_of(status, kind, body)
