"""`webdyno hit --objective` against servers whose capacity is known."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from end_to_end.test_hit import balanced
from support.hit_command import hit
from support.quiet import first_in_line
from unit.verdict.queues import Queue, border
from webdyno.verdict.search.objective_step import Goal

pytestmark = pytest.mark.concurrent

SERVICE_S = 0.02

QUEUE = rf"""
import asyncio, sys

class Queue(asyncio.Protocol):
    # First come, first served, {SERVICE_S} s each: an answer is due that long after the one before
    # it or after its request, whichever is later. Nothing is lost where the process wakes late.
    free_at = 0.0

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        for _ in range(data.count(b"\r\n\r\n")):
            loop = asyncio.get_running_loop()
            Queue.free_at = max(Queue.free_at, loop.time()) + {SERVICE_S}
            loop.call_at(Queue.free_at, self.answer)

    def answer(self):
        self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")

async def main():
    server = await asyncio.get_running_loop().create_server(Queue, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""

KNOWN = "import webdyno._engine as engine; engine.serve_known('stall')"
"""The engine's own: each answer takes 1 ms, at any rate, but of every 2 s since the first request
the time from 1 s to 1.2 s is a standstill. So 5% of evenly spread requests take over 100 ms."""


@pytest.fixture(autouse=True)
def before_others() -> Iterator[None]:
    with first_in_line():
        yield


@contextmanager
def serving(code: str) -> Iterator[str]:
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/"
    finally:
        process.kill()
        process.wait()


@pytest.mark.long
def test_a_queue_with_fixed_times_of_service_is_found_where_theory_has_it(tmp_path: Path) -> None:
    objective = ["--objective", "p90 < 400ms", "--tolerance", "10%", "--seed", "5"]
    with serving(QUEUE) as url:
        document = balanced(tmp_path, url, *objective)
    found = document["search"]
    assert found["kind"] in {"met", "undecided"}, found["reason"]
    goal = Goal(quantile=0.9, limit_s=0.4, tolerance=0.1)
    fixed = {"rps": 1 / SERVICE_S, "fixed": True}
    truth = border(lambda: Queue(**fixed), goal, 20, 60)  # the waits of M/D/1, exactly
    assert found["capacity_rps"] == pytest.approx(truth, rel=0.25)
    assert found["low_rps"] <= found["capacity_rps"] <= found["high_rps"]
    assert found["probe_rps"] == pytest.approx(1 / SERVICE_S, rel=0.2)
    assert {step["outcome"] for step in found["steps"]} >= {"held", "failed"}
    # The document's own figures are those of a step that held.
    assert document["load"]["kind"] == "objective"
    assert document["latency_us"]["p90"] < 400_000


@pytest.mark.long
def test_a_server_without_a_limit_is_held_by_the_bound_alone(tmp_path: Path) -> None:
    # A step holds whole standstills and the times between them.
    bound = ["--objective", "p80 < 150ms", "--max-rate", "300/s", "-c", "64", "-d", "2s"]
    with serving(KNOWN) as url:
        found = balanced(tmp_path, url, *bound)["search"]
    assert (found["kind"], found["capacity_rps"]) == ("at-least", pytest.approx(300, rel=0.01))
    assert "max_rate is 300/s" in found["reason"]
    assert found["high_rps"] is None
    assert found["steps"][-1]["server_share"] is None


@pytest.mark.long
def test_a_standstill_is_met_at_no_rate() -> None:
    with serving(KNOWN) as url:
        done = hit(url, "--objective", "p99 < 50ms", "--max-rate", "2k/s", "-d", "2s")
    assert done.returncode == 1, done.stdout
    assert re.search(r"^Highest rate: none: even at [\d,]+/s ", done.stdout, re.MULTILINE)
    steps = re.findall(r"^ +\d+ +[\d.,]+/s +\d+ s  (\w+) +(\w+)", done.stdout, re.MULTILINE)
    outcomes = {outcome for _, outcome in steps}  # each step has its line
    assert "failed" in outcomes
    assert "held" not in outcomes


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--objective", "fast"], "--objective: "),
        (["--objective", "p99 < 1s", "--rate", "5/s"], "--objective and --rate or --phases"),
        (["--objective", "p99 < 1s", "--users", "2"], "--objective and --users"),
        (["--objective", "p99 < 1s", "--record", "x.jtl"], "--objective and --record"),
        (["--objective", "p99 < 1s", "--errors", "few"], "--errors: "),
        (["--objective", "p99 < 1s", "--tolerance", "90%"], "--tolerance: '90%'"),
        (["--objective", "p99 < 1s", "--max-rate", "0/s"], "--max-rate: '0/s'"),
        (["--objective", "p99 < 1s", "-d", "10ms"], "--duration: too short for a step"),
        (["--errors", "< 1%"], "--errors belongs to a search"),
    ],
)
def test_what_cannot_be_searched_for_is_refused(arguments: list[str], said: str) -> None:
    done = hit("http://127.0.0.1:9/", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stdout == ""


def test_a_server_too_slow_to_show_it_is_refused_with_the_step_that_would() -> None:
    with serving(QUEUE) as url:
        done = hit(url, "--objective", "p99.9 < 1s")
    assert done.returncode == 2
    assert re.search(r"make steps longer \(-d \d+s\)", done.stderr)
