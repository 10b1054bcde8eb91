"""The comment that `action.yml` writes: one for each use, which later runs update."""

import os
import re
from pathlib import Path

import pytest

from support.action_steps import ACTION, step


def test_a_runner_without_gh_is_told_so(tmp_path: Path) -> None:
    bash = tmp_path / "bin" / "bash"
    bash.parent.mkdir()
    bash.symlink_to("/bin/bash")
    done = step("Comment", tmp_path, **USE, PATH=str(bash.parent), ANSWER="/answer.md")
    assert (done.returncode, done.stderr) == (0, "")
    assert "gh, which writes the comment, is not on this runner" in done.stdout


GH = """#!/bin/bash
case "$*" in
  *--paginate*) printf '%s' "$FOUND" ;;
  *) file="${@: -1}"; { echo "$GH_HOST $*"; cat "${file#body=@}"; } >> "$RUNNER_TEMP/sent" ;;
esac
"""


USE = {
    "FOLDER": "services/shop",
    "GITHUB_WORKFLOW_REF": "a/b/.github/workflows/speed.yml@refs/pull/5/merge",
    "GITHUB_JOB": "ab",
    "MATRIX": "null",
    "KEY": "__a_webdyno",
    "NUMBER": "5",
    "GH_TOKEN": "t",
    "GITHUB_REPOSITORY": "a/b",
    "GITHUB_RUN_ID": "3",
    "GITHUB_SERVER_URL": "https://github.example",
}


RUN = "https://github.example/a/b/actions/runs/3"


def commented(folder: Path, found: str = "", **inputs: str) -> list[str]:
    """What the step sends to GitHub, which knows the comments `found`: the request, and the lines
    of the comment."""
    (folder / "gh").write_text(GH)
    (folder / "gh").chmod(0o755)
    (folder / "sent").unlink(missing_ok=True)
    usual = {"PATH": f"{folder}:{os.environ['PATH']}", "FOUND": found}
    done = step("Comment", folder, **usual | USE | inputs)
    assert done.returncode == 0, done.stderr
    assert "notice" not in done.stdout
    sent = folder / "sent"
    return sent.read_text().splitlines() if sent.exists() else []


@pytest.mark.parametrize("answered", [True, False])
@pytest.mark.parametrize("found", ["", "7\n9"])
def test_a_comment_is_that_of_this_commit(tmp_path: Path, answered: bool, found: str) -> None:
    # As the folder's output is where the step before failed at once.
    answer = Path("/answer.md")
    if answered:
        answer = tmp_path / "answer.md"
        answer.write_text("the answer\n")
    made = commented(tmp_path, found, ANSWER=str(answer))
    if not answered and not found:
        assert made == []
        return
    sent, mark, *told = made
    where = "-X PATCH repos/a/b/issues/comments/7 " if found else "repos/a/b/issues/5/comments "
    assert sent.startswith(f"github.example api --silent {where}")
    assert mark.startswith("<!-- webdyno ab: services/shop ")
    nothing = f"### ❔ Nothing was compared, as [the job]({RUN}) says"
    of = f"<sub>Of [the job]({RUN}) `ab`</sub>"
    assert told == ["the answer" if answered else nothing, "", of]


def test_a_comment_that_may_not_be_written_says_where_the_answer_is(tmp_path: Path) -> None:
    (tmp_path / "gh").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "gh").chmod(0o755)
    answer = tmp_path / "answer.md"
    answer.write_text("the answer\n")
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = step("Comment", tmp_path, **USE, PATH=path, ANSWER=str(answer))
    assert done.returncode == 0, done.stderr
    (notice,) = done.stdout.splitlines()
    assert notice == (
        "::notice::the answer could not be written as a comment; read it in the job's summary, or "
        "give the job the permission pull-requests: write, which GitHub denies to pull requests of "
        "forks"
    )


def test_an_answer_of_an_earlier_commit_gives_way_where_a_step_fails() -> None:
    (condition,) = re.findall(r"- name: Comment\n(?:      #.*\n)*      if: (.*)\n", ACTION)
    assert "!cancelled()" in condition


def test_each_use_has_a_comment_of_its_own(tmp_path: Path) -> None:
    answer = tmp_path / "answer.md"
    answer.write_text("the answer\n")
    uses: list[dict[str, str]] = [
        {},
        {"FOLDER": "services/cart"},
        {"GITHUB_WORKFLOW_REF": "a/b/.github/workflows/nightly.yml@refs/pull/5/merge"},
        {"GITHUB_JOB": "p99"},
        {"KEY": "__a_webdyno_2"},
        {"KEY": "search"},
        {"MATRIX": '{\n  "node": 24\n}'},
        {"MATRIX": '{\n  "node": 26\n}'},
    ]
    made = [commented(tmp_path, ANSWER=str(answer), **use) for use in uses]
    marks = [lines[1] for lines in made]
    assert len(set(marks)) == len(uses)
    assert all(re.fullmatch(r"<!-- webdyno ab: \S+ [0-9a-f]{12} -->", mark) for mark in marks)
    # The next run of the same use finds its own.
    assert [commented(tmp_path, ANSWER=str(answer), **use)[1] for use in uses] == marks
    # Readers tell them apart as well.
    told = [lines[-1].partition("`")[2].partition("`")[0] for lines in made]
    assert told == ["ab", "ab", "ab", "p99", "ab", "ab search", 'ab { "node": 24 }',
                    'ab { "node": 26 }']  # fmt: skip


def test_a_long_matrix_is_cut(tmp_path: Path) -> None:
    answer = tmp_path / "answer.md"
    answer.write_text("the answer\n")
    lines = commented(tmp_path, ANSWER=str(answer), MATRIX=f'{{"image": "{"x" * 3000}"}}')
    told = lines[-1].partition("`")[2].partition("`")[0]
    assert told.startswith('ab {"image": "xxx')
    assert told.endswith("x…")
    assert len("\n".join(lines)) < 1000
