"""Open loads fitted to the slowest server, and to the budget: alike for all, once a run."""

from __future__ import annotations

import pytest

from webdyno.catalog import Catalog, StudyManifest
from webdyno.catalog.loads.load import Load, Open
from webdyno.catalog.terms.quantity import phase
from webdyno.run.blocks.fitted_loads import fitted_load_note
from webdyno.run.blocks.load_fitting import PART, apply_fitted, fitted, fitted_loads
from webdyno.run.study.plan import Matchup, cells_of, entries_of, matchups_of
from webdyno.store.records import (
    CpuUse,
    FittedLoadRecord,
    Measurement,
    Memory,
    TrialRecord,
    now,
)

CARRIED = {"node/http": 200.0, "go/gin": 100.0, "go/chi": 400.0}


def a_study(budget: str = "1h", **changes: object) -> StudyManifest:
    load = {
        "kind": "open",
        "name": "spike",
        "phases": ["150/s:60s", "300/s:60s"],
        "scale": "auto",
        "shortest": "5s",
    }
    return StudyManifest.model_validate(
        {
            "name": "mine",
            "title": "Mine",
            "question": "Which?",
            "servers": list(CARRIED),
            "control": "go/gin",
            "scenarios": ["json"],
            "loads": [{**load, **changes}],
            "blocks": {"min": 2, "max": 4},
            "budget": budget,
        }
    )


def matchups(study: StudyManifest) -> list[Matchup]:
    catalog = Catalog()
    entries, _ = entries_of(study, catalog)
    return matchups_of(entries, cells_of(study, catalog))


class Calibration:
    """Gives each entry's trial the throughput it is said to carry, and counts them."""

    def __init__(self, **carried: float | None) -> None:
        self.carried: dict[str, float | None] = {**CARRIED, **carried}
        self.asked: list[str] = []

    def __call__(self, matchup: Matchup, load: Load) -> TrialRecord:
        self.asked.append(matchup.entry.label)
        rps = self.carried[matchup.entry.label]
        measured = Measurement(
            elapsed_s=1.0,
            throughput_rps=rps or 0.0,
            latency_us=None,
            counts={"ok": int(rps or 0)},
            cpu_us_per_request={},
            cpu={"server": CpuUse(user_s=0, system_s=0, cores=1, share=0)},
            memory_bytes=Memory(idle=1, mean=1, peak=1),
            threads_peak=1,
            processes_peak=1,
        )
        return TrialRecord(
            run_id="r",
            index=0,
            server=matchup.entry.server_variant.server.id,
            scenario="json",
            load=load.label(),
            block=0,
            order=0,
            status="failed" if rps is None else "ok",
            started=now(),
            finished=now(),
            measurement=measured,
        )


def rates(record: FittedLoadRecord) -> list[float]:
    return [phase(text).rps for text in record.given]


def test_the_slowest_decides_for_all() -> None:
    study = a_study()
    found = matchups(study)
    calibrated = Calibration()
    (record,) = fitted_loads(study, found, calibrated)
    assert sorted(calibrated.asked) == sorted(CARRIED)  # Once each, and not the A/A twin.
    assert record.slowest == "go/gin"
    assert record.carried_rps == CARRIED
    assert record.rate_factor == pytest.approx(0.26)  # 0.8 x 100 / 300, rounded down.
    assert rates(record) == [39.0, 78.0]
    assert max(rates(record)) <= PART * 100
    loads = {m.cell.load.model_dump_json() for m in apply_fitted(found, [record])}
    assert len(loads) == 1
    made = apply_fitted(found, [record])[0].cell.load
    assert isinstance(made, Open)
    assert made.label() == "spike"
    assert made.phases == record.given


def test_a_machine_that_is_fast_enough_changes_nothing() -> None:
    study = a_study()
    fast = Calibration(**dict.fromkeys(CARRIED, 1000.0))
    (record,) = fitted_loads(study, matchups(study), fast)
    assert (record.rate_factor, record.slowest) == (1.0, "")
    assert rates(record) == [150.0, 300.0]


def test_a_server_that_fails_decides_nothing() -> None:
    study = a_study()
    (record,) = fitted_loads(study, matchups(study), Calibration(**{"go/gin": None}))
    assert record.slowest == "node/http"


def test_what_trials_have_shown_is_not_measured_again() -> None:
    shown = {("node/http", "json"): 300.0, ("go/gin", "json"): 150.0}
    half = a_study(scale="half")
    calibrated = Calibration()
    (record,) = fitted_loads(half, matchups(half), calibrated, shown)
    assert calibrated.asked == ["go/chi"]
    assert (record.slowest, record.carried_rps["go/gin"]) == ("go/gin", 150.0)
    assert rates(record) == [37.5, 75.0]
    # Room for bursts is asked of the same load for every server.
    auto = a_study()
    fitted_loads(auto, matchups(auto), calibrated, shown)
    assert len(calibrated.asked) == 1 + len(CARRIED)


def test_a_load_calibrates_alike_whichever_load_comes_before_it() -> None:
    shown = {("node/http", "json"): 300.0, ("go/gin", "json"): 150.0, ("go/chi", "json"): 600.0}
    auto, half = a_study().loads[0], a_study(name="steady", scale="half").loads[0]
    both = a_study().model_copy(update={"loads": [half, auto]})
    found = {
        one.load: one.carried_rps
        for one in fitted_loads(both, matchups(both), Calibration(), shown)
    }
    assert found == {
        "steady": {entry: rate for (entry, _), rate in shown.items()},
        "spike": CARRIED,
    }


def test_a_rate_found_here_is_told_without_the_one_that_nobody_gave() -> None:
    half = a_study(scale="half")
    (record,) = fitted_loads(half, matchups(half), Calibration())
    said = fitted_load_note(record, half)
    assert said == "json under spike: 24/s:60s, 48/s:60s (half of what go/gin handles)"
    auto = a_study()
    (record,) = fitted_loads(auto, matchups(auto), Calibration())
    assert fitted_load_note(record, auto).endswith("(asked: 150/s:60s, 300/s:60s)")


def test_phases_are_shortened_to_fit_the_fewest_blocks_but_not_below_the_shortest() -> None:
    study = a_study(budget="10m")
    (record,) = fitted_loads(study, matchups(study), Calibration())
    lengths = [phase(text).duration_s for text in record.given]
    assert 5.0 < lengths[0] == lengths[1] < 60.0
    # Four entries, two blocks, two phases.
    assert 16 * lengths[0] < 600
    brief = a_study(budget="10s")
    (record,) = fitted_loads(brief, matchups(brief), Calibration())
    assert [phase(text).duration_s for text in record.given] == [5.0, 5.0]


def test_searches_for_an_objective_leave_less_time_for_phases() -> None:
    study = a_study(budget="15m")
    search = {"kind": "objective", "objective": "p99 < 100ms"}
    both = StudyManifest.model_validate(
        {**study.model_dump(), "loads": [study.loads[0].model_dump(), search]}
    )
    lengths = []
    for one in (study, both):
        record = fitted_loads(one, matchups(one), Calibration())[0]
        lengths.append(phase(record.given[0]).duration_s)
    # Four entries search twice, for about 30 s, and their trials warm up and are proven.
    assert 5.0 < lengths[1] < lengths[0] < 60.0
    assert (lengths[0] - lengths[1]) * 16 >= 4 * 2 * 30


def test_a_load_that_asks_for_neither_is_left_alone_and_nothing_is_calibrated() -> None:
    study = a_study(scale="", shortest=None)
    calibrated = Calibration()
    assert fitted_loads(study, matchups(study), calibrated) == []
    assert calibrated.asked == []


def test_ramps_keep_their_shape() -> None:
    load = Open(kind="open", name="ramp", phases=["100/s..400/s:30s"], scale="auto")
    record = FittedLoadRecord(scenario="json", load="ramp", rate_factor=0.5, time_factor=1.0)
    assert fitted(load, record).phases == ["50/s..200/s:30s"]
