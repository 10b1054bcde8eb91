"""Without the extra one line says how to get it; without a cluster, how to start one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[3] / "src"
HIDDEN = "import sys; sys.modules['ray'] = None; "

pytestmark = pytest.mark.slow


def webdyno(home: Path, *arguments: str, before: str = "") -> subprocess.CompletedProcess[str]:
    code = f"import sys; {before}from webdyno.cli.main import main; sys.exit(main(sys.argv[1:]))"
    environment = {**os.environ, "WEBDYNO_HOME": str(home), "PYTHONPATH": str(SRC)}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environment,
        cwd=home,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["machines"],
        ["machines", "start", "--address", "10.0.0.1"],
        ["machines", "join", "10.0.0.1"],
        ["hit", "http://10.0.0.1/", "--agents", "2"],
    ],
)
def test_one_line_says_how_to_get_it(tmp_path: Path, arguments: list[str]) -> None:
    done = webdyno(tmp_path, *arguments, before=HIDDEN)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "pip install 'webdyno[cluster]'" in line


def test_a_machine_in_no_cluster_has_none_to_stop(tmp_path: Path) -> None:
    done = webdyno(tmp_path, "machines", "stop")
    assert (done.returncode, done.stdout) == (0, "this machine is not in a cluster\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["hit", "http://127.0.0.1:1/", "--agents", "9", "-c", "4"], "at least -c 9"),
        (["hit", "http://127.0.0.1:1/", "http://127.0.0.1:2/", "--agents", "2"], "single URL"),
        (["hit", "http://127.0.0.1:1/", "--agents", "2", "--cpus", "0"], "--cpus"),
        (["hit", "http://127.0.0.1:1/", "--agents", "2", "--record", "x"], "--record"),
    ],
)
def test_what_agents_cannot_do_is_refused(tmp_path: Path, arguments: list[str], said: str) -> None:
    done = webdyno(tmp_path, *arguments)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert said in line
