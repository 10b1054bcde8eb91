"""The machines of a run, as every version told them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from webdyno.report.text.facts import machine
from webdyno.store.records import RunRecord
from webdyno.store.stored_study import StoredStudy

CLUSTER = {
    "head": "10.0.0.1",
    "server": "10.0.0.1",
    "service": "10.0.0.2",
    "generators": ["10.0.0.2", "10.0.0.3"],
    "facts": {
        "10.0.0.1": {
            "host": "one",
            "machine": {
                "cpu_model": "", "architecture": "aarch64", "kernel": "6.1",
                "cores": 4, "memory_bytes": 8_000_000_000, "governor": None,
            },
            "link": {"interface": "eth0", "speed_mbit": 10_000, "mtu": 1500},
        },
        "10.0.0.2": {
            "machine": {
                "cpu_model": "A", "architecture": "x86_64", "kernel": "6.1",
                "cores": 1, "memory_bytes": 4_000_000_000,
            },
            "link": {"speed_mbit": None},
        },
    },
}  # fmt: skip


def a_run(**told: Any) -> RunRecord:
    start = datetime(2026, 11, 1, tzinfo=UTC)
    return RunRecord(id="r", study=StoredStudy(), command="run", started=start, **told)


def test_each_machine_says_what_it_did_and_what_it_is() -> None:
    told = {fact.label: fact.value for fact in machine(a_run(machines=CLUSTER))}
    assert told == {
        "10.0.0.1": "head, server: 4 cores, 8.0 GB, aarch64, Linux 6.1, 10,000 Mbit/s",
        "10.0.0.2": "service, generator: 1 core, 4.0 GB, A, Linux 6.1",
        "10.0.0.3": "generator",
    }


@pytest.mark.parametrize(
    ("told", "fingerprint"),
    [({}, ""), ({"fingerprint": None, "cores": None}, ""), ({"fingerprint": 7, "x": []}, "7")],
    ids=["nothing", "null", "a number"],
)
def test_what_a_version_did_not_tell_is_empty(told: dict[str, Any], fingerprint: str) -> None:
    run = a_run(machine=told)
    assert run.machine.fingerprint == fingerprint
    assert run.machine.cores is None
    # It is kept as it was told.
    assert RunRecord.model_validate_json(run.model_dump_json()).machine.as_stored() == told
    assert run.model_copy(deep=True).model_dump(mode="json")["machine"] == told


def test_a_cluster_is_kept_as_it_was_told() -> None:
    run = a_run(machines=CLUSTER)
    assert (run.machines.several, a_run().machines.several) == (True, False)
    assert run.model_dump(mode="json")["machines"] == CLUSTER
