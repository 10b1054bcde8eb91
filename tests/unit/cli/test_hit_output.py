"""What `hit` prints and warns of, for results as the engine gives them."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from rich.console import Console

from webdyno.cli.hit.options import Options, specification
from webdyno.cli.hit.target import parse
from webdyno.cli.hit.view import LiveLine, opening, summary
from webdyno.cli.hit.warnings import available_cores, warnings
from webdyno.generators import engine
from webdyno.generators.progress import LoadProgress
from webdyno.generators.result import LoadResult
from webdyno.generators.specification import (
    ClosedShape,
    IterationsShape,
    OpenShape,
    PhaseSpec,
    Shape,
)

CLOSED = ClosedShape(connections=64, duration_s=10.0)
OPEN = OpenShape(
    connections=8,
    arrivals="poisson",
    phases=[PhaseSpec(rate=100.0, to_rate=300.0, duration_s=60.0)],
)
URL = "http://127.0.0.1:8080/hello"
KINDS = ("wrong_status", "failed_check", "refused", "reset", "timed_out", "malformed", "not_sent")


def seen(held: dict[str, Any]) -> LoadResult:
    """As it is read."""
    return engine.parse(json.dumps({"connections_opened": 0, **held}))


def result(
    *, cpu_s: float = 1.0, threads: int = 1, lag_us: float = 5.0, **kinds: int
) -> dict[str, Any]:
    """A load of 10 s with 1,000 right answers beside `kinds`."""
    counts = {"ok": 1000, **dict.fromkeys(KINDS, 0), "unfinished": 0} | kinds
    counts["sent"] = sum(counts.values()) - counts["refused"] - counts["not_sent"]
    counts["offered"] = counts["sent"] + counts["refused"] + counts["not_sent"]
    latency = {"p50": 250.0, "p90": 900.0, "p99": 5800.0, "p999": 12_000.0}
    latency |= {"max": 2_500_000.0, "mean": 635.914, "min": 80.0}
    generator = {"cpu_seconds": cpu_s, "cpu_us_per_request": 4.91, "threads": threads}
    generator |= {"reactor": "epoll", "late_own": 0, "late_waited": 0}
    return {
        "elapsed_s": 10.0,
        "throughput_rps": counts["ok"] / 10.0,
        "stopped_early": False,
        "counts": counts,
        "latency_us": latency,
        "latency_from_send_us": latency,
        "send_lag_us": {**latency, "p99": lag_us},
        "errors_detail": [
            {"kind": kind, "request": "/hello", "detail": f"why {kind}", "count": count}
            for kind, count in kinds.items()
        ],
        "bytes_received": 17_760_000,
        "generator": generator,
    }


def test_the_summary_reads_as_wrks_does() -> None:
    lines = summary(seen(result()), CLOSED).splitlines()
    assert "  1,000 requests in 10.00s, 17.8 MB read" in lines
    assert "Requests/sec:       100.00" in lines
    assert "Transfer/sec:        1.8MB" in lines
    assert "Generator:    4.91 µs of CPU per request, 10% of 1 thread, epoll" in lines
    assert [line.split() for line in lines[:7]] == [
        ["Latency"],
        ["Mean", "635.91us"],
        ["50%", "250.00us"],
        ["90%", "900.00us"],
        ["99%", "5.80ms"],
        ["99.9%", "12.00ms"],
        ["Max", "2.50s"],
    ]


def test_the_summary_counts_one_request_and_a_load_of_milliseconds() -> None:
    held = {**result(ok=1), "elapsed_s": 0.00108}
    assert "  1 request in 1.08ms, 17.8 MB read" in summary(seen(held), CLOSED)
    (told,) = warnings(seen(result(reset=1396)), CLOSED)
    assert told.message.startswith("1,396 requests (58.3%) ")


@pytest.mark.parametrize(
    ("right", "lost", "share"),
    [(99_984, 16, "below 0.1%"), (16, 99_984, "above 99.9%"), (0, 5, "100%"), (990, 10, "1%")],
)
def test_a_few_errors_are_not_called_none_of_all(right: int, lost: int, share: str) -> None:
    (told,) = warnings(seen(result(ok=right, timed_out=lost)), CLOSED)
    assert f"({share})" in told.message


def test_an_open_load_shows_latency_from_the_due_time_first() -> None:
    lines = summary(seen(result()), OPEN).splitlines()
    assert lines[0].split("  ") != lines[0]
    assert lines[0].index("from due time") < lines[0].index("from sending")
    assert all(len(line.split()) == 4 for line in lines[1:7])


def test_errors_are_shown_by_kind_with_their_reasons() -> None:
    shown = summary(seen(result(timed_out=3, reset=12)), CLOSED)
    assert "  Errors: reset 12, timed out 3\n" in shown
    assert shown.index("12 × reset: why reset") < shown.index("3 × timed out: why timed_out")
    assert "(correct answers only)" in shown


def test_what_the_end_cut_off_is_told_where_it_took_longer_than_what_was_measured() -> None:
    def codes(longest_us: float | None, **kinds: int) -> list[str]:
        held = {**result(unfinished=16, **kinds), "longest_unfinished_us": longest_us}
        return [warning.code for warning in warnings(seen(held), CLOSED)]

    assert codes(5_000_000.0) == ["cut_off"]
    assert codes(2_600_000.0) == codes(80.0) == codes(None) == []
    # Without an answer in time, nothing else would say why there are no figures.
    assert codes(3_000_000.0, ok=0) == ["cut_off"]
    (told,) = warnings(seen({**result(unfinished=16), "longest_unfinished_us": 5e6}), CLOSED)
    assert told.message.startswith("16 requests (1.6%) had no answer when the load ended, one")


def test_a_rate_that_the_server_reached_only_after_the_load_is_not_passed_off_as_its_own() -> None:
    def told(after: int) -> list[str]:
        held = {**result(), "ok_after_end": after}
        return [warning.message for warning in warnings(seen(held), OPEN)]

    assert told(0) == told(100) == []
    (said,) = told(500)
    assert said.startswith("500 requests (50%) got an answer only after the load had ended")
    assert "the server answered 50/s, not 100/s" in said


@pytest.mark.parametrize(
    ("kind", "detail", "cause"),
    [
        ("reset", "connection reset by peer", "closed connections without answering"),
        ("reset", "truncated_body", "closed connections within an answer"),
        ("reset", "HTTP/2: the server reset the stream (INTERNAL_ERROR)", "reset their streams"),
        ("refused", "HTTP/2: the server allows 1 stream per connection", "(--streams)"),
        ("refused", "HTTP/2: closed before its settings arrived", "--http2-prior-knowledge"),
    ],
)
def test_the_cause_told_is_that_of_the_commonest_detail(kind: str, detail: str, cause: str) -> None:
    held = result(**{kind: 12})
    held["errors_detail"] = [
        {"kind": kind, "request": "/hello", "detail": "another", "count": 1},
        {"kind": kind, "request": "/hello", "detail": detail, "count": 11},
    ]
    (told,) = warnings(seen(held), CLOSED)
    assert told.message.startswith("12 requests (1.2%) ")
    assert cause in told.message


def test_without_a_right_answer_no_latency_is_claimed() -> None:
    shown = summary(seen(result(ok=0, malformed=5)), CLOSED)
    assert "Latency" not in shown
    assert "99%" not in shown


def test_the_opening_says_what_is_about_to_happen() -> None:
    def said(**options: Any) -> list[str]:
        return opening(URL, specification(parse(URL), Options(**options))).splitlines()

    assert said(threads=2) == [f"Running 10s test @ {URL}", "  2 threads and 64 connections"]
    assert said(users=3, iterations=2000)[1] == "  1 thread and 3 users, 2,000 requests each"
    assert said(threads=8, connections=1)[1] == "  1 thread and 1 connection"
    expected = "  150 requests/s for 1 min, 100 to 400 requests/s for 30 s, arriving at random, "
    assert said(phases="150/s:60s,100/s..400/s:30s", poisson=True)[2].startswith(expected)


def test_tls_and_http2_are_told_of() -> None:
    handshakes = dict.fromkeys(("p90", "p999", "max", "mean", "min"), 2000.0)
    layers = {
        "tls": {
            "version": "TLS 1.3",
            "cipher_suite": "TLS_AES_256_GCM_SHA384",
            "full_handshakes": 64,
            "resumed_handshakes": 1200,
            "handshake_us": {**handshakes, "p50": 1500.0, "p99": 4200.0},
            "handshake_cpu_us": 310.0,
        },
        "http2": {"streams": 8, "connections": 64, "goaways": 3, "resent": 1, "resets": 0},
    }
    lines = summary(seen({**result(), **layers}), CLOSED).splitlines()
    assert lines[-2:] == [
        "TLS:          TLS 1.3, TLS_AES_256_GCM_SHA384; 1,264 handshakes (1,200 resumed), "
        "median 1.50ms, 99% 4.20ms, 310.00us of CPU each",
        "HTTP/2:       64 connections of 8 streams, GOAWAY: 3, sent again: 1",
    ]
    spec = specification(parse(URL), Options(http2=True, streams=8))
    assert opening(URL, spec).endswith("1 thread and 64 connections of 8 streams, HTTP/2")


def test_websocket_is_told_of() -> None:
    failed = {"status": 3, "accept": 0, "headers": 0, "malformed": 0, "closed": 1, "unfinished": 0}
    spoken = {"upgrades": 64, "failed_upgrades": failed, "pings": 0, "closes": 2}
    lines = summary(seen({**result(), "websocket": spoken}), CLOSED).splitlines()
    assert lines[-1] == "WebSocket:    64 upgrades, failed: 4, closed: 2"
    url = "ws://127.0.0.1:8080/ws"
    said = opening(url, specification(parse(url), Options(message="x")))
    assert said.endswith("1 thread and 64 connections, WebSocket")


@pytest.mark.parametrize(
    ("detail", "remedy"),
    [
        ("WebSocket: the server answered status 404, not 101", "path of the WebSocket"),
        ("certificate: it has expired", "--insecure"),
        ("TLS: closed during the handshake", "https:// port"),
        ("HTTP/2: closed before its settings arrived", "leave --http2 out"),
        ("connection refused", "is the server up"),
    ],
)
def test_what_was_not_opened_is_explained(detail: str, remedy: str) -> None:
    failed = result(refused=5)
    failed["errors_detail"][0]["detail"] = detail
    assert remedy in warnings(seen(failed), CLOSED)[0].message


def codes(result: dict[str, Any], load: Shape = CLOSED) -> list[str]:
    return [warning.code for warning in warnings(seen(result), load)]


def test_a_clean_result_has_no_warning() -> None:
    assert codes(result()) == []
    assert codes(result(), OPEN) == []


def test_a_busy_generator_is_warned_of() -> None:
    assert codes(result(cpu_s=9.1)) == ["generator_bound"]
    assert codes(result(cpu_s=9.0)) == []
    assert codes({**result(cpu_s=0.01), "elapsed_s": 0.01}) == [], "too short to say"
    # Threads beyond the cores bring no more capacity.
    many = available_cores() + 3
    assert codes(result(cpu_s=9.5 * available_cores(), threads=many)) == ["generator_bound"]
    message = warnings(seen(result(cpu_s=9.5 * available_cores(), threads=many)), CLOSED)[0].message
    assert "generate the load on a larger one" in message


def test_a_missed_schedule_is_warned_of() -> None:
    assert codes(result(not_sent=10), OPEN) == ["not_sent"]
    assert codes(result(lag_us=1500.0), OPEN) == ["sent_late"]
    assert codes(result(lag_us=1500.0)) == [], "a closed load has no schedule"
    assert "-c 16" in warnings(seen(result(not_sent=10)), OPEN)[0].message


def test_more_connections_are_advised_only_where_they_were_busy() -> None:
    late = result(lag_us=1500.0)
    late["generator"].update(late_own=20, late_waited=3)
    assert "the generator was held up" in warnings(seen(late), OPEN)[0].message
    late["generator"].update(late_waited=300)
    assert "-c 16" in warnings(seen(late), OPEN)[0].message


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "not_sent"])
def test_each_kind_of_error_is_warned_of_with_a_remedy(kind: str) -> None:
    (warning,) = warnings(seen(result(**{kind: 250})), CLOSED)
    assert warning.code == kind
    assert warning.message.startswith("250 requests (20%) ")
    assert len(warning.message.partition("; ")[2]) > 10


def progress(elapsed_s: float, phase: str = "loading", **counts: int) -> LoadProgress:
    ticks = [[elapsed_s - 0.1, 30, 0], [elapsed_s, 50, 1]]
    said = {
        "elapsed_s": elapsed_s,
        "phase": phase,
        "done": False,
        "ok_total": counts.get("ok", 0),
        "in_flight": 64,
        "counts": counts,
        "ticks": [] if phase == "connecting" else ticks,
    }
    return LoadProgress.model_validate_json(json.dumps(said))


def test_a_log_gets_some_lines_and_no_control_characters() -> None:
    out = io.StringIO()
    with LiveLine(CLOSED, Console(file=out, width=80)) as line:
        for tenth in range(1, 101):
            line.update(progress(tenth / 10, ok=tenth * 40, reset=tenth))
    lines = out.getvalue().splitlines()
    assert 8 <= len(lines) <= 12
    assert lines[0] == "  1.0 of 10 s   400 req/s   64 in flight   10 errors"
    assert out.getvalue().isprintable() or "\x1b" not in out.getvalue()


def test_a_terminal_gets_one_line_that_goes_away() -> None:
    out = io.StringIO()
    console = Console(file=out, width=100, force_terminal=True)
    with LiveLine(IterationsShape(users=10, iterations=100), console) as line:
        line.update(progress(0.0, "connecting"))
        line.update(progress(0.5, ok=500))
    assert "500 of 1,000 requests   400 req/s   64 in flight" in out.getvalue()
    # Rich erases a transient line (CSI 2K) when it is done.
    assert out.getvalue().rstrip("\n").endswith("\x1b[2K")


def test_what_this_machine_lacked_has_its_remedy() -> None:
    told = result(client_limit=40)
    told["counts"]["offered"] += 40
    told["counts"]["sent"] -= 40
    found = warnings(seen(told), CLOSED)
    assert [caution.code for caution in found] == ["client_limit"]
    assert "40 requests" in found[0].message
    assert "ulimit -n" in found[0].message
    assert "client limit 40" in summary(seen(told), CLOSED)


def test_the_lost_are_shown_beside_the_answers_own_latency() -> None:
    told = result(timed_out=20) | {
        "latency_with_lost_us": {"p50": 260.0, "p90": 950.0, "p99": None, "p999": None, "lost": 20}
    }
    lines = summary(seen(told), OPEN).splitlines()
    assert lines[0].endswith("with the lost")
    told_last = [line.split()[-1] for line in lines[2:7]]
    assert told_last == ["260.00us", "950.00us", "never", "never", "never"]
    assert "counts as never answered" in lines[7]


def test_connections_and_first_bytes_are_told() -> None:
    told = result()
    told |= {
        "first_byte_us": {**told["latency_us"], "p50": 111.0},
        "connect_us": {**told["latency_us"], "p50": 75.0, "p99": 310.0},
        "connections_opened": 64,
        "connections_closed_idle": 3,
        "connections_unsolicited": 1,
    }
    shown = summary(seen(told), CLOSED)
    assert "first byte" in shown
    assert "111.00us" in shown
    assert "Connections:  64 opened, median 75.00us, 99% 310.00us to open" in shown
    assert "3 closed by the server while idle" in shown
    assert "1 dropped after" in shown


def test_each_request_name_has_a_line_where_there_are_several() -> None:
    told = result()
    counts = {"sent": 510, "ok": 500, "wrong_status": 10}
    counts |= dict.fromkeys(("failed_check", "reset", "timed_out", "malformed", "unfinished"), 0)
    one = {"name": "list", "counts": counts, "latency_us": told["latency_us"]}
    assert "list" not in summary(seen(told | {"by_request": [one]}), CLOSED)
    shown = summary(seen(told | {"by_request": [one, {**one, "name": "one"}]}), CLOSED).splitlines()
    row = next(line for line in shown if line.startswith("  list"))
    assert row.split() == ["list", "510", "500", "10", "250.00us", "5.80ms", "2.50s"]
