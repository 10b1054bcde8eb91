"""What a trial's figures are worth, and what limited it."""

from __future__ import annotations

import pytest

from support.synthetic_run import build_run
from webdyno.catalog.load import Load, Objective, Open
from webdyno.store.records import CpuUse
from webdyno.trial.assess import _shares, flags_of


def use(share: float) -> CpuUse:
    return CpuUse(user_s=share, system_s=0.0, cores=1.0, share=share)


@pytest.mark.parametrize(
    ("server", "database", "shared", "expected"),
    [
        (0.6, None, (), (0.6, None)),
        (0.6, 0.35, (), (0.6, 0.35)),
        (0.6, 0.35, ("server", "services"), (0.95, 0.35)),
        (0.3, 0.65, ("server", "services"), (0.3, 0.95)),
    ],
)
def test_on_a_shared_core_the_busier_one_answers_for_both(
    server: float,
    database: float | None,
    shared: tuple[str, ...],
    expected: tuple[float, float | None],
) -> None:
    cpu = {"server": use(server), "generator": use(0.5)}
    if database is not None:
        cpu["postgresql"] = use(database)
    assert _shares(cpu, shared) == pytest.approx(expected)


OFFERED = Open(kind="open", phases=["100/s:1s"])
SEARCHED = Objective(kind="objective", objective="p99 < 1s")


@pytest.mark.parametrize(
    ("load", "late", "expected"),
    [
        (OFFERED, {"late_own": 1, "late_waited": 9}, "few-connections"),
        (OFFERED, {"late_own": 9, "late_waited": 1}, "send-lag"),
        (SEARCHED, {"late_own": 1, "late_waited": 9}, ""),
        (SEARCHED, {"late_own": 9, "late_waited": 1}, "send-lag"),
    ],
)
def test_a_search_may_use_up_its_connections(
    load: Load, late: dict[str, int], expected: str
) -> None:
    measured = build_run(blocks=1, seconds=2).trials[0].measurement
    assert measured is not None
    assert measured.send_lag_us is not None
    measured.send_lag_us.p99 = 5000.0
    measured.generator |= late
    found = {flag.code for flag in flags_of(measured, load)} & {"few-connections", "send-lag"}
    assert found == ({expected} if expected else set())
