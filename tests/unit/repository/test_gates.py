"""`webdyno test`: which gates run, and what is told of them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gates import check_types
from gates.command import chosen, passed, split, summary
from gates.outcome import Outcome, run_gate, run_gates
from gates.table import TESTS, Gate, gates
from webdyno.errors import UserError

ROOT = Path(__file__).resolve().parents[3]

OF_TESTS = ["unit", "cheats", "concurrent", "serial"]


def names(*wanted: str) -> list[str]:
    return [gate.name for gate in chosen(gates(ROOT, Path("home"), TESTS, []), list(wanted))]


def test_all_gates_are_chosen_where_none_is_named() -> None:
    quality = ["format", "lint", "types", "rust-format", "rust-lint", "rust-build", "rust-test"]
    assert names() == [*quality, *OF_TESTS]


def test_all_names_every_gate() -> None:
    assert names("all") == names()
    assert split(["all"], ROOT) == (["all"], [])


def test_the_cheats_and_the_long_tests_run_where_all_or_their_gate_is_named() -> None:
    def commands(*, everything: bool) -> dict[str, str]:
        every = gates(ROOT, Path("home"), TESTS, [], everything=everything)
        return {gate.name: " ".join(gate.command) for gate in every if gate.name in OF_TESTS}

    everything, usual = commands(everything=True), commands(everything=False)
    assert everything.keys() == set(OF_TESTS)
    assert everything.keys() - usual.keys() == {"cheats"}
    assert [name for name, command in everything.items() if "not long" in command] == []
    assert [name for name, command in usual.items() if "not long" not in command] == []


def test_the_build_server_runs_the_cheats_and_the_long_tests_that_measure_nothing() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    assert "\n./webdyno test ||" in script
    for rest in ("cheats", "concurrent -- -m long"):
        assert re.search(rf"^in_time \d+ .* \./webdyno test {rest}$", script, re.MULTILINE)


def test_the_build_server_names_tests_that_there_are() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    named = re.findall(r"(tests/\S+\.py)(?:::(\w+))?", script)
    assert named
    for file, test in named:
        text = (ROOT / file).read_text()
        assert f"def {test}(" in text or not test
        assert "mark.long" in text


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("rust", ["rust-format", "rust-lint", "rust-build", "rust-test"]),
        ("python", ["format", "lint", "types"]),
        ("unit", ["unit"]),
        ("pytest", OF_TESTS),
        ("integration", ["cheats", "concurrent", "serial"]),
        ("faults", ["concurrent", "serial"]),
        ("serial", ["serial"]),
        ("types", ["types"]),
        ("fast", ["format", "lint", "types", "unit-fast"]),
        ("unit-fast", ["unit-fast"]),
    ],
)
def test_a_group_chooses_its_gates(wanted: str, expected: list[str]) -> None:
    assert names(wanted) == expected


def test_what_follows_the_gates_goes_to_pytest() -> None:
    assert split(["unit", "-k", "stamp"], ROOT) == (["unit"], ["-k", "stamp"])
    assert split(["-k", "stamp"], ROOT) == (["pytest"], ["-k", "stamp"])
    assert split(["tests/unit/cli::x"], ROOT) == (["pytest"], ["tests/unit/cli::x"])


def test_the_quick_tests_leave_the_slow_ones_out() -> None:
    (gate,) = chosen(gates(ROOT, Path("home"), TESTS, ["-x"]), ["unit-fast"])
    assert marked(gate) == "not slow"
    assert gate.command[-1] == "-x"


def marked(gate: Gate) -> str:
    """What the gate's own `-m` asks for, after that of `python -m pytest`."""
    assert gate.command.count("-m") == 2
    return gate.command[gate.command.index("-m", 3) + 1]


@pytest.mark.parametrize(
    ("gate", "expected"),
    [
        ("unit", "long or slow"),
        ("cheats", "long or slow"),
        ("concurrent", "concurrent and (long or slow)"),
        ("serial", "not concurrent and (long or slow)"),
        ("unit-fast", "not slow and (long or slow)"),
    ],
)
@pytest.mark.parametrize("given", [["-m", "long or slow"], ["-mlong or slow"]])
def test_marks_that_are_asked_for_narrow_those_of_the_gate(
    gate: str, expected: str, given: list[str]
) -> None:
    (found,) = chosen(gates(ROOT, Path("home"), TESTS, [*given, "-k", "tests"]), [gate])
    assert marked(found) == expected
    assert found.command[found.command.index("-k") + 1] == "tests"


def test_a_gate_that_is_named_runs_the_files_that_are_named() -> None:
    for name in [*OF_TESTS, *TESTS, "pytest"]:
        (gate,) = chosen(gates(ROOT, Path("home"), TESTS, ["tests/faults", "-x"]), [name])
        assert gate.command[-2:] == ["tests/faults", "-x"]


TELL = "import os; print(os.getpriority(os.PRIO_PROCESS, 0), flush=True)"


def test_a_gate_stands_back_as_far_as_it_is_told(tmp_path: Path) -> None:
    # The gate of this test stands back, too.
    own = os.getpriority(os.PRIO_PROCESS, 0)
    for nice in (0, 3):
        gate = Gate("some", [sys.executable, "-c", TELL], nice=nice)
        assert int(run_gate(gate, tmp_path, tmp_path / "log").output) == min(own + nice, 19)


def test_the_unit_tests_stand_back_behind_those_of_rust() -> None:
    found = {gate.name: gate for gate in gates(ROOT, Path("home"), TESTS, [])}
    unit, rust = found["unit"], found["rust-test"]
    assert unit.stage == rust.stage > found["rust-build"].stage
    assert unit.lane != rust.lane
    assert unit.nice > rust.nice == 0


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


def test_notes_for_the_next_compilation_are_made_from_the_second_on(tmp_path: Path) -> None:
    def incremental() -> list[str | None]:
        every = chosen(gates(ROOT, tmp_path, TESTS, []), ["rust"])
        return [gate.env.get("CARGO_INCREMENTAL") for gate in every if gate.env]

    assert incremental() == ["0"] * 3
    (tmp_path / "target" / "debug").mkdir(parents=True)
    assert incremental() == [None] * 3


def test_where_no_gate_ran_nothing_passed() -> None:
    assert not passed([])
    assert summary([], 0.0)[-1] == "failed: no gate ran (0 s)"


def test_a_misspelt_gate_is_refused() -> None:
    with pytest.raises(UserError, match="did you mean 'unit'"):
        split(["unti"], ROOT)


@pytest.mark.parametrize("arguments", [[], ["tests/faults"]])
def test_every_gate_of_tests_runs_once_more_what_failed(arguments: list[str]) -> None:
    every = chosen(gates(ROOT, Path("home"), TESTS, arguments), ["pytest"])
    assert [gate.name for gate in every] == (["pytest"] if arguments else OF_TESTS)
    assert all("--last-failed" in gate.again for gate in every)


@pytest.mark.parametrize("folder", [name for name in TESTS if name != "unit"])
def test_each_test_of_a_folder_runs_in_one_gate(folder: str) -> None:
    both = chosen(gates(ROOT, Path("home"), [folder], []), ["concurrent", "serial"])
    for gate, marks in zip(both, ["concurrent", "not concurrent"], strict=True):
        assert marked(gate) == marks
        paths = [argument for argument in gate.command if argument.startswith(str(ROOT / "tests"))]
        assert paths == [str(ROOT / "tests" / folder)]


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


def test_named_test_files_replace_the_folders() -> None:
    whole = gates(ROOT, Path("home"), ["unit"], [])[-1].command
    single = gates(ROOT, Path("home"), ["unit"], ["tests/unit/repository/test_gates.py"])[
        -1
    ].command
    assert str(ROOT / "tests" / "unit") in whole
    assert str(ROOT / "tests" / "unit") not in single


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
