"""`action.yml`: its scripts run as a runner would run them, with a stand-in for `webdyno`."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

ACTION = (Path(__file__).resolve().parents[3] / "action.yml").read_text(encoding="utf-8")
STEPS = {
    name: textwrap.dedent(script)
    for name, script in re.findall(
        r"- name: (\w+)\n(?:      .*\n)*?      run: \|\n((?:        .*\n|\n)+)", ACTION
    )
}
PROGRAM = """#!/bin/bash
printf '[%s]' "$@" > "$RUNNER_TEMP/asked"
while [ $# -gt 0 ]; do
  case $1 in --markdown) echo answer > "$2" ;; --json) echo '{"outcome": "worse"}' > "$2" ;; esac
  shift
done
exit 1
"""


def step(name: str, folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    script = folder / "script.sh"
    script.write_text(STEPS[name])
    env = {
        "PATH": os.environ["PATH"],
        "RUNNER_TEMP": str(folder),
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
    }
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
    return subprocess.run(command, env=env | inputs, capture_output=True, text=True)


def compared(folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    programs = folder / "webdyno" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(sys.executable)
    (programs / "webdyno").write_text(PROGRAM)
    (programs / "webdyno").chmod(0o755)
    usual = {"A": "main", "B": "HEAD", "ARGUMENTS": "", "BUDGET": "", "MARGIN": ""}
    return step("Compare", folder, **usual | inputs)


def test_no_input_is_written_into_a_script() -> None:
    assert list(STEPS) == ["Install", "Compare", "Comment", "Result"]
    assert not [name for name, script in STEPS.items() if "${{" in script]


def test_arguments_are_words_and_never_commands(tmp_path: Path) -> None:
    made = compared(
        tmp_path, A="--help", ARGUMENTS="--request 'GET /a b'\n$(id) `id`;", BUDGET="10m"
    )
    assert made.returncode == 0, made.stderr
    asked = (tmp_path / "asked").read_text()
    assert asked.startswith("[ab][--plain][--request][GET /a b][$(id)][`id`;][--budget][10m]")
    assert asked.endswith("[--][--help][HEAD]")
    output = (tmp_path / "output").read_text()
    assert "exit-code=1\noutcome=worse\n" in output
    assert (tmp_path / "summary").read_text() == "answer\n"


def test_a_quote_that_is_never_closed_fails_the_step(tmp_path: Path) -> None:
    made = compared(tmp_path, ARGUMENTS="--request 'GET /")
    assert made.returncode != 0
    assert "quote" in made.stderr
    assert not (tmp_path / "asked").exists()


@pytest.mark.parametrize(
    ("code", "unsettled", "exits"),
    [("0", "false", 0), ("3", "false", 0), ("3", "true", 3), ("1", "false", 1), ("", "false", 2)],
)
def test_the_result_fails_on_worse_and_where_asked_on_not_settled(
    tmp_path: Path, code: str, unsettled: str, exits: int
) -> None:
    assert step("Result", tmp_path, CODE=code, UNSETTLED=unsettled).returncode == exits
