"""A server that died while an answer was awaited: more than a late answer is held against it."""

from __future__ import annotations

import os
import re
import subprocess
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from support.small_study import a_trial
from webdyno.runtime.processes.ending import Ending
from webdyno.trial.assessment.reasons import ended, of_mismatch
from webdyno.trial.assessment.unanswered import is_unanswered
from webdyno.trial.proof.prove import evidence_of
from webdyno.trial.state import TrialState
from webdyno.verifier import Breakdown

LATE = Breakdown("GET /: no answer within 10 s")


@pytest.mark.parametrize(("code", "late"), [(3, False), (None, True)])
def test_a_late_answer_of_a_server_that_died_is_not_asked_again(
    tmp_path: Path, code: int | None, late: bool
) -> None:
    program = ["sleep", "60"] if code is None else ["sh", "-c", f"exit {code}"]
    plan: Any = SimpleNamespace(run_id="a run", load=SimpleNamespace(in_turns=False))
    with subprocess.Popen(program) as child:
        if code is not None:
            child.wait()
        family = SimpleNamespace(alive=list, stopped=lambda: False)
        process = SimpleNamespace(
            pid=child.pid, family=family, exit_code=child.poll, log=tmp_path / "log",
            wait=lambda _: None,
        )  # fmt: skip
        server: Any = SimpleNamespace(process=process, port=1, address="127.0.0.1")
        verifier: Any = SimpleNamespace(evidence=[], phase="before")
        state = TrialState(server=server, verifier=verifier)
        reason = of_mismatch(plan, state, LATE)
        child.kill()
    claims = {item.claim for item in verifier.evidence}
    assert claims == {"the server answers"} | (set() if late else {"the server stays up"})
    trial = a_trial(
        "go/chi", 0, 1.0, status="failed", reason=reason, measurement=None,
        evidence=list(evidence_of(verifier)),
    )  # fmt: skip
    assert is_unanswered(trial) == late


@pytest.mark.parametrize(
    ("before", "in_turns", "when"),
    [
        (True, False, "before the measurement"),
        (True, True, "before the measurement"),
        (False, False, r"\d+\.\d s into the measurement"),
        # Most of that time was others'.
        (False, True, "during the measurement"),
    ],
)
def test_it_is_told_when_the_server_died(before: bool, in_turns: bool, when: str) -> None:
    plan: Any = SimpleNamespace(load=SimpleNamespace(in_turns=in_turns))
    with subprocess.Popen(["sh", "-c", "read line; exit 3"], stdin=subprocess.PIPE) as child:
        assert child.stdin is not None
        if before:
            child.stdin.close()
            os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        with Ending(child.pid) as ending:
            child.stdin.close()
            while ending.after_s is None:
                time.sleep(0.01)
        process = SimpleNamespace(exit_code=child.wait)
        server: Any = SimpleNamespace(process=process)
        state = TrialState(server=server, ending=ending)
    assert re.fullmatch(f"the server exited with 3 {when}", ended(plan, state))
