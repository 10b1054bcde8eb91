"""`action.yml`: its scripts run as a runner would run them, with a stand-in for `webdyno`."""

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[3]
ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
STEPS = {
    name: textwrap.dedent(script)
    for name, script in re.findall(
        r"- name: (\w+)\n(?:      .*\n)*?      run: \|\n((?:        .*\n|\n)+)", ACTION
    )
}
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


def program(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}")
    path.chmod(0o755)


def test_another_system_than_linux_is_refused(tmp_path: Path) -> None:
    program(tmp_path / "uname", "echo Darwin\n")
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = step("Key", tmp_path, PATH=path, GITHUB_ACTION_PATH=str(tmp_path))
    said = "::error::Webdyno runs on Linux only; let the job run on ubuntu-latest\n"
    assert (done.returncode, done.stdout) == (2, said)


SOURCES = (
    "engine/src/lib.rs", "src/webdyno/a.py", "scenarios/a/scenario.toml", "servers/a/server.toml",
    "studies/a.toml", "pyproject.toml", "README.md", "LICENSE",
)  # fmt: skip


def keyed(folder: Path, sources: Path, **inputs: str) -> dict[str, str]:
    (folder / "output").unlink(missing_ok=True)
    usual = {"GITHUB_ACTION_PATH": str(sources), "PYTHON_VERSION": "3.12.4"}
    done = step("Key", folder, **usual | inputs)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    return dict(line.split("=", 1) for line in (folder / "output").read_text().splitlines())


def test_a_wheel_is_kept_by_what_it_is_made_of_and_for_its_system(tmp_path: Path) -> None:
    sources = tmp_path / "webdyno-1"
    for name in (*SOURCES, "docs/a.md", "requirements.lock"):
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        (sources / name).write_text("")
    first = keyed(tmp_path, sources)
    assert first["folder"] == f"{tmp_path}/webdyno-wheel-{first['key'][-32:]}"
    machine = os.uname().machine
    assert re.fullmatch(rf"webdyno-[\w.-]+-{machine}-[\w.-]+-[0-9a-f]{{32}}", first["key"])
    (sources / "docs/a.md").write_text("A page is not in it.")
    (tmp_path / "elsewhere").mkdir()
    assert keyed(tmp_path, sources.rename(tmp_path / "elsewhere/a")) == first
    sources = tmp_path / "elsewhere/a"
    program(tmp_path / "getconf", "echo glibc 2.17\n")
    old = keyed(tmp_path, sources, PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert "-glibc-2.17-" in old["key"]
    keys = {first["key"], old["key"]}
    for name in SOURCES:
        (sources / name).write_text("other")
        keys.add(keyed(tmp_path, sources)["key"])
    assert len(keys) == 2 + len(SOURCES)


def test_packages_are_kept_by_their_lock_file_and_for_a_python(tmp_path: Path) -> None:
    sources = tmp_path / "webdyno-1"
    for name in (*SOURCES, "requirements.lock"):
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        (sources / name).write_text("")
    first = keyed(tmp_path, sources)
    digest = first["packages-key"][-32:]
    assert first["packages-key"].endswith(f"-python-3.12.4-{digest}")
    assert first["packages-folder"] == f"{tmp_path}/webdyno-packages-{digest}"
    (sources / "src/webdyno/a.py").write_text("other")
    assert keyed(tmp_path, sources)["packages-key"] == first["packages-key"]
    newer = keyed(tmp_path, sources, PYTHON_VERSION="3.13.0")["packages-key"]
    (sources / "requirements.lock").write_text("other")
    locked = keyed(tmp_path, sources)
    assert len({first["packages-key"], newer, locked["packages-key"]}) == 3
    # Of the wheel, whose sources it is not, it changes nothing.
    assert locked["packages-folder"] != first["packages-folder"]


def test_what_is_restored_is_what_was_saved_before_anything_else_ran() -> None:
    steps = yaml.safe_load(ACTION)["runs"]["steps"]
    *restored, install, wheel, packages, compare = steps[2:8]
    assert (install["name"], compare["name"]) == ("Install", "Compare")
    for restore, save, variable, output in zip(
        restored, (wheel, packages), ("WHEEL", "PACKAGES"), ("folder", "packages-folder"),
        strict=True,
    ):  # fmt: skip
        assert (restore["uses"], save["uses"]) == (
            "actions/cache/restore@v4", "actions/cache/save@v4",
        )  # fmt: skip
        assert restore["with"] == save["with"]
        kept = f"${{{{ steps.wheel.outputs.{output} }}}}"
        assert install["env"][variable] == save["with"]["path"] == kept
        assert save["if"] == f"steps.{restore['id']}.outputs.cache-hit != 'true'"


PIP = """case "$*" in *%s*) exit 1 ;; esac
echo "$*$RUSTFLAGS" >> "$RUNNER_TEMP/asked"
case "$*" in wheel*) mkdir -p "$WHEEL" && touch "$WHEEL/webdyno-1.whl" ;; esac
"""


def installed(folder: Path, fails_at: str = "nothing") -> subprocess.CompletedProcess[str]:
    program(folder / "pip", PIP % fails_at)
    program(folder / "py", f"mkdir -p $3/bin && cp {folder}/pip $3/bin/pip\n")
    inputs = {
        "PYTHON": str(folder / "py"), "GITHUB_ACTION_PATH": "/a", "WHEEL": str(folder / "kept"),
        "PACKAGES": "/packages", "RUSTFLAGS": " -Ctarget-cpu=native",
    }  # fmt: skip
    return step("Install", folder, **inputs)


@pytest.mark.parametrize("fails_at", ["--require-hashes", "wheel*/a", "install*.whl", ""])
def test_what_an_installation_needs_is_told(tmp_path: Path, fails_at: str) -> None:
    done = installed(tmp_path, fails_at or "nothing")
    said = "::error::Webdyno could not be installed" if fails_at else ""
    assert done.stdout.startswith(said), done.stderr
    assert (done.returncode, bool(done.stdout)) == ((2, True) if said else (0, False))


def test_a_wheel_that_was_kept_is_not_built_again(tmp_path: Path) -> None:
    for builds in (True, False):
        (tmp_path / "asked").unlink(missing_ok=True)
        assert installed(tmp_path).returncode == 0
        asked = (tmp_path / "asked").read_text().splitlines()
        assert any(line.startswith("wheel --no-deps") for line in asked) == builds
        assert asked[-1].startswith(f"install --no-deps {tmp_path}/kept/webdyno-1.whl ")
        assert not any("native" in line for line in asked)
        locked = "install --cache-dir /packages --require-hashes -r /a/requirements.lock"
        assert asked[0].startswith(locked)


def test_a_runner_without_gh_is_told_so(tmp_path: Path) -> None:
    bash = tmp_path / "bin" / "bash"
    bash.parent.mkdir()
    bash.symlink_to("/bin/bash")
    done = step("Comment", tmp_path, **USE, PATH=str(bash.parent), ANSWER="/answer.md")
    assert (done.returncode, done.stderr) == (0, "")
    assert "gh, which writes the comment, is not on this runner" in done.stdout


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
    assert not (tmp_path / "asked").exists()


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
