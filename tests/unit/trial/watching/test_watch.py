"""When a server is said to have used more CPU time than its cores have."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from support.synthetic_run import build_run
from webdyno.catalog.loads.load import Closed
from webdyno.runtime.confinement.conduct import conduct_of
from webdyno.store.measurement import GeneratorFigures
from webdyno.store.records import Measurement
from webdyno.trial.events import LoadWentOn
from webdyno.trial.services import start_services
from webdyno.trial.watching import watch as watching
from webdyno.trial.watching.watch import (
    EVERY_S,
    NOT_RANKED,
    ServerWatch,
    beyond_its_cores,
    of_service,
)


@pytest.fixture(scope="module")
def measured() -> Measurement:
    run = build_run(blocks=1, seconds=10, scenarios=("json",))
    found = run.trials[0].measurement
    assert found is not None
    return found


def codes(measured: Measurement, cpu_s: float, watched_s: float, exactly: bool = True) -> list[str]:
    """Of a load of 0.3 s on one core."""
    server = measured.cpu["server"].model_copy(
        update={"user_s": 0.75 * cpu_s, "system_s": 0.25 * cpu_s, "cores": 1.0}
    )
    seen = measured.model_copy(
        update={
            "elapsed_s": 0.3,
            "cpu": {**measured.cpu, "server": server},
            "generator": GeneratorFigures(watched_exactly=exactly, watched_s=watched_s),
        }
    )
    return [flag.code for flag in beyond_its_cores(seen)]


def test_more_than_a_core_has_was_used_elsewhere(measured: Measurement) -> None:
    assert codes(measured, 0.6, 0.301) == ["more-than-its-cores"]
    assert codes(measured, 0.32, 0.301) == []


def test_a_watch_that_ended_late_has_seen_more(measured: Measurement) -> None:
    assert codes(measured, 0.45, 0.46) == []
    assert codes(measured, 0.9, 0.46) == ["more-than-its-cores"]


def test_where_the_load_was_not_watched_exactly_nothing_is_said(measured: Measurement) -> None:
    assert codes(measured, 0.9, 0.301, exactly=False) == []


def process_of(pid: int) -> Any:
    """As a trial knows it."""
    family = SimpleNamespace(alive=lambda: [pid], adopted=list, stopped=list)
    return SimpleNamespace(pid=pid, family=family)


def watch_of(*services: Any) -> ServerWatch:
    """A watch of this very process, as if it were a server."""
    cpus = tuple(sorted(os.sched_getaffinity(0)))
    plan: Any = SimpleNamespace(
        load=Closed(kind="closed", connections=1, duration=1.0),
        placement=SimpleNamespace(server=cpus, services=cpus, observer=None),
        site=SimpleNamespace(observe=lambda *_: SimpleNamespace(join=lambda *_: None)),
    )
    server: Any = SimpleNamespace(process=process_of(os.getpid()), port=9, address="127.0.0.1")
    return ServerWatch(plan, server, services)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can raise a priority")
def test_only_a_priority_that_was_raised_after_the_start_is_the_server_s_doing(
    measured: Measurement, tmp_path: Path
) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    with subprocess.Popen(["sleep", "60"]) as process:
        try:
            # As MySQL does with the thread that writes pages.
            os.setpriority(os.PRIO_PROCESS, process.pid, own - 5)
            service: Any = SimpleNamespace(name="mariadb", process=process_of(process.pid))
            plan: Any = SimpleNamespace(
                services=["mariadb"],
                log=tmp_path / "log",
                placement=SimpleNamespace(services=()),
                site=SimpleNamespace(start_service=lambda *_: service),
            )
            start_services(plan, tmp_path, [])
            watch = watch_of(service)
            watch.begin()
            assert watch.flags(measured) == []
            os.setpriority(os.PRIO_PROCESS, process.pid, own - 6)
            watch.end()
            (flag,) = watch.flags(measured)
        finally:
            process.kill()
    assert flag.code == "raised-priority"
    assert flag.message.startswith(f"mariadb: a thread runs at nice {own - 6} instead of {own}:")


def test_looks_at_listeners_that_are_dear_put_no_others_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spent_s, looks = [0.0], list[object]()

    def dear(*_: object) -> None:
        spent_s[0] += 100.0

    def looked(pids: object) -> None:
        looks.append(pids)

    monkeypatch.setattr(watching, "foreign_listener", dear)
    monkeypatch.setattr(watching, "first_hidden_process", looked)
    now_s = [1000.0]
    clocks = SimpleNamespace(thread_time=lambda: spent_s[0], monotonic=lambda: now_s[0])
    monkeypatch.setattr(watching, "time", clocks)
    watch = watch_of()
    watch.begin()
    listener = watch.listening(lambda _: None)
    for second in range(1, 4):
        now_s[0] += 2 * EVERY_S
        listener(LoadWentOn(elapsed_s=second, rps=1.0, errors=0))
    assert len(looks) == 4
    assert spent_s == [100.0]


def test_a_service_that_was_moved_to_more_cores_is_told() -> None:
    cpus = sorted(os.sched_getaffinity(0))
    given = cpus[1:]
    with subprocess.Popen(["sleep", "60"]) as service:
        try:
            os.sched_setaffinity(service.pid, given)
            assert of_service("postgresql", conduct_of([service.pid], given), given) == []
            os.sched_setaffinity(service.pid, cpus)
            (flag,) = of_service("postgresql", conduct_of([service.pid], given), given)
        finally:
            service.kill()
    assert flag.code in NOT_RANKED
    assert flag.message.startswith(f"threads of postgresql may run on CPU {cpus[0]}, but it was")
