"""Each limit, met by a real server that is built to have exactly that one."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.quiet import first_in_line, first_of, first_undisturbed
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.loads.load import Closed, Load, Open
from webdyno.catalog.loads.warm_up import Bounds
from webdyno.catalog.scenarios.scenario import Scenario, read_scenario
from webdyno.generators.registry import generator_named
from webdyno.run.preparation.servers import prepare_server
from webdyno.runtime.machine.place import place
from webdyno.runtime.machine.placement import Placement, pinned
from webdyno.runtime.services import plugins
from webdyno.store.records import TrialRecord
from webdyno.trial.events import silent
from webdyno.trial.life import run_trial
from webdyno.trial.plan import TrialPlan

ROOT = Path(__file__).parents[3]
HERE = Path(__file__).parent
LAST = 19
"""The nice value that the kernel serves last."""

NEIGHBOUR = """
import contextlib, os, pathlib, sys
os.setpriority(os.PRIO_PROCESS, 0, int(sys.argv[1]))
with contextlib.suppress(OSError):  # Where the kernel groups processes by session.
    pathlib.Path("/proc/self/autogroup").write_text(sys.argv[1])
while True:
    pass
"""

Run = Callable[..., TrialRecord]


@pytest.fixture(autouse=True)
def before_others() -> Iterator[None]:
    with first_in_line():
        yield


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """`run(variant, load=…, scenario=…, placement=…)`: one trial of the server."""
    catalog = Catalog.with_overlay(ROOT / "tests")
    ready = None
    count = 0

    def trial(variant: str, **changes: Any) -> TrialRecord:
        nonlocal ready, count
        server_variant = catalog.server_variant(
            f"python/bound@{variant}" if variant else "python/bound"
        )
        ready = ready or prepare_server(server_variant.server, tmp_path / "builds", silent)
        count += 1
        scenario: Scenario = changes.get("scenario") or catalog.scenario("hello")
        load: Load = changes.get("load") or Closed(kind="closed", connections=8, duration=1.0)
        plan = TrialPlan(
            run_id="limits", index=count, block=0, order=0,
            server_variant=server_variant, control=False,
            build=ready.build, scenario=scenario, load=load, seed=count,
            placement=changes.get("placement")
            or place(with_services=bool(scenario.manifest.services)),
            warmup=changes.get("warmup") or Bounds(min=0.3, max=0.6, answers=0, cpu=0.0),
            run_folder=tmp_path, temporary=tmp_path / "tmp",
        )  # fmt: skip
        return run_trial(plan, generator_named("engine"), silent)

    return trial


def limit_of(make: Callable[[], TrialRecord], wanted: str) -> TrialRecord:
    """The first trial that is limited as `wanted`, or the last one.

    The test is skipped only where others took the cores, not where a trial merely says so.
    """
    trial, disturbed = first_undisturbed(make, lambda trial: trial.bottleneck == wanted)
    assert trial.status == "ok", trial.reason
    if disturbed and trial.bottleneck == "machine-noise" != wanted:
        pytest.skip(f"the machine is too busy: {trial.bottleneck_reason}")
    return trial


def test_a_server_that_computes_is_the_limit(run: Run) -> None:
    trial = limit_of(lambda: run(""), "server-bound")
    assert trial.bottleneck == "server-bound", trial.bottleneck_reason


@pytest.mark.parametrize("variant", ["sleeps", "locks"])
def test_a_server_that_sleeps_or_locks_waits(run: Run, variant: str) -> None:
    trial = limit_of(lambda: run(variant), "waiting")
    assert trial.bottleneck == "waiting", trial.bottleneck_reason
    measured = trial.measurement
    assert measured is not None
    # Little's law: the connections were busy throughout, though no processor was.
    assert measured.latency_us is not None
    assert measured.throughput_rps * measured.latency_us.mean / 1e6 > 0.9 * 8


def test_an_offered_load_that_is_carried_is_the_limit(run: Run) -> None:
    load = Open(kind="open", phases=["100/s:1s"])
    trial = limit_of(lambda: run("sleeps", load=load), "offered-load")
    assert trial.bottleneck == "offered-load", trial.bottleneck_reason


@pytest.mark.long
def test_a_generator_that_has_more_to_do_than_the_server_is_the_limit(
    run: Run, tmp_path: Path
) -> None:
    """Each answer is searched by a thousand expressions, which costs the generator more than the
    answer costs the server."""
    heavy = tmp_path / "scenarios" / "hello"
    shutil.copytree(ROOT / "scenarios" / "hello", heavy)
    text = (heavy / "scenario.toml").read_text()
    checks = ", ".join(
        f"{{ kind = 'matches', pattern = '(?i)(h.?l{{1,9}}.{{0,{n}}}[a-z ]{{1,60}}d)' }}"
        for n in range(1, 1000)
    )
    end = text.rindex("]")
    (heavy / "scenario.toml").write_text(f"{text[:end]}{checks}\n]\n")
    trial = limit_of(
        lambda: run("sleeps", scenario=read_scenario(heavy), load=Closed(
            kind="closed", connections=256, duration=1.0
        )), "generator-bound",
    )  # fmt: skip
    assert trial.bottleneck == "generator-bound", trial.bottleneck_reason


@pytest.fixture
def busy_service(monkeypatch: pytest.MonkeyPatch) -> None:
    """The service in `services/busy.py` beside this file is known, like those of the laboratory."""
    monkeypatch.setattr(plugins, "__path__", [*plugins.__path__, str(HERE / "services")])


@pytest.mark.usefixtures("busy_service")
def test_a_busy_service_is_the_limit(run: Run, tmp_path: Path) -> None:
    served = tmp_path / "scenarios" / "hello"
    shutil.copytree(ROOT / "scenarios" / "hello", served)
    text = (served / "scenario.toml").read_text()
    at = text.index("\n[") + 1
    (served / "scenario.toml").write_text(f'{text[:at]}services = ["busy"]\n{text[at:]}')
    trial = limit_of(lambda: run("asks", scenario=read_scenario(served)), "service-bound")
    assert trial.bottleneck == "service-bound", trial.bottleneck_reason


def test_a_neighbour_on_the_servers_core_is_noise(run: Run) -> None:
    where = place()
    with neighbour(where):
        trial = limit_of(lambda: run(""), "machine-noise")
    assert trial.bottleneck == "machine-noise", trial.bottleneck_reason
    assert trial.measurement is not None
    assert (trial.measurement.cpu["server"].run_delay_s or 0) > 0.1


def test_a_neighbour_takes_nothing_from_a_server_that_sleeps(run: Run) -> None:
    with neighbour(place(), nice=LAST):
        trial = limit_of(lambda: run("sleeps"), "waiting")
    assert trial.bottleneck == "waiting", trial.bottleneck_reason


@contextlib.contextmanager
def neighbour(where: Placement, nice: int = 0) -> Iterator[None]:
    """Somebody else who computes on the server's cores, in a session of their own like it."""
    program = [sys.executable, "-c", NEIGHBOUR, str(nice)]
    with pinned(where.server):
        others = [subprocess.Popen(program, start_new_session=True) for _ in where.server]
    try:
        yield
    finally:
        for other in others:
            other.kill()
            other.wait()


def test_a_server_that_keeps_drifting_is_never_steady(run: Run) -> None:
    def judged(trial: TrialRecord) -> bool:
        """Whether the warm-up was quiet enough for a verdict; no noise makes it a steady one."""
        assert trial.warmup is not None
        assert not trial.warmup.steady
        return trial.warmup.kind != "unsure"

    trial = first_of(
        lambda: run("drifts", warmup=Bounds(min=0.5, max=2.5, answers=0, cpu=0.0)), judged
    )
    assert trial.warmup is not None
    assert (trial.warmup.steady, trial.warmup.kind) == (False, "never")
    assert trial.warmup.steady_after_s is None
    assert "never-steady" in {flag.code for flag in trial.flags}
    rates = [rate for _, rate in trial.warmup.ticks]
    assert len(trial.warmup.cpu_us) == len(rates) >= 15
    assert sum(trial.warmup.cpu_us[-5:]) > 1.5 * sum(trial.warmup.cpu_us[1:6])
