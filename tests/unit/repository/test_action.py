"""`action.yml`: its scripts run as a runner would run them, with a stand-in for `webdyno`."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from support.action_steps import ACTION, ROOT, STEPS, step

HEADLINE = "B is slower than A by 4.6% [3.1, 6.2] in CPU per request."
WRITTEN = json.dumps({"outcome": "worse", "headline": HEADLINE.replace(" in ", "\nin ")})
PROGRAM = f"""#!/bin/bash
printf '[%s]' "$@" > "$RUNNER_TEMP/asked"
while [ $# -gt 0 ]; do
  case $1 in --markdown) echo answer > "$2" ;; --json) printf '%s' '{WRITTEN}' > "$2" ;; esac
  shift
done
exit 1
"""


def compared(
    folder: Path, program: str = PROGRAM, **inputs: str
) -> subprocess.CompletedProcess[str]:
    programs = folder / "webdyno" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").symlink_to(sys.executable)
    (programs / "webdyno").write_text(program)
    (programs / "webdyno").chmod(0o755)
    usual = {"A": "main", "B": "HEAD", "ARGUMENTS": "", "BUDGET": "", "MARGIN": ""}
    return step("Compare", folder, **usual | inputs)


def test_the_action_and_the_workflows_of_the_documents_can_be_read() -> None:
    made = yaml.safe_load(ACTION)
    assert {type(one["description"]) for one in made["inputs"].values()} == {str}
    assert [one.get("name") for one in made["runs"]["steps"]] == [
        None, "Key", None, None, "Install", None, None, "Compare", "Comment", "Result",
    ]  # fmt: skip
    blocks = [
        block
        for page in sorted((ROOT / "docs").glob("*.md"))
        for block in re.findall(r"```yaml\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    ]
    assert len(blocks) >= 3
    assert all(isinstance(yaml.safe_load(block), dict) for block in blocks)


def test_no_input_is_written_into_a_script() -> None:
    assert list(STEPS) == ["Key", "Install", "Compare", "Comment", "Result"]
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
    # An output is a line: a second one would be another output.
    assert output.endswith(f"\nexit-code=1\noutcome=worse\nheadline={HEADLINE}\n")
    assert (tmp_path / "summary").read_text() == "answer\n"


def test_a_quote_that_is_never_closed_fails_the_step(tmp_path: Path) -> None:
    made = compared(tmp_path, ARGUMENTS="--request 'GET /")
    assert made.returncode != 0
    assert "quote" in made.stderr
    assert made.stdout.startswith("::error::the input 'arguments' cannot be split into words")
    assert not (tmp_path / "asked").exists()
    told = (tmp_path / "summary").read_text()
    assert told.startswith(
        "### ❔ Nothing was compared\n\n    the input 'arguments' cannot be split"
    )


def test_where_nothing_is_compared_the_summary_says_why(tmp_path: Path) -> None:
    program = """#!/bin/bash
echo 'building A'
echo 'a warning' >&2
echo 'webdyno: A (`main`) could not be built' >&2
exit 2
"""
    made = compared(tmp_path, program)
    assert made.returncode == 0, made.stderr
    assert made.stdout == "building A\n"
    assert made.stderr == "a warning\nwebdyno: A (`main`) could not be built\n"
    assert (tmp_path / "output").read_text().endswith("\nexit-code=2\n")
    assert (tmp_path / "summary").read_text() == (
        "### ❔ Nothing was compared\n\n    webdyno: A (`main`) could not be built\n"
    )


@pytest.mark.parametrize(
    ("code", "unsettled", "exits", "told"),
    [
        ("0", "false", 0, ""),
        ("3", "false", 0, ""),
        ("3", "true", 3, HEADLINE),
        ("1", "false", 1, HEADLINE),
        ("", "false", 2, "nothing was compared; the log of the step Compare says why"),
    ],
)
def test_the_result_fails_on_worse_and_where_asked_on_not_settled(
    tmp_path: Path, code: str, unsettled: str, exits: int, told: str
) -> None:
    headline = HEADLINE if code else ""
    made = step("Result", tmp_path, CODE=code, UNSETTLED=unsettled, HEADLINE=headline)
    assert made.returncode == exits
    assert made.stdout == (f"::error::{told}\n" if told else "")
