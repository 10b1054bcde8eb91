"""What a run needs is asked before anything is built."""

from __future__ import annotations

import re
import resource
from pathlib import Path
from typing import Any, NoReturn

import pytest

from support.small_study import a_study
from webdyno.api import load_study
from webdyno.catalog import Catalog
from webdyno.catalog.scenarios.scenario import Scenario, read_scenario
from webdyno.cli.new import new_server
from webdyno.errors import UserError
from webdyno.run.bench.bench import Bench
from webdyno.run.preparation.needs import check_files, check_needs
from webdyno.run.run_study import run_study
from webdyno.run.settings import RunEnvironment
from webdyno.run.study.plan import cells_of
from webdyno.run.verify import verify_servers
from webdyno.runtime.home import Home
from webdyno.store.store import Store
from webdyno.trial.proof.prove import verifier_class

ROOT = Path(__file__).resolve().parents[4]


def test_a_verifier_without_an_audit_is_refused_in_one_line(tmp_path: Path) -> None:
    folder = tmp_path / "scenarios" / "bare"
    folder.mkdir(parents=True)
    (folder / "scenario.toml").write_text(
        'name = "bare"\ntitle = "B"\ndescription = "b"\n[[requests]]\nname = "a"\npath = "/"\n'
    )
    (folder / "verifier.py").write_text(
        "from webdyno.verifier import Probe, Verifier\n"
        "class Scenario(Verifier):\n    def verify(self, probe: Probe) -> None:\n        pass\n"
    )
    with pytest.raises(UserError, match=r"verifier\.py: class Scenario has no method audit\(\)"):
        verifier_class(read_scenario(folder), {})


@pytest.mark.parametrize("scenario", Catalog().scenarios(), ids=lambda one: one.id)
def test_every_verifier_can_do_its_part(scenario: Scenario) -> None:
    assert verifier_class(scenario, {})


def test_a_missing_generator_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = {"kind": "closed", "connections": 1, "duration": "1s", "generator": "wrk"}
    cells = cells_of(a_study(scenarios=["hello"], loads=[load]), Catalog())
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="wrk is not installed"):
        check_needs(cells, tmp_path)


def test_a_missing_service_is_told_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = cells_of(a_study(scenarios=["point-lookup"]), Catalog())
    monkeypatch.setenv("WEBDYNO_MYSQLD", str(tmp_path / "none"))
    with pytest.raises(UserError, match=r"scenario point-lookup: .* is not a program"):
        check_needs(cells, tmp_path)


@pytest.mark.parametrize(
    ("load", "least"),
    [
        ({"kind": "closed", "connections": 8, "duration": "1s"}, 264),
        ({"kind": "open", "phases": ["9/s:1s"]}, 512),
        ({"kind": "iterations", "users": 20, "iterations": 1}, 276),
        # It may have as many as fit, and a program of its own has its own limit.
        ({"kind": "closed", "duration": "1s"}, 257),
        ({"kind": "closed", "connections": 8, "duration": "1s", "generator": "wrk"}, 0),
    ],
)
def test_too_low_a_limit_of_open_files_is_told_at_once(
    load: dict[str, Any], least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = cells_of(a_study(scenarios=["hello"], loads=[load]), Catalog())
    for limit in (least, resource.RLIM_INFINITY):
        monkeypatch.setattr(resource, "getrlimit", lambda _which, most=limit: (64, most))
        check_files(cells)
    monkeypatch.setattr(resource, "getrlimit", lambda _which: (64, least - 1))
    if least:
        with pytest.raises(UserError, match=f"{least} open files .* limit is {least - 1}; raise"):
            check_files(cells)


def test_nothing_to_verify_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(
        UserError, match="nothing to verify: json is not implemented by nginx/static"
    ):
        verify_servers(["nginx/static"], "json", Catalog(), Home(tmp_path), tmp_path, print)


def test_a_manifest_that_names_a_scenario_wrongly_is_told_before_anything_is_built(
    tmp_path: Path,
) -> None:
    new_server(tmp_path, "go/mine")
    manifest = tmp_path / "servers/go/mine/server.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace('["hello"]', '["helo"]'), encoding="utf-8")
    catalog = Catalog([*Catalog().roots, tmp_path])
    with pytest.raises(UserError) as raised:
        verify_servers(["go/mine"], None, catalog, Home(tmp_path), tmp_path, print)
    said = f"{manifest}: scenarios: no scenario 'helo'; did you mean 'hello'?"
    assert str(raised.value).startswith(said)


@pytest.mark.parametrize("scenario", Catalog().scenarios(), ids=lambda one: one.id)
def test_every_number_of_a_scenario_has_its_bounds(scenario: Scenario) -> None:
    parameters = scenario.manifest.parameters
    numbers = {name for name, value in parameters.items() if type(value) is int}
    bounds = verifier_class(scenario, {}).bounds
    assert set(bounds) == numbers
    for name, (_, most) in bounds.items():
        for wrong in (-1, *([] if most is None else [most + 1])):
            with pytest.raises(UserError, match=f"parameter '{name}' is {wrong}; give a whole"):
                verifier_class(scenario, {name: wrong})


@pytest.mark.parametrize(
    ("scenario", "parameters", "said"),
    [
        (
            "sha256",
            {"n_max": "x"},
            "sha256: parameter 'n_max' is 'x'; give a whole number",
        ),
        ("sha256", {"n_max": True}, "'n_max' is True; give a whole number"),
        ("sha256", {"n_min": 7, "n_max": 6}, "'n_max' is 6; give a whole number from 7 to 100000"),
        ("sha256", {"n_min": 0}, "'n_min' is 0; give a whole number from 1 to 100000"),
        ("sha256", {"n_mx": 1}, "no parameter 'n_mx'; did you mean 'n_max'?"),
        ("point-lookup", {"index": "yes"}, "parameter 'index' is 'yes'; give true or false"),
    ],
)
def test_parameters_are_checked_before_anything_is_built(
    tmp_path: Path, scenario: str, parameters: dict[str, object], said: str
) -> None:
    entry = {"name": scenario, "parameters": parameters}
    with pytest.raises(UserError, match=re.escape(said)):
        check_needs(cells_of(a_study(scenarios=[entry]), Catalog()), tmp_path)


def test_parameters_are_checked_when_a_study_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    text = (ROOT / "studies" / "quick.toml").read_text(encoding="utf-8")
    entry = '[{ name = "sha256", parameters = { n_max = -1 } }]'
    text = re.sub(r'(?m)^name = ".*"$', 'name = "mine"', text, count=1)
    text = re.sub(r"(?m)^scenarios = \[.*\]$", f"scenarios = {entry}", text, count=1)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match="parameter 'n_max' is -1; give a whole number"):
        load_study(str(path))


class NothingBuilt(Bench):
    """A bench on which a build is a fault."""

    def prepare(self, *_: object) -> NoReturn:
        raise AssertionError("built before the placement was looked at")


def test_cpus_that_are_not_there_are_told_before_anything_is_built(tmp_path: Path) -> None:
    study = a_study(scenarios=["hello"], placement={"server": "65535"})
    home = Home(tmp_path)
    store = Store.open(home.database)
    with pytest.raises(UserError, match=r"placement\.server .*: CPU 65535 is not available here"):
        run_study(study, RunEnvironment(Catalog(), home, store, bench=NothingBuilt()))
