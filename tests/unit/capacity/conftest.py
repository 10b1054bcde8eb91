"""A run to plan machines from."""

from __future__ import annotations

import pytest

from support.synthetic_run import SERVERS, build_run
from webdyno.store.records import RunRecord, TrialRecord


@pytest.fixture(scope="session")
def run() -> RunRecord:
    return build_run(blocks=3, seconds=3, scenarios=("json",), servers=SERVERS[:4])


@pytest.fixture
def trials(run: RunRecord) -> list[TrialRecord]:
    return [t for t in run.trials if t.entry == "go/net-http"]
