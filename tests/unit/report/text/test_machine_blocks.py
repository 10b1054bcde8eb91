"""What a report says of the machine's speed from block to block."""

from __future__ import annotations

import pytest

from webdyno.report.text.machine_blocks import cautions, speeds
from webdyno.store.records import RunRecord
from webdyno.store.verdicts import BlocksRecord

USUAL = [1.0, 1.0, 1.0, 1.0]
SLOW = [1.0, 1.0, 1.0, 0.8]


def found(run: RunRecord, **blocks: list[float | None] | list[int] | float) -> RunRecord:
    """`run`, of whose blocks its first verdict says no more than `blocks`."""
    first = run.verdicts[0].model_copy(update={"machine": BlocksRecord.model_validate(blocks)})
    return run.model_copy(update={"verdicts": [first]})


@pytest.mark.parametrize(
    ("sentinel", "slow", "said"),
    [
        (
            SLOW,
            [3],
            "The machine was slow in block 4 (80% of the usual speed); it is kept, but counted",
        ),
        (USUAL, [3], "The machine was slow in block 4 (80% of the usual speed); it is kept."),
        ([], [3], "The machine was slow in block 4 (80% of the usual speed); it is kept."),
    ],
)
def test_a_block_counts_for_less_by_the_sentinels_word_alone(
    run: RunRecord, sentinel: list[float | None], slow: list[int], said: str
) -> None:
    told = list(cautions(found(run, speed=SLOW, sentinel=sentinel, slow=slow)))
    assert told[0].startswith(said)


def test_memory_and_threads_tell_nothing_of_the_machines_speed(run: RunRecord) -> None:
    told = found(run, speed=SLOW, slow=[3], drift=-0.1, trends={"a": -0.05})
    told.verdicts[0].metric = "memory_peak_bytes"
    assert speeds(told) == []
    (only,) = cautions(told)
    assert "a lost 5% per block relative to the others" in only


def test_a_small_trend_is_not_called_none(run: RunRecord) -> None:
    (only,) = cautions(found(run, speed=USUAL, trends={"a": 0.0004}))
    assert "a gained 0.04% per block relative to the others" in only
