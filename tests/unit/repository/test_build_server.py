"""What `.ci/run` does with steps that fail, are ended from outside, or would take too long."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[3] / ".ci" / "run"
FUNCTIONS = ("step", "go_on", "in_time")


def ended(*lines: str, slower: int = 100) -> subprocess.CompletedProcess[str]:
    """What becomes of `lines` with the script's functions, 100 s before its end."""
    text = SCRIPT.read_text(encoding="utf-8")
    found = [re.search(rf"^{name}\(\) {{\n.*?^}}$", text, re.M | re.S) for name in FUNCTIONS]
    functions = [one[0] for one in found if one is not None]
    assert len(functions) == len(FUNCTIONS)
    begin = f"set -euo pipefail; gates=0 most=100 slower={slower}; left_out=()"
    program = "\n".join([begin, *functions, *lines])
    return subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False)


def test_a_failure_is_kept_and_what_follows_runs() -> None:
    done = ended("in_time 1 one bash -c 'exit 3'", "in_time 1 two echo done", "echo is $gates")
    assert done.returncode == 0
    assert done.stdout.split()[-3:] == ["done", "is", "3"]


def test_nothing_follows_what_a_signal_ended() -> None:
    done = ended("go_on bash -c 'kill -TERM $$'", "echo goes on")
    assert done.returncode == 128 + 15
    assert "goes on" not in done.stdout


def test_a_step_that_a_slow_machine_has_no_time_for_is_left_out() -> None:
    step = 'in_time 60 "the cheats" echo run'
    assert ended(step).stdout.endswith("run\n")
    done = ended(step, 'echo "${left_out[@]}"', slower=200)
    assert "left out: it may take 120 s, and this machine has 100 s left of 100" in done.stdout
    assert done.stdout.endswith("\nthe cheats\n")
