"""How `webdyno test` runs a gate: its command, its priority, and gates side by side."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gates import check_types
from gates.command import chosen, passed, summary
from gates.outcome import Outcome, run_gate, run_gates
from gates.table import Gate, gates

ROOT = Path(__file__).resolve().parents[3]
TELL = "import os; print(os.getpriority(os.PRIO_PROCESS, 0), flush=True)"


def test_a_gate_stands_back_as_far_as_it_is_told(tmp_path: Path) -> None:
    # The gate of this test stands back, too.
    own = os.getpriority(os.PRIO_PROCESS, 0)
    for nice in (0, 3):
        gate = Gate("some", [sys.executable, "-c", TELL], nice=nice)
        assert int(run_gate(gate, tmp_path, tmp_path / "log").output) == min(own + nice, 19)


def test_mypy_s_processes_come_last_once_they_are_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    # It tells both of its processes' priorities at first, and later.
    told_first = tmp_path / "told"
    inner = (
        f"import pathlib, time\n{TELL}\npathlib.Path({str(told_first)!r}).touch()\n"
        "while os.getpriority(os.PRIO_PROCESS, 0) < 19: time.sleep(0.01)\n"
    )
    outer = (
        f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {inner + TELL!r}])\n{TELL}"
    )
    (tmp_path / "mypy.py").write_text(f"{outer}\nprint(sys.argv[1:])\nsys.exit(3)")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    class Told(subprocess.Popen[str]):
        """Its time begins once its processes have told, however busy the machine is."""

        def communicate(self, *arguments: Any, **named: Any) -> tuple[str, str]:
            while self.poll() is None and not told_first.exists():
                time.sleep(0.01)
            return super().communicate(*arguments, **named)

    monkeypatch.setattr(check_types, "STARTED_S", 0.3)
    monkeypatch.setattr(subprocess, "Popen", Told)
    assert check_types.main(["--strict"]) == 3
    told = capsys.readouterr().out.splitlines()
    assert told == [str(own), "19", "19", "['--strict', '--num-workers=auto']"]


@pytest.mark.slow
def test_a_gate_without_tests_passes_unless_all_are(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("def test_it(): pass")
    beside, alone = chosen(gates(ROOT, tmp_path, ["faults"], []), ["concurrent", "serial"])
    none = [*alone.command[:3], "test_it.py", "-k", "other"]
    empty = run_gate(replace(alone, command=none), tmp_path, tmp_path / "log")
    assert (empty.ok, empty.empty) == (True, True), empty.output
    assert passed([Outcome(beside, True, 1.0, "1 passed in 1s"), empty])
    assert not passed([empty])
    assert summary([empty], 1.0)[-1].startswith("failed: no such test")


def test_a_gate_succeeds_and_fails_with_its_command(tmp_path: Path) -> None:
    def run(code: str) -> Outcome:
        gate = Gate("some", [sys.executable, "-c", code])
        return run_gate(gate, tmp_path, tmp_path / "logs" / "some.log")

    good = run("print('fine')")
    assert (good.ok, good.output) == (True, "fine\n")
    bad = run("import sys; print('broken', file=sys.stderr); sys.exit(3)")
    assert (bad.ok, bad.output) == (False, "broken\n")


def test_what_a_gate_starts_finds_compiled_python_where_the_sources_are_to_get_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "some.py").write_text("print('imported')")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.delenv("PYTHONPYCACHEPREFIX", raising=False)
    gate = Gate("some", [sys.executable, "-c", "import some"])
    assert run_gate(gate, tmp_path / "sources", tmp_path / "test" / "some.log").ok
    assert [path.name for path in (tmp_path / "sources").iterdir()] == ["some.py"]
    assert len(list((tmp_path / "pycache").rglob("some.*.pyc"))) == 1


def test_lanes_run_beside_each_other_and_the_next_stage_afterwards(tmp_path: Path) -> None:
    # Each of the first two waits for what the other writes.
    wait = "import pathlib, sys, time; pathlib.Path(sys.argv[1]).touch()\n" + (
        "while not pathlib.Path(sys.argv[2]).exists(): time.sleep(0.01)"
    )
    python = [sys.executable, "-c"]
    every = [
        Gate("alone", [*python, "pass"], stage=2),
        Gate("a", [*python, wait, "a", "b"], lane="one"),
        Gate("after-a", [*python, "pass"], lane="one"),
        Gate("b", [*python, wait, "b", "a"], lane="two"),
    ]
    began: list[str] = []
    ended = list(run_gates(every, tmp_path, tmp_path / "home", lambda one: began.append(one.name)))
    assert all(one.ok for one in ended), [one.output for one in ended]
    assert sorted(began[:2]) == ["a", "b"]
    assert began[2:] == ["after-a", "alone"]
    assert [one.gate.name for one in ended][-1] == "alone"


def test_a_missing_program_is_a_failure_that_names_it(tmp_path: Path) -> None:
    outcome = run_gate(Gate("some", ["no-such-program"]), tmp_path, tmp_path / "log")
    assert not outcome.ok
    assert "no-such-program" in outcome.output
