"""Loads that are made again while the runtime compiles, against a real process that works."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from webdyno.catalog.loads.load import Closed
from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.generators.job import BEGIN, END, Job
from webdyno.generators.result import GeneratorSpent, LoadResult
from webdyno.store.counts import RequestCounts
from webdyno.trial.loads.loading import Loaded, Marks, WatchedLoad
from webdyno.trial.loads.repeated_load import MOST, measure_until_warm
from webdyno.trial.watching.measure import CoreUsage
from webdyno.verdict.steadiness.warm import AnswerCost

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[4]

WORKS = """
import queue, sys, threading, time
asked, done = queue.Queue(), queue.Queue()
def work(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
def compile():
    open(f"/proc/self/task/{threading.get_native_id()}/comm", "w").write("C2 Compiler")
    while True:
        done.put("")
        work(asked.get())
threading.Thread(target=compile, daemon=True).start()
done.get()
print("ready", flush=True)
for line in sys.stdin:
    work(0.2)
    asked.put(float(line))
    done.get()
    print("done", flush=True)
"""
"""A server that works for 0.2 s, and its compiler for as long as each line of its input says."""


@pytest.fixture
def server() -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", WORKS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process


Measure = Callable[..., Loaded]


@pytest.fixture
def measured(server: subprocess.Popen[str]) -> Measure:
    """Make loads in each of which the compiler works for so long; the last number is repeated."""

    def make(
        *compiles_s: float,
        most_s: float = 10.0,
        compilers: tuple[str, ...] = ("C2 Compiler",),
        failed: int = 0,
        before: AnswerCost | None = None,
    ) -> Loaded:
        seeds: list[int] = []

        def load(job: Job, marks: Marks) -> WatchedLoad:
            assert server.stdin is not None
            assert server.stdout is not None
            server.stdin.write(f"{compiles_s[min(len(seeds), len(compiles_s) - 1)]}\n")
            server.stdin.flush()
            server.stdout.readline()
            seeds.append(job.seed)
            made = LoadResult(
                elapsed_s=1.0,
                throughput_rps=10.0,
                counts=RequestCounts(ok=10, failed_check=failed),
                bytes_sent=job.seed,
                generator=GeneratorSpent(),
            )
            return WatchedLoad(made, CoreUsage(None, None, 1.0), marks)

        job = Job(
            scenario=read_scenario(ROOT / "scenarios" / "hello").manifest,
            load=Closed(kind="closed", connections=1, duration=1.0),
            port=1,
            cpus=(),
            seed=7,
        )
        return measure_until_warm(load, job, server.pid, compilers, before, most_s)

    return make


def test_a_quiet_load_is_made_once(measured: Measure) -> None:
    found = measured(0.0)
    assert (found.repeated, found.load.marks, found.counts.ok) == (0, (BEGIN, END), 10)


def test_loads_in_which_it_compiled_do_not_count_but_were_made(measured: Measure) -> None:
    found = measured(0.1, 0.1, 0.0)
    assert found.repeated == 2
    # What is reconciled with a database is all that was sent.
    assert found.counts == RequestCounts(ok=30)
    assert found.load.result.counts.ok == 10
    assert found.load.marks == (f"{BEGIN} 2", f"{END} 2")
    assert found.load.result.bytes_sent == 9, "the seed of the last"
    assert found.compiled_s is not None
    assert found.compiled_s < 0.05


def test_it_ends_where_another_start_would_cost_no_more(measured: Measure) -> None:
    assert measured(0.1, most_s=2.5).repeated == 2
    # Once more takes less than another start with its load does.
    assert measured(0.1, 0.0, most_s=0.6).repeated == 1
    assert measured(0.1, most_s=0.6).repeated == 1
    # But a long load is the budget's to repeat.
    assert measured(0.1, most_s=0.4).repeated == 0
    assert measured(0.1).repeated == MOST - 1


def test_what_went_wrong_once_is_told(measured: Measure) -> None:
    found = measured(0.1, failed=1)
    assert (found.repeated, found.load.result.counts.failed_check) == (0, 1)


def test_answers_much_cheaper_than_before_are_asked_for_again(measured: Measure) -> None:
    # 0.2 s for ten answers: a fifth of what they cost in the warm-up, but not of those before.
    found = measured(0.0, compilers=(), before=AnswerCost(100_000))
    assert found.repeated == 1
    assert found.before is not None
    assert found.before.server_us == pytest.approx(20_000, rel=0.3)


def test_a_runtime_whose_compilers_cannot_be_seen_is_measured_once(measured: Measure) -> None:
    found = measured(0.1, compilers=())
    assert (found.repeated, found.compiled_s) == (0, None)
