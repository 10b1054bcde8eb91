"""`webdyno test`: which gates run, and what is told of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gates.command import chosen, split
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
    assert "\ngo_on ./webdyno test\n" in script
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


def test_the_unit_tests_stand_back_behind_those_of_rust() -> None:
    found = {gate.name: gate for gate in gates(ROOT, Path("home"), TESTS, [])}
    unit, rust = found["unit"], found["rust-test"]
    assert unit.stage == rust.stage > found["rust-build"].stage
    assert unit.lane != rust.lane
    assert unit.nice > rust.nice == 0


def test_notes_for_the_next_compilation_are_made_from_the_second_on(tmp_path: Path) -> None:
    def incremental() -> list[str | None]:
        every = chosen(gates(ROOT, tmp_path, TESTS, []), ["rust"])
        return [gate.env.get("CARGO_INCREMENTAL") for gate in every if gate.env]

    assert incremental() == ["0"] * 3
    (tmp_path / "target" / "debug").mkdir(parents=True)
    assert incremental() == [None] * 3


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


def test_named_test_files_replace_the_folders() -> None:
    whole = gates(ROOT, Path("home"), ["unit"], [])[-1].command
    single = gates(ROOT, Path("home"), ["unit"], ["tests/unit/repository/test_gates.py"])[
        -1
    ].command
    assert str(ROOT / "tests" / "unit") in whole
    assert str(ROOT / "tests" / "unit") not in single
