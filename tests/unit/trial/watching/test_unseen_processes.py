"""When it is said that nobody knows what a server's processes used."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.synthetic_run import build_run
from webdyno.store.measurement import GeneratorFigures
from webdyno.store.records import Measurement
from webdyno.trial.watching import unseen_processes
from webdyno.trial.watching.unseen_processes import UnseenProcesses, forks
from webdyno.trial.watching.watch import NOT_RANKED

WORKERS = [[1, 10, 11], [1, 10, 11], [1, 10, 11]]
CHILDREN = [[1, 20], [1, 30], [1, 40]]


@pytest.fixture(scope="module")
def measured() -> Measurement:
    found = build_run(blocks=1, seconds=10, scenarios=("json",)).trials[0].measurement
    assert found is not None
    return found


def said(
    measured: Measurement,
    monkeypatch: pytest.MonkeyPatch,
    looks: list[list[int]],
    *,
    others_s: float | None = 1.5,
    stolen_s: float = 0.0,
    per_look: int = 100,
    account: Path | None = None,
) -> str:
    """Of a server that showed 0.2 s of CPU time in a load of 2 s on one core."""
    used = {"user_s": 0.1, "system_s": 0.1, "cores": 1.0}
    seen = measured.model_copy(
        update={
            "elapsed_s": 2.0,
            "cpu": {"server": measured.cpu["server"].model_copy(update=used)},
            "generator": GeneratorFigures(watched_s=2.0),
            "foreign_cpu_share": None if others_s is None else others_s / 2.0,
            "stolen_cpu_share": stolen_s / 2.0,
        }
    )
    counts = iter(range(5000, 9000, per_look))
    monkeypatch.setattr(unseen_processes, "account_of", lambda _: account)
    monkeypatch.setattr(unseen_processes, "forks", lambda: next(counts))
    watched = UnseenProcesses(1)
    for alive in looks:
        watched.look(alive)
    found = watched.flags(seen)
    assert {flag.code for flag in found} <= NOT_RANKED
    return " ".join(flag.message for flag in found)


def test_work_of_children_that_came_and_went_is_told(
    measured: Measurement, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = said(measured, monkeypatch, CHILDREN)
    assert "its cores were busy for 1.7 s, but only 0.2 s of it was seen in its processes" in told


def test_honest_servers_are_not_accused(
    measured: Measurement, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(measured, monkeypatch, WORKERS) == "", "workers stay, a neighbour works"
    waits_for_them = said(measured, monkeypatch, CHILDREN, others_s=0.1)
    assert waits_for_them == "", "what its children used is in its own figure"
    assert said(measured, monkeypatch, CHILDREN, per_look=10) == "", "a worker is replaced"
    stolen = said(measured, monkeypatch, CHILDREN, stolen_s=1.4)
    assert stolen == "", "the host of a virtual machine took it"
    assert said(measured, monkeypatch, CHILDREN, others_s=None) == "", "its cores are shared"


def test_where_a_group_counts_nothing_is_unseen(
    measured: Measurement, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(measured, monkeypatch, CHILDREN, account=Path("/sys/fs/cgroup/it")) == ""


def test_the_machine_counts_its_forks() -> None:
    assert forks() > 0
