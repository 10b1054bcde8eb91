"""Answers of several servers to one request, and what is told of their differences."""

from __future__ import annotations

from webdyno.verdict.comparison.answer_differences import Captured, differences

NODE = [
    ("Content-Type", "text/plain; charset=utf-8"),
    ("Content-Length", "11"),
    ("Date", "Fri, 20 Nov 2026 22:00:00 GMT"),
    ("Connection", "keep-alive"),
    ("Keep-Alive", "timeout=75"),
]


def answer(*more: tuple[str, str], body: bytes = b"Hello World", **changed: str) -> Captured:
    """Node's own answer, with headers more, and changed or (where empty) left out."""
    named = {name.replace("_", "-"): value for name, value in changed.items()}
    headers = [(name, named.pop(name.lower(), value)) for name, value in NODE]
    return Captured(200, [header for header in [*headers, *more] if header[1]], body)


def test_equal_answers_have_no_differences() -> None:
    assert differences({"a": answer(), "b": answer(), "c": answer()}) == []
    assert differences({"a": answer()}) == []
    assert differences({}) == []


def test_values_that_change_by_themselves_are_not_compared() -> None:
    other = answer(date="Sat, 21 Nov 2026 00:00:00 GMT")
    assert differences({"a": answer(), "b": other}) == []
    etags = {"a": answer(("ETag", '"1"')), "b": answer(("ETag", '"2"'))}
    assert differences(etags) == []


def test_names_and_hints_about_the_connection_are_told_with_their_bytes() -> None:
    found = differences(
        {
            "node/http": answer(),
            "node/toa": answer(("server", "Toa/3.3.0")),
            "python/flask": answer(("Server", "gunicorn"), keep_alive=""),
        }
    )
    assert [one.what for one in found] == ["keep-alive", "server", "size"]
    assert all(one.why == "" for one in found)
    assert found[0].groups[1] == ("not sent", ("python/flask",))
    assert found[0].sizes == (len("Keep-Alive: timeout=75\r\n"), 0)
    assert found[1].groups == (
        ("not sent", ("node/http",)),
        ("Toa/3.3.0", ("node/toa",)),
        ("gunicorn", ("python/flask",)),
    )
    assert found[1].sizes == (0, len("server: Toa/3.3.0\r\n"), len("Server: gunicorn\r\n"))
    base = answer().size
    assert found[2].sizes == (base, base + 19, base + 18 - 24)


def test_the_case_of_a_header_and_of_a_media_type_is_no_difference() -> None:
    lower = Captured(200, [(n.lower(), v) for n, v in NODE], b"Hello World")
    upper = answer(content_type="text/plain;charset=UTF-8")
    assert differences({"a": answer(), "b": lower, "c": upper}) == []


def test_another_status_and_another_body_come_first() -> None:
    found = differences(
        {
            "node/http": Captured(404, NODE, b"okay"),
            "node/koa": answer(),
            "node/toa": answer(),
        }
    )
    assert [one.what for one in found] == ["status", "body", "size"]
    assert found[0].groups == (("200", ("node/koa", "node/toa")), ("404", ("node/http",)))
    assert found[1].sentence() == ("body: 'Hello World'; but 'okay': node/http (another answer)")


def test_a_header_that_only_some_send_is_told_with_its_reason() -> None:
    found = differences(
        {
            "node/express": answer(("ETag", 'W/"b-Ck1VqNd45QIvq3AZd8XYQLvEhtA"')),
            "node/koa": answer(),
            "go/gin": answer(date=""),
        }
    )
    assert [one.what for one in found] == ["date", "etag", "size"]  # one has both, one neither
    assert found[1].groups == (
        ("not sent", ("node/koa", "go/gin")),
        ("sent", ("node/express",)),
    )
    assert "hash" in found[1].why


def test_values_of_other_headers_are_compared() -> None:
    found = differences(
        {
            "a": answer(("X-Content-Type-Options", "nosniff")),
            "b": answer(content_type="text/plain"),
        }
    )
    assert [one.what for one in found] == ["content-type", "x-content-type-options", "size"]
    assert found[0].groups == (("text/plain; charset=utf-8", ("a",)), ("text/plain", ("b",)))
    assert found[0].why == ""


def test_chunks_are_told_before_mere_bytes() -> None:
    chunked = answer(("Transfer-Encoding", "chunked"), ("A-Header", "1"), content_length="")
    found = differences({"a": answer(), "b": chunked, "c": answer()})
    assert [one.what for one in found][:2] == ["content-length", "transfer-encoding"]
    assert [one.what for one in found][-2:] == ["a-header", "size"]


def test_repeated_headers_count_as_one_value() -> None:
    twice = answer(("Vary", "Accept"), ("vary", "Cookie"))
    once = answer(("Vary", "Accept, Cookie"))
    assert differences({"a": twice, "b": once}) == []


def test_random_bodies_are_left_out_when_they_say_nothing() -> None:
    one = answer(body=b"[1]", content_length="3")
    other = answer(body=b"[1000]", content_length="6")
    assert differences({"a": one, "b": other}, same_body=False) == []
    assert [d.what for d in differences({"a": one, "b": other})] == [
        "body",
        "content-length",
        "size",
    ]


def test_long_bodies_are_told_apart_by_their_digest() -> None:
    long = b"x" * 5000
    found = differences({"a": answer(body=long + b"1"), "b": answer(body=long + b"2")})
    values = [value for value, _ in found[0].groups]
    assert len(set(values)) == 2
    assert all(len(value) < 120 and "5001 bytes" in value for value in values)


def test_sizes_are_told_to_the_byte() -> None:
    small, large = answer(), answer(("X", "0"))
    found = differences({"a": small, "b": large})
    assert [one.what for one in found] == ["x", "size"]
    assert found[-1].groups == ((f"{small.size} bytes", ("a",)), (f"{large.size} bytes", ("b",)))
    assert found[-1].sizes == (small.size, small.size + 6)
