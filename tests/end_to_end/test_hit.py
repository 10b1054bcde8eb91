"""`webdyno hit` as a user runs it, against a real server."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from support.asyncio_server import AsyncioServer
from support.hit_command import SCHEMA, environment, hit, hit_json
from support.kernel import offers_io_uring
from support.output_schemas import validated

ERRORS = ("wrong_status", "failed_check", "reset", "timed_out", "malformed")

ANSWERS = {
    "/hello": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
    "/chunked": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "/missing": b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
    "/garbage": b"220 smtp.example.test ESMTP\r\n",
    "/silent": b"",
}


class Server(AsyncioServer):
    """Answers each path with its bytes, and keeps the requests it was sent."""

    def __init__(self, late_s: float = 0.0) -> None:
        self.requests: list[bytes] = []
        self._late_s = late_s
        super().__init__()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
                body = await reader.readexactly(int(length or 0))
                self.requests.append(head + body)
                path = head.split(b" ")[1].decode().partition("?")[0]
                if path == "/reset":
                    break
                if self._late_s:
                    await asyncio.sleep(self._late_s)
                writer.write(ANSWERS[path])
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


def start(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "webdyno", "hit", *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command, env=environment(), text=True, **{**pipes, **options})


def balanced(folder: Path, *arguments: str, code: int = 0) -> dict[str, Any]:
    """The document, whose counts add up."""
    document = hit_json(folder, *arguments, code=code)
    counts = document["counts"]
    assert counts["offered"] == counts["sent"] + counts["not_sent"] + counts["refused"]
    assert counts["sent"] == counts["ok"] + counts["unfinished"] + sum(counts[k] for k in ERRORS)
    return document


@pytest.mark.concurrent
def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.concurrent
def test_a_closed_load(server: Server) -> None:
    done = hit(f"http://127.0.0.1:{server.port}/hello", "-c", "4", "-d", "500ms")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == f"Running 500 ms test @ http://127.0.0.1:{server.port}/hello"
    assert lines[1] == "  1 thread and 4 connections"
    rate = next(line for line in lines if line.startswith("Requests/sec:")).split()[1]
    told = re.search(r"^  ([\d,]+) requests in ([\d.]+) s, ", done.stdout, re.MULTILINE)
    assert told
    answered, elapsed_s = int(told[1].replace(",", "")), float(told[2])
    # Each of the connections may have had a request under way at the end.
    assert 0 <= len(server.requests) - answered <= 4
    assert float(rate) == pytest.approx(answered / elapsed_s, rel=0.05)
    assert elapsed_s >= 0.5
    assert {"50%", "90%", "99%", "99.9%"} <= {line.split()[0] for line in lines if line}
    first = f"GET /hello HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
    assert server.requests[0] == first.encode()


def test_two_services_take_turns_and_are_compared(server: Server, tmp_path: Path) -> None:
    later, file = Server(late_s=0.01), tmp_path / "ab.json"
    try:
        urls = [f"http://127.0.0.1:{one.port}/hello" for one in (server, later)]
        done = hit(*urls, "-c", "4", "-d", "3s", "--json", str(file))
    finally:
        later.close()
    # It tells, and is no gate.
    assert done.returncode == 0, done.stderr
    assert f"A  {urls[0]}" in done.stdout
    held = validated("ab", file.read_text(encoding="utf-8"))
    throughput = next(one for one in held["claims"] if one["metric"] == "throughput_rps")
    # Four connections, 10 ms each: it answers fewer than 400 a second.
    assert 0 < throughput["b"] < 400 < throughput["a"]
    assert throughput["low"] <= throughput["change"] < -0.2
    latency = next(one for one in held["beside"] if one["name"] == "p50 latency")
    assert latency["a"] < 10_000 <= latency["b"]


@pytest.mark.concurrent
def test_the_json_of_a_closed_load(server: Server, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{server.port}/chunked?a=b"
    document = balanced(tmp_path, url, "-c", "4", "-t", "2", "-d", "1200ms", "--seed", "7")
    assert document["url"] == url
    assert document["load"] == {"kind": "closed", "connections": 4, "duration_s": 1.2}
    assert document["seed"] == 7
    assert document["generator"]["threads"] == 2
    assert document["counts"]["ok"] == document["counts"]["sent"] - document["counts"]["unfinished"]
    assert document["counts"]["ok"] == sum(second["ok"] for second in document["series"])
    latency = document["latency_us"]
    assert 0 < latency["min"] <= latency["p50"] <= latency["p99"] <= latency["max"]
    expected = document["counts"]["ok"] / document["elapsed_s"]
    assert document["throughput_rps"] == pytest.approx(expected)


@pytest.mark.concurrent
@pytest.mark.parametrize("reactor", ["epoll", "io_uring"])
def test_the_reactor_is_the_one_asked_for_and_said(
    server: Server, tmp_path: Path, reactor: str
) -> None:
    if reactor == "io_uring" and not offers_io_uring():
        pytest.skip("the kernel has or allows no io_uring")
    url = f"http://127.0.0.1:{server.port}/hello"
    load = ["-c", "2", "-d", "200ms", "--reactor", reactor]
    done = hit(url, *load)
    assert done.returncode == 0, done.stderr
    generator = next(line for line in done.stdout.splitlines() if line.startswith("Generator:"))
    assert generator.endswith(f", {reactor}")
    assert balanced(tmp_path, url, *load)["generator"]["reactor"] == reactor


@pytest.mark.concurrent
def test_an_open_load_offers_what_was_asked(server: Server, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{server.port}/hello"
    document = balanced(tmp_path, url, "--phases", "100/s:400ms,50/s..150/s:1s", "--poisson")
    assert document["load"]["arrivals"] == "poisson"
    assert document["counts"]["offered"] == pytest.approx(140, abs=60)
    document = balanced(tmp_path, url, "--rate", "200/s", "-d", "500ms", "-c", "16")
    assert document["counts"]["offered"] == pytest.approx(100, abs=1)
    assert document["latency_with_lost_us"]["lost"] == 0
    assert document["connect_us"]["p50"] > 0
    assert [one["counts"]["ok"] for one in document["by_request"]] == [document["counts"]["ok"]]
    assert document["first_byte_us"]["p50"] <= document["latency_from_send_us"]["p50"] * 1.01
    assert document["load"]["phases"] == [{"rate": 200.0, "to_rate": None, "duration_s": 0.5}]


@pytest.mark.concurrent
def test_users_and_iterations_send_that_many(server: Server, tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{server.port}/hello"
    options = ["--users", "3", "--iterations", "20", "--body", "{n}", "-H", "X-A: {b}"]
    document = balanced(tmp_path, url, *options)
    assert document["counts"]["ok"] == 60 == len(server.requests)
    assert document["method"] == "POST"
    assert server.requests[0].startswith(b"POST /hello HTTP/1.1\r\n")
    assert b"\r\nX-A: {b}\r\n" in server.requests[0]
    assert server.requests[0].endswith(b"\r\n\r\n{n}")


@pytest.mark.concurrent
@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/missing", "wrong_status"),
        ("/garbage", "malformed"),
        ("/reset", "reset"),
        ("/silent", "timed_out"),
    ],
)
def test_without_a_right_answer_the_code_is_1_and_says_why(
    server: Server, tmp_path: Path, path: str, kind: str
) -> None:
    url = f"http://127.0.0.1:{server.port}{path}"
    timeout = "200ms" if kind == "timed_out" else "10s"
    options = ["--users", "2", "--iterations", "2", "--timeout", timeout]
    document = balanced(tmp_path, url, *options, code=1)
    assert document["counts"][kind] == 4
    assert document["latency_us"] is None
    assert [warning["code"] for warning in document["warnings"]] == [kind]
    assert sum(entry["count"] for entry in document["errors_detail"]) == 4
    done = hit(url, *options)
    assert f"  Errors: {kind.replace('_', ' ')} 4" in done.stdout
    assert "warning: 4 requests (100%)" in done.stderr


@pytest.mark.concurrent
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["http://127.0.0.1:1/"], "nothing answers at 127.0.0.1:1"),
        (["https://127.0.0.1:1/"], "nothing answers at 127.0.0.1:1"),
        (["http://127.0.0.1:1/", "--insecure"], "give an https:// or wss:// URL"),
        (["http://127.0.0.1:1/", "--streams", "2"], "at a time; add --http2"),
        (["127.0.0.1:1"], "is not a URL; write http://127.0.0.1:1"),
        (["http://192.0.2.1/"], "add --allow-remote"),
        (["{url}", "--rate", "5", "--phases", "5:1s"], "--rate and --phases cannot be combined"),
        (["{url}", "-d", "soon"], "--duration: 'soon' is not a duration"),
        (["{url}", "-c", "0"], "-c"),
        (["{url}", "-X", "GE T"], "method 'GE T'"),
        (["{url}", "-H", "Content-Length: 5"], "content-length"),
        (["{url}", "--json", "/no/such/folder/hit.json"], "its folder does not exist"),
        (["{url}", "--frequency", "5"], "--frequency"),
        ([], "url"),
    ],
)
def test_bad_input_is_one_line_and_2(server: Server, arguments: list[str], said: str) -> None:
    url = f"http://127.0.0.1:{server.port}/hello"
    done = hit(*(argument.format(url=url) for argument in arguments))
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("webdyno: ")
    assert said.lower() in line.lower()
    assert not server.requests


@pytest.mark.concurrent
def test_a_full_disk_under_the_record_takes_nothing_from_the_figures(server: Server) -> None:
    url = f"http://127.0.0.1:{server.port}/hello"
    done = hit(url, "-c", "2", "-d", "300ms", "--record", "/dev/full")
    assert done.returncode == 2, done.stderr
    assert "Requests/sec:" in done.stdout
    assert done.stderr.strip().splitlines()[-1].startswith("webdyno: --record: /dev/full: not comp")


def test_ctrl_c_ends_early_with_the_summary_so_far(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "hit.json"
    url = f"http://127.0.0.1:{server.port}/hello"
    process = start(url, "-c", "2", "-d", "60s", "--json", str(file))
    deadline = time.monotonic() + 40
    while len(server.requests) < 100 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, err
    assert "(ended early)" in out
    assert "Traceback" not in err
    document = json.loads(file.read_text(encoding="utf-8"))
    jsonschema.validate(document, SCHEMA)
    assert document["stopped_early"]
    assert document["counts"]["ok"] >= 90
    assert document["elapsed_s"] < 60


@pytest.mark.concurrent
def test_a_terminal_shows_a_live_line(server: Server) -> None:
    ours, theirs = pty.openpty()
    url = f"http://127.0.0.1:{server.port}/hello"
    process = start(url, "-c", "2", "-d", "1s", stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:
            # How a terminal says that its other end was closed.
            break
        shown += piece
    os.close(ours)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert " of 1 s" in shown.decode()
    assert "2 in flight" in shown.decode()
    assert "in flight" not in out
