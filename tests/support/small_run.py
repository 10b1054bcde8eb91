"""A run of the small study, on a machine with a sentinel."""

from __future__ import annotations

import math
import random

from support.small_study import a_study
from webdyno.store.records import RunRecord, TrialRecord, now
from webdyno.store.stored_study import StoredStudy
from webdyno.store.verdicts import SentinelRecord


def a_run(id_: str, trials: list[TrialRecord], **changes: object) -> RunRecord:
    fields: dict[str, object] = {
        "id": id_, "study": StoredStudy.of(a_study()), "command": "", "started": now(),
        "machine": {"fingerprint": "m", "cpu_model": "A"}, "trials": trials,
        "versions": {"webdyno": "1"}, "sentinels": sentinels(1000.0),
    }  # fmt: skip
    return RunRecord.model_validate({**fields, **changes})


def sentinels(level: float) -> list[SentinelRecord]:
    draw = random.Random(2)
    return [
        SentinelRecord(
            block=block, throughput_rps=level * math.exp(draw.gauss(0, 0.005)),
            cpu_us_per_request=1e6 / level, seconds=1.0,
        )
        for block in range(6)
    ]  # fmt: skip


def with_changes(trials: list[TrialRecord], **changes: object) -> list[TrialRecord]:
    return [trial.model_copy(update=changes) for trial in trials]
