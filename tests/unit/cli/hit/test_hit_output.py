"""What `hit` prints, for results as the engine gives them."""

from __future__ import annotations

import io
import json
import re
from typing import Any

from rich.console import Console

from support.engine_output import CLOSED, OPEN, engine_output, output_without_ports, parsed_output
from webdyno.cli.hit.live_line import LiveLine
from webdyno.cli.hit.options import Options
from webdyno.cli.hit.specification import specification
from webdyno.cli.hit.view import opening, summary
from webdyno.generators.progress import LoadProgress
from webdyno.generators.specification import IterationsShape
from webdyno.generators.target import parse

URL = "http://127.0.0.1:8080/hello"


def test_the_summary_reads_as_wrks_does() -> None:
    lines = summary(parsed_output(engine_output()), CLOSED).splitlines()
    assert "  1,000 requests in 10.00 s, 17.8 MB read" in lines
    assert "Requests/sec:       100.00" in lines
    assert "Transfer/sec:       1.8 MB" in lines
    assert "Generator:    4.91 µs of CPU per request, 10% of 1 thread, epoll" in lines
    assert [line.split() for line in lines[:7]] == [
        ["Latency"],
        ["Mean", "635.91", "µs"],
        ["50%", "250.00", "µs"],
        ["90%", "900.00", "µs"],
        ["99%", "5.80", "ms"],
        ["99.9%", "12.00", "ms"],
        ["Max", "2.50", "s"],
    ]


def test_the_summary_counts_one_request_and_a_load_of_milliseconds() -> None:
    held = {**engine_output(ok=1), "elapsed_s": 0.00108}
    assert "  1 request in 1.08 ms, 17.8 MB read" in summary(parsed_output(held), CLOSED)


def test_an_open_load_shows_latency_from_the_due_time_first() -> None:
    lines = summary(parsed_output(engine_output()), OPEN).splitlines()
    assert lines[0].split("  ") != lines[0]
    assert lines[0].index("from due time") < lines[0].index("from sending")
    assert all(len(re.split("  +", line.strip())) == 4 for line in lines[1:7])
    assert max(map(len, lines[:7])) <= 80


def test_errors_are_shown_by_kind_with_their_reasons() -> None:
    shown = summary(parsed_output(engine_output(timed_out=3, reset=12)), CLOSED)
    assert "  Errors: reset 12, timed out 3\n" in shown
    assert shown.index("12 × why reset") < shown.index("3 × timed out: why timed_out")
    assert "(correct answers only)" in shown


def test_without_a_right_answer_no_latency_is_claimed() -> None:
    shown = summary(parsed_output(engine_output(ok=0, malformed=5)), CLOSED)
    assert "Latency" not in shown
    assert "99%" not in shown


def test_the_opening_says_what_is_about_to_happen() -> None:
    def said(**options: Any) -> list[str]:
        return opening(URL, specification(parse(URL), Options(**options))).splitlines()

    assert said(threads=2) == [f"Running 10 s test @ {URL}", "  2 threads and 64 connections"]
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
    lines = summary(parsed_output({**engine_output(), **layers}), CLOSED).splitlines()
    assert lines[-2:] == [
        "TLS:          TLS 1.3, TLS_AES_256_GCM_SHA384; 1,264 handshakes (1,200 resumed), "
        "median 1.50 ms, 99% 4.20 ms, 310.00 µs of CPU each",
        "HTTP/2:       64 connections of 8 streams, GOAWAY: 3, sent again: 1",
    ]
    spec = specification(parse(URL), Options(http2=True, streams=8))
    assert opening(URL, spec).endswith("1 thread and 64 connections of 8 streams, HTTP/2")


def test_websocket_is_told_of() -> None:
    failed = {"status": 3, "accept": 0, "headers": 0, "malformed": 0, "closed": 1, "unfinished": 0}
    spoken = {"upgrades": 64, "failed_upgrades": failed, "pings": 0, "closes": 2}
    lines = summary(parsed_output({**engine_output(), "websocket": spoken}), CLOSED).splitlines()
    assert lines[-1] == "WebSocket:    64 upgrades, failed: 4, closed: 2"
    url = "ws://127.0.0.1:8080/ws"
    said = opening(url, specification(parse(url), Options(message="x")))
    assert said.endswith("1 thread and 64 connections, WebSocket")


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


def test_what_this_machine_lacked_is_counted_among_the_errors() -> None:
    assert "client limit 40" in summary(parsed_output(output_without_ports(40)), CLOSED)


def test_the_lost_are_shown_beside_the_answers_own_latency() -> None:
    told = engine_output(timed_out=20) | {
        "latency_with_lost_us": {"p50": 260.0, "p90": 950.0, "p99": None, "p999": None, "lost": 20}
    }
    lines = summary(parsed_output(told), OPEN).splitlines()
    assert lines[0].endswith("with the lost")
    assert max(map(len, lines[:7])) <= 80
    told_last = [re.split("  +", line)[-1] for line in lines[2:7]]
    assert told_last == ["260.00 µs", "950.00 µs", "never", "never", "never"]
    assert "counts as never answered" in lines[7]


def test_connections_and_first_bytes_are_told() -> None:
    told = engine_output()
    told |= {
        "first_byte_us": {**told["latency_us"], "p50": 111.0},
        "connect_us": {**told["latency_us"], "p50": 75.0, "p99": 310.0},
        "connections_opened": 64,
        "connections_closed_idle": 3,
        "connections_unsolicited": 1,
    }
    shown = summary(parsed_output(told), CLOSED)
    assert "first byte" in shown
    assert "111.00 µs" in shown
    assert "Connections:  64 opened, median 75.00 µs, 99% 310.00 µs to open" in shown
    assert "3 closed by the server while idle" in shown
    assert "1 dropped after" in shown


def test_each_request_name_has_a_line_where_there_are_several() -> None:
    told = engine_output()
    counts = {"sent": 510, "ok": 500, "wrong_status": 10}
    counts |= dict.fromkeys(("failed_check", "reset", "timed_out", "malformed", "unfinished"), 0)
    one = {"name": "list", "counts": counts, "latency_us": told["latency_us"]}
    assert "list" not in summary(parsed_output(told | {"by_request": [one]}), CLOSED)
    shown = summary(
        parsed_output(told | {"by_request": [one, {**one, "name": "one"}]}), CLOSED
    ).splitlines()
    row = next(line for line in shown if line.startswith("  list"))
    shown = ["list", "510", "500", "10", "250.00 µs", "5.80 ms", "2.50 s"]
    assert re.split("  +", row.strip()) == shown
