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


GH = """#!/bin/bash
case "$*" in
  *--paginate*) printf '%s' "$FOUND" ;;
  *) file="${@: -1}"; { echo "$*"; cat "${file#body=@}"; } >> "$RUNNER_TEMP/sent" ;;
esac
"""


@pytest.mark.parametrize("answered", [True, False])
@pytest.mark.parametrize("found", ["", "7\n9"])
def test_a_comment_is_that_of_this_commit(tmp_path: Path, answered: bool, found: str) -> None:
    (tmp_path / "gh").write_text(GH)
    (tmp_path / "gh").chmod(0o755)
    if answered:
        (tmp_path / "answer.md").write_text("the answer\n")
    done = step(
        "Comment", tmp_path,
        PATH=f"{tmp_path}:{os.environ['PATH']}", FOUND=found, ANSWER=str(tmp_path / "answer.md"),
        MARK="<!-- mark -->", NUMBER="5", GITHUB_REPOSITORY="a/b", GITHUB_RUN_ID="3",
        GITHUB_SERVER_URL="https://github.example",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    if not answered and not found:
        assert not (tmp_path / "sent").exists()
        return
    sent, mark, *told = (tmp_path / "sent").read_text().splitlines()
    where = "-X PATCH repos/a/b/issues/comments/7 " if found else "repos/a/b/issues/5/comments "
    assert where in sent
    assert mark == "<!-- mark -->"
    job = "https://github.example/a/b/actions/runs/3"
    nothing = f"### ❔ Nothing was compared, as [the job]({job}) says"
    assert told == ["the answer" if answered else nothing]
