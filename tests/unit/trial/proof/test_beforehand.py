"""In which trials a server is verified among a load before the load that counts."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import pytest

from support.crowd_verifiers import ROOT, Asking, AskingAlone, verifier_in
from webdyno.catalog.loads.load import Closed, Open
from webdyno.catalog.scenarios.scenario import Scenario, read_scenario
from webdyno.store.records import Warmup
from webdyno.trial.plan import TrialPlan
from webdyno.trial.proof import beforehand
from webdyno.trial.proof.beforehand import verify_beforehand, wants_proof_beforehand
from webdyno.verifier import Mismatch, Probe, Verifier

LOAD: dict[str, Any] = {"kind": "closed", "connections": 12, "duration": 1.0}


def scenario(name: str) -> Scenario:
    return read_scenario(ROOT / "scenarios" / name)


def plan_of(**changes: Any) -> TrialPlan:
    plan: Any = object.__new__(TrialPlan)
    known = {
        "load": Closed(**LOAD),
        "control": False,
        "reconciled": False,
        "scenario": scenario("hello"),
    }
    for name, value in {**known, **changes}.items():
        object.__setattr__(plan, name, value)
    made: TrialPlan = plan
    return made


def drawn(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lot: int, **changes: Any) -> bool:
    monkeypatch.setattr(secrets, "randbelow", lambda _: lot)
    kind: type[Verifier] = changes.pop("kind", Asking)
    return wants_proof_beforehand(plan_of(**changes), verifier_in(tmp_path, kind))


@pytest.mark.parametrize(("lot", "wanted"), [(0, True), (1, False)])
def test_it_is_drawn_by_lot(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, lot: int, wanted: bool
) -> None:
    assert drawn(monkeypatch, tmp_path, lot) is wanted


@pytest.mark.parametrize(
    "changes",
    [
        {"load": Closed(**LOAD, slice=0.1)},
        {"load": Closed(**LOAD, generator="wrk")},
        {"load": Open(kind="open", phases=["100/s:1s"])},
        {"control": True},
        {"scenario": scenario("fortunes")},
        {"kind": AskingAlone},
    ],
)
def test_never_where_it_would_be_told_apart_or_counted_as_the_load(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, changes: dict[str, Any]
) -> None:
    assert not drawn(monkeypatch, tmp_path, 0, **changes)


@pytest.mark.parametrize("reconciled", [True, False])
def test_it_is_the_second_proof_at_the_rate_of_the_warm_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, reconciled: bool
) -> None:
    seen: list[Any] = []

    def verify(verifier: Verifier, probe: Probe, job: Any, rps: float) -> None:
        seen.append((verifier.phase, verifier.thorough, rps))

    monkeypatch.setattr(beforehand, "verify_again", verify)
    verifier, anything = verifier_in(tmp_path), Any
    warmed = Warmup(seconds=2.0, steady=True, answers=600)
    verify_beforehand(plan_of(reconciled=reconciled), verifier, anything, anything, warmed)  # type: ignore[arg-type]
    assert seen == [("after", not reconciled, 300.0)]
    assert verifier.phase == "before"


def test_a_lie_is_let_through(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def verify(*_: Any) -> None:
        raise Mismatch("an unknown path was answered 200")

    monkeypatch.setattr(beforehand, "verify_again", verify)
    anything: Any = None
    warmed = Warmup(seconds=2.0, steady=True)
    with pytest.raises(Mismatch, match="answered 200"):
        verify_beforehand(plan_of(), verifier_in(tmp_path), anything, anything, warmed)
