"""Who may take turns: servers that have nothing to wait for but a core."""

from __future__ import annotations

import pytest

from webdyno.catalog.load import Closed
from webdyno.store.records import CpuUse, Measurement, Memory, Warmup
from webdyno.trial.slices import slice_of, waited_in_turns

LOAD = Closed(kind="closed", connections=8, duration=2.0, slice=0.1, timeout=5.0)


def warmed(share: float, *, first: float | None = None, run_delay_s: float = 0.0) -> Warmup:
    """A second of warm-up: the server used `share` of a core, or `first` of it at first."""
    shares = [share if first is None else first] * 5 + [share] * 5
    return Warmup(
        seconds=1.0,
        steady=True,
        ticks=[(0.1 * (i + 1), 10_000.0) for i in range(10)],
        cpu_us=[100.0 * one for one in shares],
        run_delay_s=run_delay_s,
    )


@pytest.mark.parametrize(
    ("warmup", "cores", "sliced"),
    [
        (warmed(1.0), 1, True),
        (warmed(0.95, first=0.3), 1, True),  # Connections were opened, code was compiled.
        (warmed(0.3), 1, False),  # It waits for a clock.
        (warmed(0.7, run_delay_s=0.3), 1, True),  # Others took its core.
        (warmed(1.0), 4, False),  # One thread: whether it waited, too, cannot be told.
        (warmed(3.9), 4, True),
        (Warmup(seconds=1.0, steady=True), 1, False),  # Its CPU time could not be read.
    ],
)
def test_only_a_full_server_is_loaded_in_slices(warmup: Warmup, cores: int, sliced: bool) -> None:
    length = slice_of(LOAD, warmup, cores)
    assert length == (0.1 if sliced else 7.0)


@pytest.mark.parametrize(
    ("slices", "kind", "flagged"),
    [(20, "waiting", True), (1, "waiting", False), (20, "server-bound", False)],
)
def test_one_that_begins_to_wait_is_flagged(slices: int, kind: str, flagged: bool) -> None:
    measured = Measurement(
        elapsed_s=2.0, throughput_rps=1.0, latency_us=None, counts={"ok": 2},
        cpu_us_per_request={"server": 1.0},
        cpu={"server": CpuUse(user_s=0.1, system_s=0.1, cores=1, share=0.1)},
        memory_bytes=Memory(idle=1.0, mean=1.0, peak=1.0), threads_peak=1, processes_peak=1,
        generator={"slices": slices},
    )  # fmt: skip
    assert [flag.code for flag in waited_in_turns(measured, kind)] == ["waited-in-turns"] * flagged
