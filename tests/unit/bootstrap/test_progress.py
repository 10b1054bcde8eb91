"""Steps of the setup: run together, logged, stopped at the first failure."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from progress import Step, StepFailed, run_together


def step(folder: Path, title: str, *codes: str) -> Step:
    commands = [[sys.executable, "-S", "-c", code] for code in codes]
    done = (folder / f"{title}.done").touch
    return Step(title, commands, folder, os.environ, folder / f"{title}.log", done)


def test_a_steps_commands_run_in_order_in_its_folder_and_are_logged(tmp_path: Path) -> None:
    write = "import os; open('trace', 'a').write('{0}'); print('did {0}', os.getcwd())"
    run_together([step(tmp_path, "first", write.format("a"), write.format("b"))])
    assert (tmp_path / "trace").read_text() == "ab"
    log = (tmp_path / "first.log").read_text()
    assert f"did a {tmp_path}" in log
    assert f"did b {tmp_path}" in log
    assert (tmp_path / "first.done").exists()


def test_finished_steps_are_told_with_their_seconds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_together([step(tmp_path, "one", "pass"), step(tmp_path, "two", "pass")])
    lines = sorted(capsys.readouterr().err.splitlines())
    assert [line.partition(" (")[0] for line in lines] == ["✓ one", "✓ two"]
    assert all(line.endswith(" s)") for line in lines)


def test_steps_run_side_by_side(tmp_path: Path) -> None:
    """Each waits for the other's sign of life: one after the other they would never end."""
    wait = (
        "import pathlib, time; pathlib.Path('{0}').touch()\n"
        "end = time.monotonic() + 20\n"
        "while not pathlib.Path('{1}').exists():\n"
        "    assert time.monotonic() < end; time.sleep(0.01)"
    )
    run_together(
        [step(tmp_path, "l", wait.format("l", "r")), step(tmp_path, "r", wait.format("r", "l"))]
    )


def test_a_failure_tells_the_end_of_the_output_and_stops_the_others(tmp_path: Path) -> None:
    slow = (
        "import os, time; open('x', 'w').write(str(os.getpid()))\n"
        "os.rename('x', 'pid'); time.sleep(60)"
    )
    fail = (
        "import pathlib, sys, time\n"
        "while not pathlib.Path('pid').exists(): time.sleep(0.01)\n"
        "print('reason'); sys.exit(7)"
    )
    started = time.monotonic()
    with pytest.raises(StepFailed, match=r"^bad failed: python\S* exited with code 7$") as failure:
        run_together([step(tmp_path, "slow", slow), step(tmp_path, "bad", fail)])
    assert failure.value.tail[-1] == "reason"
    assert time.monotonic() - started < 30
    assert not Path(f"/proc/{(tmp_path / 'pid').read_text()}").exists()


def test_what_follows_a_failed_command_is_not_run(tmp_path: Path) -> None:
    with pytest.raises(StepFailed):
        run_together([step(tmp_path, "x", "import sys; sys.exit(1)", "open('ran', 'w')")])
    assert not (tmp_path / "ran").exists()
    assert not (tmp_path / "x.done").exists()


def test_what_follows_a_step_begins_when_it_has_succeeded(tmp_path: Path) -> None:
    first = step(tmp_path, "first", "open('made', 'w')")
    first.then = lambda: step(tmp_path, "second", "open('made').close(); open('both', 'w')")
    run_together([first, step(tmp_path, "beside", "pass")])
    assert (tmp_path / "both").exists()


def test_nothing_follows_a_step_that_failed(tmp_path: Path) -> None:
    first = step(tmp_path, "first", "import sys; sys.exit(1)")
    first.then = lambda: step(tmp_path, "second", "open('ran', 'w')")
    with pytest.raises(StepFailed):
        run_together([first])
    assert not (tmp_path / "ran").exists()
