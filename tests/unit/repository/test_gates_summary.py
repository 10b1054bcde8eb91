"""What `webdyno test` says at its end."""

from __future__ import annotations

from pathlib import Path

from gates.command import passed, summary
from gates.outcome import Outcome
from gates.table import TESTS, gates

ROOT = Path(__file__).resolve().parents[3]


def test_where_no_gate_ran_nothing_passed() -> None:
    assert not passed([])
    assert summary([], 0.0)[-1] == "failed: no gate ran (0 s)"


PYTEST = """
tests/unit/test_x.py ..F                      [100%]
=========================== short test summary info ============================
FAILED tests/unit/test_x.py::test_y - assert 1 == 2
========================= 1 failed, 2 passed in 0.03s ==========================
"""
CARGO = """
running 41 tests
test result: ok. 41 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.52s

   Doc-tests webdyno_engine

running 0 tests

test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
"""


def outcome(name: str, output: str, ok: bool = True) -> Outcome:
    every = {gate.name: gate for gate in gates(ROOT, Path("home"), TESTS, [])}
    return Outcome(every[name], ok, 1.0, output)


def test_the_last_lines_are_the_tools_own_summaries() -> None:
    lines = summary([outcome("rust-test", CARGO), outcome("unit", PYTEST, ok=False)], 2.0)
    assert [line for line in lines if line.startswith("rust-test")] == [
        "rust-test: test result: ok. 41 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; "
        "finished in 0.52s"
    ]
    assert [line.strip("= ") for line in lines if "2 passed" in line] == [
        "unit: ========================= 1 failed, 2 passed in 0.03s"
    ]
    assert lines[-1] == "failed: unit (2 s)"


def test_success_is_said_in_one_line() -> None:
    assert summary([outcome("rust-test", CARGO)], 1.0)[-1] == "all 1 gates passed (1 s)"


def test_the_short_form_of_pytest_is_understood() -> None:
    assert outcome("unit", "217 passed, 1 skipped in 17.53s\n").summary_lines() == [
        "217 passed, 1 skipped in 17.53s"
    ]
