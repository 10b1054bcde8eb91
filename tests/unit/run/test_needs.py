"""What a run needs is asked before anything is built."""

from __future__ import annotations

from pathlib import Path

import pytest

from unit.run.test_plan_and_judge import a_study
from webdyno.catalog import Catalog
from webdyno.catalog.scenario import Scenario, read_scenario
from webdyno.errors import UserError
from webdyno.run.preparation.needs import check_needs
from webdyno.run.study.plan import cells_of
from webdyno.run.verify import verify_servers
from webdyno.runtime.home import Home
from webdyno.trial.proof.prove import verifier_class

ROOT = Path(__file__).resolve().parents[3]


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


def test_nothing_to_verify_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nothing to verify: page is not implemented by go/chi"):
        verify_servers(["go/chi"], "page", Catalog(), Home(tmp_path), tmp_path, print)
