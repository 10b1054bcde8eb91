"""A gate of which a few tests failed runs them once more, one at a time, and says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gates.command import chosen
from gates.outcome import Outcome, run_gate
from gates.table import gates

ROOT = Path(__file__).resolve().parents[3]

TESTS_AGAIN = """
from pathlib import Path
import pytest

def test_sound():
    with Path("ran").open("a") as file:
        file.write("sound ")

@pytest.mark.parametrize("which", range(SPOILT))
def test_spoilt(which, worker_id):
    with Path("ran").open("a") as file:
        file.write("alone " if worker_id == "master" else "beside ")
    seen = Path(f"seen{which}")
    if BROKEN or not seen.exists():
        seen.touch()
        raise AssertionError("too noisy")

@pytest.fixture(scope="module")
def shared():
    seen = Path("shared")
    if not seen.exists():
        seen.touch()
        raise RuntimeError("not up")

@pytest.mark.parametrize("which", range(9))
def test_sharing(shared, which):
    pass
"""


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests within these make their folders elsewhere: pytest makes the one that it keeps all
    in private again, which the databases of tests beside this one may not enter then."""
    (tmp_path / "folders").mkdir()
    monkeypatch.setenv("PYTEST_DEBUG_TEMPROOT", str(tmp_path / "folders"))


def write_tests(folder: Path, spoilt: int, broken: bool = False) -> None:
    """A file of so many tests that fail at first, or each time."""
    text = TESTS_AGAIN.replace("SPOILT", str(spoilt)).replace("BROKEN", str(broken))
    (folder / "test_it.py").write_text(text)
    # A configuration of its own, in which the mark of the gate is known.
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = concurrent\naddopts = -ra\n")


def ran_again(folder: Path, spoilt: int, broken: bool = False) -> Outcome:
    """The gate `concurrent` on such a file."""
    write_tests(folder, spoilt, broken)
    (like,) = chosen(gates(ROOT, folder, ["faults"], []), ["concurrent"])
    command = [arg.replace(str(ROOT / "tests" / "faults"), "test_it.py") for arg in like.command]
    command[command.index("concurrent")] = "not concurrent"
    command.append("--numprocesses=1")
    return run_gate(replace(like, command=command), folder, folder / "log")


@pytest.mark.slow
def test_what_passes_when_it_is_run_again_alone_is_told(tmp_path: Path) -> None:
    ran = ran_again(tmp_path, 2)
    assert ran.ok, ran.output
    counted, again, *named = ran.summary_lines()
    assert "2 failed, 1 passed, 9 errors in" in counted
    assert "11 passed, 1 deselected in" in again
    assert len(named) == 11
    assert "passed when run again: test_it.py::test_spoilt[1] (AssertionError: too noisy)" in named
    assert "too noisy" in ran.output
    assert "too noisy" in (tmp_path / "log").read_text()
    words = sorted((tmp_path / "ran").read_text().split())
    assert words == ["alone", "alone", "beside", "beside", "sound"]


@pytest.mark.slow
def test_a_test_that_was_named_is_run_again_beside_others_that_passed(tmp_path: Path) -> None:
    write_tests(tmp_path, 1)
    for name in ("test_other.py", "test_third.py"):
        (tmp_path / name).write_text("def test_sound():\n    pass\n\ndef test_two():\n    pass\n")
    named = ["test_it.py::test_spoilt[0]", "test_it.py::test_sound", "test_other.py::test_sound"]
    (gate,) = chosen(gates(ROOT, tmp_path, [], [str(Path(__file__))]), ["pytest"])
    command = [arg for arg in gate.command if arg != str(Path(__file__))]
    ran = run_gate(
        replace(gate, command=[*command, *named, "test_third.py"]), tmp_path, tmp_path / "log"
    )
    assert ran.ok, ran.output
    assert ran.spoilt == ("test_it.py::test_spoilt[0] (AssertionError: too noisy)",)
    assert (tmp_path / "ran").read_text().split() == ["alone", "sound", "alone"]


@pytest.mark.slow
def test_what_fails_again_fails_the_gate(tmp_path: Path) -> None:
    ran = ran_again(tmp_path, 2, broken=True)
    assert not ran.ok
    assert ran.spoilt == ()
    assert "Run again" in ran.output


@pytest.mark.slow
def test_where_many_fail_none_is_run_again(tmp_path: Path) -> None:
    ran = ran_again(tmp_path, 6)
    assert not ran.ok
    assert "Run again" not in ran.output
