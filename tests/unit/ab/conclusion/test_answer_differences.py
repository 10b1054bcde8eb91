"""What two versions answer differently, and what is not held against them."""

import json
from typing import Any

from webdyno.ab.conclusion.answer_differences import (
    AnswersCompared,
    compare_answers,
    differences_told,
    notes_on,
)
from webdyno.catalog.descriptions.description import AnswerRules
from webdyno.store.findings import MOST_BODY_BYTES, QuestionAnswerRecord


def answer(body: Any, status: int = 200, **headers: str) -> QuestionAnswerRecord:
    kind = "text/plain" if isinstance(body, bytes) else "application/json"
    held = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent = {"content-type": kind, "content-length": str(len(held))}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return QuestionAnswerRecord.of("GET /x", status, [*{**sent, **named}.items()], held)


def compared(
    a: QuestionAnswerRecord,
    b: QuestionAnswerRecord,
    again: QuestionAnswerRecord | None = None,
    **rules: Any,
) -> AnswersCompared:
    return compare_answers([a], [again or a], [b], AnswerRules(**rules))


def told(found: AnswersCompared) -> list[tuple[str, str, str]]:
    return [(one.what, one.a, one.b) for one in found.differences]


def test_equal_answers_do_not_differ() -> None:
    one = answer({"a": 1}, date="Mon", server="x")
    assert told(compared(one, answer({"a": 1}, date="Tue", server="x"))) == []


def test_status_header_and_json_are_told_by_their_place() -> None:
    a = answer({"items": [{"price": 1, "name": "x"}]}, server="x")
    b = answer({"items": [{"price": 2, "name": "x"}]}, status=201, server="y")
    assert told(compared(a, b)) == [
        ("status", "200", "201"),
        ("header server", "x", "y"),
        ("body items[0].price", "1", "2"),
    ]


def test_a_missing_key_and_a_missing_header_are_told() -> None:
    found = told(compared(answer({"a": 1, "b": 2}, etag="1"), answer({"a": 1})))
    assert ("body b", "2", "not sent") in found
    assert ("header etag", "1", "not sent") in found


def test_the_order_of_keys_is_no_difference() -> None:
    a, b = answer({"a": 1, "b": 2}), answer({"b": 2, "a": 1})
    assert told(compared(a, b)) == []


def test_what_moves_in_a_itself_is_not_held_against_b() -> None:
    a = answer({"items": [{"id": "x1", "n": 1}, {"id": "x2", "n": 1}]}, x_id="1")
    again = answer({"items": [{"id": "y1", "n": 1}, {"id": "x2", "n": 1}]}, x_id="2")
    # Longer ids also move the length, which follows from the body.
    b = answer({"items": [{"id": "zz1", "n": 1}, {"id": "zz2", "n": 2}]}, x_id="3")
    found = compared(a, b, again)
    assert told(found) == [("body items[1].n", "1", "2")]
    assert found.restless == ["body items[*].id", "header x-id"]


def test_rules_leave_out_what_they_name() -> None:
    a = answer({"user": {"id": 1, "name": "x"}, "at": "2026-01-01T10:00"}, server="x")
    b = answer({"user": {"id": 20, "name": "y"}, "at": "2026-01-02T11:30"}, server="y")
    rules = {
        "ignore_headers": ["Server"],
        "ignore_json": ["$.user"],
        "ignore_patterns": [r"\d{4}-\d\d-\d\dT\d\d:\d\d"],
    }
    assert told(compared(a, b, **rules)) == []
    assert ("body user.id", "1", "20") in told(compared(a, b))
    assert told(compared(a, b, **{**rules, "ignore_json": ["user.id"]})) == [
        ("body user.name", '"x"', '"y"')
    ]


def test_what_differs_in_each_element_is_told_once() -> None:
    a = answer({"items": [{"n": n, "x": {"y": [1, 1]}} for n in range(20)], "end": 1})
    b = answer({"items": [{"n": n, "x": {"y": [1, 2]}} for n in range(20)], "end": 2})
    assert differences_told(compared(a, b)) == [
        "The answers differ in 21 places:",
        "- GET /x: body items[0].x.y[1]: 1 in A, 2 in B; body items[*].x.y[*] differs in 19 more "
        "places",
        "- GET /x: body end: 1 in A, 2 in B",
    ]
    many = answer({f"k{n}": n for n in range(7)}), answer({f"k{n}": n + 1 for n in range(7)})
    assert differences_told(compared(*many))[-1] == "- and 2 more"
    assert differences_told(compared(a, a)) == []


def test_long_texts_are_shown_where_they_part() -> None:
    a, b = answer(b"x" * 300 + b"one"), answer(b"x" * 300 + b"two")
    ((what, of_a, of_b),) = told(compared(a, b))
    assert what == "body"
    assert of_a.endswith("one")
    assert of_b.endswith("two")
    assert len(of_a) < 100


def test_bodies_too_long_to_be_kept_are_told_by_their_digest() -> None:
    long = answer(b"a" * 20_000), answer(b"b" * 20_000), answer(b"a" * 20_000)
    a, b, twin = (QuestionAnswerRecord.model_validate(one.model_dump()) for one in long)
    ((what, of_a, of_b),) = told(compared(a, b))
    assert what == "body"
    assert "20000 bytes" in of_a
    assert of_a != of_b
    assert told(compared(a, twin)) == []


def test_a_difference_is_a_fault_where_answers_must_match() -> None:
    a, b = answer({"a": 1, "at": 1}), answer({"a": 2, "at": 2})
    assert compared(a, b).fault == ""
    assert compared(a, b, must_match=True).fault == "its answers differ from A's in 2 places"
    assert compared(a, b, must_match=True, ignore_json=["a", "at"]).fault == ""


def _many(count: int, **changed: Any) -> dict[str, Any]:
    return {"items": [{"id": n, "name": f"item {n}"} for n in range(count)], **changed}


def test_a_long_body_is_compared_by_the_same_rules() -> None:
    a, b = answer(_many(600, version=1)), answer({"version": 2, **_many(600)})
    assert a.body_bytes > MOST_BODY_BYTES
    assert told(compared(a, b, ignore_json=["version"], must_match=True)) == []
    assert told(compared(a, b)) == [("body version", "1", "2")]


def test_a_clock_in_a_long_body_does_not_hide_the_rest_of_it() -> None:
    a, again = answer(_many(600, now="12:00:01")), answer(_many(600, now="12:00:02"))
    broken = [{"id": n, "name": "BROKEN"} for n in range(600)]
    found = compared(a, answer({"items": broken, "now": "12:00:03"}), again)
    assert found.restless == ["body now"]
    assert len(found.differences) == 600


def test_a_long_text_is_compared_without_what_matches_a_pattern() -> None:
    a, b = (answer(b"x" * 20_000 + clock + b"end") for clock in (b"12:01", b"12:02"))
    assert told(compared(a, b, ignore_patterns=[r"\d\d:\d\d"])) == []
    assert len(compared(a, b).differences) == 1


def test_a_long_body_is_not_stored_whole() -> None:
    stored = answer(_many(600)).model_dump()
    assert stored["body_base64"] is None
    assert QuestionAnswerRecord.model_validate(stored).body is None


def test_keys_are_fit_to_be_shown_and_written() -> None:
    key, own = "\x1b[31mred\nline\ud83d", "\x1b]0;title\x07id"
    a, again, b = (answer({key: 1, own: one}) for one in (1, 2, 3))
    found = compared(a, answer({key: 2, own: 3}), again)
    assert told(found) == [("body red line", "1", "2")]
    assert found.restless == ["body id"]
    (found.differences[0].sentence() + found.restless[0]).encode()
    assert told(compared(a, b, again)) == []


BEYOND = f"Mon, 04 May {10**30} 09:30:07 GMT"
"""A year that no clock has."""


def test_when_each_version_wrote_its_copy_of_a_file_is_no_difference() -> None:
    def file(text: bytes, clock: str) -> QuestionAnswerRecord:
        return answer(
            text, last_modified=f"Mon, 04 May 2026 09:30:{clock} GMT", etag=f'W/"{clock}"'
        )

    a, b = file(b"body", "01"), file(b"body", "07")
    assert told(compared(a, b, must_match=True)) == []
    assert [what for what, _, _ in told(compared(a, file(b"other", "07")))] == [
        "header content-length",
        "header etag",
        "body",
    ]
    # It is among what is left out.
    assert compared(a, b).restless == ["header last-modified", "header etag"]
    # A tag of another kind is another scheme, and what is no date tells of no file.
    strong = answer(b"body", last_modified="Mon, 04 May 2026 09:30:07 GMT", etag='"07"')
    assert told(compared(a, strong)) == [("header etag", 'W/"01"', '"07"')]
    assert compared(a, strong).restless == ["header last-modified"]
    for wrong in ("yesterday", "2026-05-04T09:30:07Z", "Tue, 04 May 2026 09:30:07 GMT", BEYOND):
        undated = answer(b"body", last_modified=wrong, etag='W/"07"')
        for found in (compared(a, undated), compared(undated, a)):
            assert [what for what, _, _ in told(found)] == ["header last-modified", "header etag"]
            assert found.restless == []
    # An entity tag alone is told, and so is a header that one of them does not send.
    assert told(compared(answer(b"x", etag="1"), answer(b"x", etag="2"))) == [
        ("header etag", "1", "2")
    ]
    assert ("header last-modified", "x", "not sent") in told(
        compared(answer(b"x", last_modified="x"), answer(b"x"))
    )


def test_what_moves_in_one_round_is_not_compared_in_another() -> None:
    def two_rounds(first: str, second: str) -> list[QuestionAnswerRecord]:
        """Two requests, of which the second tells by which worker it was answered."""
        return [
            answer({"n": 1}), answer({"n": 1}, x_worker=first),
            answer({"n": 2}), answer({"n": 2}, x_worker=second),
        ]  # fmt: skip

    a, again, b = two_rounds("1", "1"), two_rounds("1", "2"), two_rounds("2", "1")
    found = compare_answers(a, again, b, AnswerRules(must_match=True), 2)
    assert (found.differences, found.restless) == ([], ["header x-worker"])
    # Of another request it is compared.
    b[0] = answer({"n": 1}, x_worker="2")
    assert told(compare_answers(a, again, b, AnswerRules(), 2)) == [
        ("header x-worker", "not sent", "2")
    ]


def test_rules_that_match_nothing_in_any_answer_are_told() -> None:
    a = answer({"user": {"id": 1}, "at": "2026-05-04"}, x_id="1")
    used = {
        "ignore_headers": ["X-ID", "date"],
        "ignore_json": ["user", "items[*].id", "$.at"],
        "ignore_patterns": [r"\d{4}-\d\d-\d\d"],
    }
    # What only one of the answers has is something, too.
    b = answer({"items": [{"id": 2}]}, date="Mon")
    found = compared(a, b, **used)
    assert (found.unused_rules, list(notes_on(found))) == ([], [])
    unused = {
        "ignore_headers": ["x-id", "x-request"],
        "ignore_json": ["user.name", "user.id"],
        "ignore_patterns": ["[a-z]{9}"],
    }
    found = compared(a, a, **unused)
    assert list(notes_on(found)) == [
        "ignore_headers 'x-request', ignore_json 'user.name' and ignore_patterns '[a-z]{9}' match "
        "nothing in any answer; correct them, or leave them out"
    ]
    (note,) = notes_on(compared(a, a, ignore_json=["id"]))
    assert note == "ignore_json 'id' matches nothing in any answer; correct it, or leave it out"


def test_a_rule_may_match_what_a_body_that_was_not_kept_holds() -> None:
    long = QuestionAnswerRecord.of("GET /x", 200, [], b"x" * (MOST_BODY_BYTES + 1), whole=False)
    found = compared(long, long, ignore_json=["id"], ignore_headers=["x-id"])
    assert found.unused_rules == ["ignore_headers 'x-id'"]
    image = answer(b"\xff\xd8")
    assert compared(image, image, ignore_json=["id"]).unused_rules == ["ignore_json 'id'"]
    # Of a text, a path matches nothing, and an expression what it holds.
    text = answer(b"id 7")
    assert compared(text, text, ignore_json=["id"]).unused_rules == ["ignore_json 'id'"]
    assert compared(text, text, ignore_patterns=[r"id \d"]).unused_rules == []
    assert compare_answers([], [], [], AnswerRules(ignore_json=["id"])).unused_rules == []
