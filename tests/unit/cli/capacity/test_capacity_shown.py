"""What `capacity` prints: the demand, a table, and what that does not say of a server."""

from __future__ import annotations

from dataclasses import replace

import pytest

from unit.cli.sample_outputs import plans
from webdyno.capacity.records import Hour, Plan
from webdyno.cli.capacity.command import _show

DEMAND, (SAMPLE, BARE), _ = plans()
DAY = tuple(Hour(1000.0, 0.75 - hour / 50, 0.05 - hour / 1000) for hour in range(24))
WHOLE = replace(SAMPLE, day=DAY, stalled_share=0.2)


def printed(capsys: pytest.CaptureFixture[str], *found: Plan) -> list[str]:
    _show(DEMAND, "fifo", list(found))
    return [line.rstrip() for line in capsys.readouterr().out.splitlines()]


def test_in_a_pipe_what_was_asked_is_a_line_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, BARE)
    assert lines[0] == (
        "25,000,000 requests a day, plus 30% headroom; objective: p99 < 100ms, errors < 0.1%"
    )
    assert lines[1].startswith("published rule (80% of them within 40% of the day): ")
    assert lines[2].startswith("daily curve, highest at 2.77 times its mean: ")
    assert lines[2].endswith("at the peak; machines simulated as queues (fifo)")


def test_each_load_has_a_table_and_searched_capacities_a_column_where_there_are_any(
    capsys: pytest.CaptureFixture[str],
) -> None:
    apart = replace(BARE, scenario="hello")
    lines = printed(capsys, apart, WHOLE)
    first, second = lines.index("hello  c64"), lines.index("json  c64")
    assert "go/chi" in "".join(lines[first:second])
    assert "go/gin" in "".join(lines[second:])
    assert all("searched" in "".join(lines[at : at + 3]) for at in (first, second))
    assert "searched" not in "".join(printed(capsys, apart))


def test_doubts_are_told_below_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, WHOLE, BARE)
    assert lines[-5:] == [
        "go/gin: né",
        "go/gin: each machine 75% used in the busiest hour, p99 50.0 ms; 51% and 38.0 ms in the "
        "quietest",
        "go/gin: users spent 20.0% of their time on answers that took 100 ms longer than the "
        "median; if such answers come together, because the server stands still, it misses the "
        "objective: try its peak rate with hit --rate",
        "go/gin: the generator was the limit; the server can do at least this",
        "one block gives no interval; run more",
    ]
