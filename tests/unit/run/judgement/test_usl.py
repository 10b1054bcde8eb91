"""Studies with several numbers of connections or cores: their loads, and the law fitted to them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rich.console import Console

from support.output_schemas import validate
from support.synthetic_run import SERVERS, build_run
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.study import StudyManifest
from webdyno.errors import UserError
from webdyno.report.charts.usl import points
from webdyno.report.formats.html import render_html
from webdyno.report.formats.json_export import export
from webdyno.report.formats.terminal import render
from webdyno.report.tables.usl import views
from webdyno.run.judgement.judge import judge
from webdyno.run.judgement.usl import usl_records
from webdyno.runtime.machine.placement import Placement, narrowed_to
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.stored_study import StoredStudy

COUNTS = [1, 2, 4, 8, 16, 32]
SWEEP: dict[str, Any] = {
    "name": "sweep", "kind": "closed", "connections": COUNTS, "duration": "1s",
}  # fmt: skip


FIELDS: dict[str, Any] = {
    "name": "mine",
    "title": "Mine",
    "question": "How far?",
    "servers": ["go/net-http", "node/http"],
    "scenarios": ["json"],
    "loads": [SWEEP],
}


def a_study(**changes: Any) -> StudyManifest:
    return StudyManifest.model_validate({**FIELDS, **changes})


def test_a_sweep_is_a_load_of_each_number() -> None:
    study = a_study()
    assert [load.label() for load in study.loads] == [f"sweep-{n}" for n in COUNTS]
    again = StudyManifest.model_validate(study.model_dump())
    assert again == study
    unnamed = {key: value for key, value in SWEEP.items() if key != "name"}
    assert a_study(loads=[unnamed]).loads[0].label() == "closed-1"


def test_scenarios_may_name_the_sweep() -> None:
    other = {"kind": "closed", "connections": 7, "duration": "1s"}
    study = a_study(loads=[other, SWEEP], scenarios=[{"name": "json", "loads": ["sweep"]}, "hello"])
    assert study.entries()[0].loads == [f"sweep-{n}" for n in COUNTS]
    assert not study.entries()[1].loads


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"scenarios": 5}, "key 'scenarios': must be a list"),
        (
            {"loads": [{**SWEEP, "name": ["x"]}]},
            "key 'name' in the first [[loads]]: must be a text",
        ),
        (
            {"loads": [{**SWEEP, "name": {"a": 1}}]},
            "key 'name' in the first [[loads]]: must be a text",
        ),
        ({"scenarios": [{"name": "json", "loads": [["x"]]}]}, "must be a text"),
        ({"scenarios": [{"name": "json", "loads": [{"a": 1}]}]}, "must be a text"),
    ],
)
def test_a_wrong_type_beside_a_sweep_is_told_as_anywhere(
    changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(UserError) as caught:
        parse_manifest({**FIELDS, **changes}, StudyManifest, "mine.toml")
    assert str(caught.value).startswith("mine.toml: ")
    assert said in str(caught.value)


def told(**changes: Any) -> str:
    with pytest.raises(UserError) as caught:
        parse_manifest({**FIELDS, **changes}, StudyManifest, "mine.toml")
    return str(caught.value)


def test_what_is_wrong_behind_a_sweep_is_told_by_its_place_in_the_file() -> None:
    unknown = {"connections": 7, "duration": "1s"}
    both = {"kind": "closed", "connections": [1, 2], "cores": [1, 2], "duration": "1s"}
    assert "the second [[loads]]: 'kind' is missing" in told(loads=[SWEEP, unknown])
    assert "the third [[loads]]: 'kind' is missing" in told(loads=[both, SWEEP, unknown])
    assert "key 'duration' in the second [[loads]]: 'soon'" in told(
        loads=[both, {**SWEEP, "duration": "soon"}]
    )
    assert "unknown key 'conections' in the second [[loads]]" in told(
        loads=[SWEEP, {**both, "conections": 1}]
    )
    entry = {"name": "json", "loads": ["sweep", "sweep", 3]}
    assert "the third of 'scenarios.loads' in the first [[scenarios]]: must be a text" in told(
        scenarios=[entry]
    )
    # Where no loads can be read, places are those of the file as well.
    assert "the third of 'scenarios.loads' in the first [[scenarios]]: must be a text" in told(
        scenarios=[entry], loads=5
    )


@pytest.mark.parametrize("numbers", [[], [2, 2], [0, 1], ["x", 3]])
def test_nonsense_is_refused(numbers: list[Any]) -> None:
    with pytest.raises(ValueError, match=r"connections|valid integer|greater than"):
        a_study(loads=[{**SWEEP, "connections": numbers}])


def a_run(study: StudyManifest, cores: float = 1.0) -> RunRecord:
    """Trials whose throughput follows the law with contention 0.1 and coherency 0.002."""
    servers = tuple(s for s in SERVERS if s.name in study.servers and s.variant == "default")
    random = np.random.default_rng(4)
    trials: list[TrialRecord] = []
    for place, load in enumerate(study.loads):
        run = build_run(blocks=3, seconds=2, servers=servers, scenarios=("json",))
        n = load.cores or load.connections  # type: ignore[union-attr]
        for trial in run.trials:
            assert trial.measurement is not None
            one = 2_000.0 if trial.server == "go/net-http" else 1_000.0
            rps = one * n / (1 + 0.1 * (n - 1) + 0.002 * n * (n - 1))
            measured = trial.measurement.model_copy(deep=True)
            measured.throughput_rps = rps * float(random.lognormal(0, 0.01))
            measured.cpu["server"].cores = cores
            changes = {
                "load": load.label(),
                "measurement": measured,
                "index": trial.index + 100 * place,
            }
            trials.append(trial.model_copy(update=changes))
    found = usl_records(study, trials)
    changes = {"study": StoredStudy.of(study), "trials": trials, "scalability": found}
    return run.model_copy(update={**changes, "verdicts": judge(study, trials)})


@pytest.mark.slow
def test_the_law_is_fitted_over_connections_and_refused_over_cores() -> None:
    connections, cores = a_run(a_study()).scalability
    assert (connections.over, cores.over) == ("connections", "cores")
    assert {one.entry for one in connections.entries} == {"go/net-http", "node/http"}
    for one in connections.entries:
        assert one.sigma is not None
        assert one.sigma.high is not None
        assert one.sigma.estimate == pytest.approx(0.1, rel=0.1)
        assert one.sigma.low < one.sigma.estimate < one.sigma.high
        assert [n for n, _ in one.points] == COUNTS
        assert not one.extrapolated
    assert not cores.entries
    assert "servers can have at most 1 core here" in cores.reason
    assert "takes 5 different numbers of cores" in cores.reason


def test_over_cores_it_is_fitted_where_there_are_enough() -> None:
    load = {"kind": "closed", "connections": 64, "duration": "1s", "cores": [1, 2, 3, 4, 6, 8]}
    (found,) = a_run(a_study(loads=[load]), cores=8.0).scalability
    assert found.over == "cores"
    assert len(found.entries) == 2
    assert found.entries[0].sigma is not None


def test_few_numbers_are_refused_and_two_are_only_a_comparison() -> None:
    few, _cores = a_run(a_study(loads=[{**SWEEP, "connections": [1, 8, 64]}])).scalability
    assert "only 3 of them" in few.reason
    assert a_run(a_study(loads=[{**SWEEP, "connections": [1, 8]}])).scalability == []


def test_a_load_may_ask_for_fewer_cores_but_not_for_more() -> None:
    placement = Placement(server=(0, 1, 2), generator=(3,), services=(3,))
    assert narrowed_to(placement, 2).server == (0, 1)
    assert narrowed_to(placement, None) is placement
    with pytest.raises(UserError, match="gives the server 8 cores, but only 3"):
        narrowed_to(placement, 8)


@pytest.mark.slow
def test_every_format_tells_of_it() -> None:
    run = a_run(a_study())
    console = Console(width=160, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    console.print(render(run, 160))
    text = console.export_text()
    assert "scaling over connections: node/http: contention 0." in text
    assert "scaling over cores: not fitted: servers can have at most 1 core" in text
    page = render_html(run)
    assert "The universal scalability law" in page
    assert 'data-kind="scaling-0"' in page
    validate("run", export(run))


@pytest.mark.slow
def test_what_is_refused_for_one_reason_is_told_once() -> None:
    run = a_run(a_study())
    fitted, refused = run.scalability
    other, third = (refused.model_copy(update={"scenario": name}) for name in ("pi", "sha256"))
    last = fitted.model_copy(update={"scenario": "pi"})
    run = run.model_copy(update={"scalability": [fitted, refused, other, last, third]})
    assert [view.scenario for view in views(run)] == ["json", "json, pi and sha256", "pi"]
    page = render_html(run)
    assert page.count("Not fitted: servers can have at most 1 core") == 1
    # The curves are found by their place, which what is refused shares with them.
    assert 'data-kind="scaling-2"' in page
    assert [sorted(sets) for sets in points(run, ["go/net-http"])] == [
        ["scaling-0"], [], ["scaling-2"],
    ]  # fmt: skip
