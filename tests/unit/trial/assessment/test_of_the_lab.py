"""A load that could not be made is the laboratory's failure, and is marked as such."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from webdyno.generators.engine import Sliced
from webdyno.generators.generator import GeneratorError, GeneratorFault
from webdyno.generators.job import Job
from webdyno.runtime.services import ServiceError
from webdyno.trial.assessment.failures import failures_told
from webdyno.trial.assessment.of_the_lab import GENERATOR_FAILED, SERVICE_FAILED
from webdyno.trial.plan import TrialPlan
from webdyno.trial.state import TrialState
from webdyno.verifier import Verifier

PLAN = cast(TrialPlan, SimpleNamespace(load=None))


@pytest.mark.parametrize(
    ("error", "codes"),
    [(GeneratorFault, [GENERATOR_FAILED]), (GeneratorError, [])],
)
def test_only_what_no_server_can_cause_is_marked(
    error: type[GeneratorError], codes: list[str]
) -> None:
    state = TrialState()
    with failures_told(PLAN, state):
        raise error("engine: load: 277 open files are needed")
    assert (state.status, state.reason) == ("error", "engine: load: 277 open files are needed")
    assert [flag.code for flag in state.flags] == codes
    assert all(flag.message == state.reason for flag in state.flags)


@pytest.mark.parametrize(("verifier", "codes"), [(None, [SERVICE_FAILED]), (object(), [])])
def test_a_service_that_does_not_start_is_marked_and_one_that_fails_later_is_not(
    verifier: object, codes: list[str]
) -> None:
    state = TrialState(verifier=cast("Verifier | None", verifier))
    with failures_told(PLAN, state):
        raise ServiceError("postgresql: exited during its start")
    assert [flag.code for flag in state.flags] == codes
    assert state.status == "error"


def test_what_the_engine_refuses_is_such_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_text: str) -> None:
        raise ValueError("load: 277 open files are needed, but the limit is 64")

    monkeypatch.setattr(
        "webdyno.generators.engine.spec_of", lambda _: SimpleNamespace(json_text=lambda: "{}")
    )
    with pytest.raises(GeneratorFault, match="engine: load: 277 open files are needed"):
        Sliced(cast(Job, SimpleNamespace(make_load=refuse)))
