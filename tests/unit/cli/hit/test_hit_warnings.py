"""What `hit` warns of, for results as the engine gives them."""

from __future__ import annotations

from typing import Any

import pytest

from support.engine_output import (
    CLOSED,
    KINDS,
    OPEN,
    engine_output,
    output_without_ports,
    parsed_output,
)
from webdyno.cli.hit.warnings import available_cores, warnings
from webdyno.generators.specification import Shape


@pytest.mark.parametrize(
    ("right", "lost", "share"),
    [(99_984, 16, "below 0.1%"), (16, 99_984, "above 99.9%"), (0, 5, "100%"), (990, 10, "1%")],
)
def test_a_few_errors_are_not_called_none_of_all(right: int, lost: int, share: str) -> None:
    (told,) = warnings(parsed_output(engine_output(ok=right, timed_out=lost)), CLOSED)
    assert f"({share})" in told.message


def test_what_the_end_cut_off_is_told_where_it_took_longer_than_what_was_measured() -> None:
    def codes(longest_us: float | None, **kinds: int) -> list[str]:
        held = {**engine_output(unfinished=16, **kinds), "longest_unfinished_us": longest_us}
        return [warning.code for warning in warnings(parsed_output(held), CLOSED)]

    assert codes(5_000_000.0) == ["cut_off"]
    assert codes(2_600_000.0) == codes(80.0) == codes(None) == []
    # Without an answer in time, nothing else would say why there are no figures.
    assert codes(3_000_000.0, ok=0) == ["cut_off"]
    (told,) = warnings(
        parsed_output({**engine_output(unfinished=16), "longest_unfinished_us": 5e6}), CLOSED
    )
    assert told.message.startswith("16 requests (1.6%) had no answer when the load ended: no lat")
    assert "though the longest took 5 s; " in told.message


def test_a_rate_that_the_server_reached_only_after_the_load_is_not_passed_off_as_its_own() -> None:
    def told(after: int) -> list[str]:
        held = {**engine_output(), "ok_after_end": after}
        return [warning.message for warning in warnings(parsed_output(held), OPEN)]

    assert told(0) == told(100) == []
    (said,) = told(500)
    assert said.startswith("500 requests (50%) got an answer only after the load had ended")
    assert "the server answered 50/s, not 100/s" in said


@pytest.mark.parametrize(
    ("kind", "detail", "cause"),
    [
        ("reset", "connection reset by peer", "closed connections without answering"),
        ("reset", "truncated_body", "closed connections in the middle of an answer"),
        ("reset", "HTTP/2: the server reset the stream (INTERNAL_ERROR)", "reset their streams"),
        ("reset", "HTTP/2: the server sends frames such as PING, but does", "left them unread"),
        ("timed_out", "no answer in time", "the server is overloaded"),
        ("timed_out", "the answer was not complete in time", "their answers began, but did not"),
        ("refused", "HTTP/2: the server allows 1 stream per connection", "(--streams)"),
        ("refused", "HTTP/2: the server allows 10 streams per connection", "(--streams)"),
        ("refused", "HTTP/2: the server allows 0 streams per connection", "raise its limit"),
        ("refused", "HTTP/2: closed before its settings arrived", "--http2-prior-knowledge"),
    ],
)
def test_the_cause_told_is_that_of_the_commonest_detail(kind: str, detail: str, cause: str) -> None:
    held = engine_output(**{kind: 12})
    held["errors_detail"] = [
        {"kind": kind, "request": "/hello", "detail": "another", "count": 1},
        {"kind": kind, "request": "/hello", "detail": detail, "count": 11},
    ]
    (told,) = warnings(parsed_output(held), CLOSED)
    assert told.message.startswith("12 requests (1.2%) ")
    assert cause in told.message


def test_connections_closed_unannounced_after_an_answer_are_told_as_such() -> None:
    def told(kept_alive: int) -> str:
        (only,) = warnings(
            parsed_output({**engine_output(reset=12), "reset_kept_alive": kept_alive}), CLOSED
        )
        return only.message

    assert "must say so (`Connection: close`)" in told(12)
    assert told(6).endswith("closed connections without answering: read its log")


@pytest.mark.parametrize(
    ("detail", "remedy"),
    [
        ("WebSocket: the server answered status 404, not 101", "path of the WebSocket"),
        ("certificate: it has expired", "--insecure"),
        ("TLS: closed during the handshake", "https:// port"),
        ("TLS: the handshake was not complete in time", "https:// port"),
        ("HTTP/2: no settings came in time", "leave --http2 out"),
        ("WebSocket: no answer to the upgrade in time", "path of the WebSocket"),
        ("HTTP/2: closed before its settings arrived", "leave --http2 out"),
        ("connection refused", "is the server up"),
    ],
)
def test_what_was_not_opened_is_explained(detail: str, remedy: str) -> None:
    failed = engine_output(refused=5)
    failed["errors_detail"][0]["detail"] = detail
    assert remedy in warnings(parsed_output(failed), CLOSED)[0].message


def codes(result: dict[str, Any], load: Shape = CLOSED) -> list[str]:
    return [warning.code for warning in warnings(parsed_output(result), load)]


def test_thousands_are_told_with_their_comma() -> None:
    (told,) = warnings(parsed_output(engine_output(reset=1396)), CLOSED)
    assert told.message.startswith("1,396 requests (58.3%) ")


def test_a_clean_result_has_no_warning() -> None:
    assert codes(engine_output()) == []
    assert codes(engine_output(), OPEN) == []


def test_a_busy_generator_is_warned_of() -> None:
    assert codes(engine_output(cpu_s=9.1)) == ["generator_bound"]
    assert codes(engine_output(cpu_s=9.0)) == []
    assert codes({**engine_output(cpu_s=0.01), "elapsed_s": 0.01}) == [], "too short to say"
    # Threads beyond the cores bring no more capacity.
    many = available_cores() + 3
    assert codes(engine_output(cpu_s=9.5 * available_cores(), threads=many)) == ["generator_bound"]
    message = warnings(
        parsed_output(engine_output(cpu_s=9.5 * available_cores(), threads=many)), CLOSED
    )[0].message
    assert "generate the load on a larger one" in message


def test_a_missed_schedule_is_warned_of() -> None:
    assert codes(engine_output(not_sent=10), OPEN) == ["not_sent"]
    assert codes(engine_output(lag_us=1500.0), OPEN) == ["sent_late"]
    assert codes(engine_output(lag_us=1500.0)) == [], "a closed load has no schedule"
    assert "-c 16" in warnings(parsed_output(engine_output(not_sent=10)), OPEN)[0].message


def test_more_connections_are_advised_only_where_they_were_busy() -> None:
    late = engine_output(lag_us=1500.0)
    late["generator"].update(late_own=20, late_waited=3)
    assert "the generator was held up" in warnings(parsed_output(late), OPEN)[0].message
    late["generator"].update(late_waited=300)
    assert "-c 16" in warnings(parsed_output(late), OPEN)[0].message
    lost = engine_output(not_sent=10)
    lost["generator"].update(late_own=20, late_waited=3)
    assert "the generator was held up" in warnings(parsed_output(lost), OPEN)[0].message


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "not_sent"])
def test_each_kind_of_error_is_warned_of_with_a_remedy(kind: str) -> None:
    (warning,) = warnings(parsed_output(engine_output(**{kind: 250})), CLOSED)
    assert warning.code == kind
    assert warning.message.startswith("250 requests (20%) ")
    assert len(warning.message.partition("; ")[2]) > 10


def test_what_this_machine_lacked_has_its_remedy() -> None:
    found = warnings(parsed_output(output_without_ports(40)), CLOSED)
    assert [caution.code for caution in found] == ["client_limit"]
    assert "40 requests" in found[0].message
    assert "ulimit -Hn" in found[0].message
