"""Nothing is left behind: real processes, real signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from webdyno.runtime.processes.private_folder import private_folder

pytestmark = pytest.mark.concurrent

PROGRAM = """
import os, subprocess, sys, time
from pathlib import Path
from webdyno.runtime.processes.private_folder import private_folder
from webdyno.runtime.processes.supervision import supervised

def main() -> int:
    folder = private_folder(Path(sys.argv[1]))
    (folder / "data").write_text("x")
    child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
    # A daemon: forks away from its parent, in a session of its own.
    subprocess.run(["sh", "-c", "setsid sleep 1001 >/dev/null 2>&1 &"])
    print(os.getpid(), child.pid, flush=True)
    if sys.argv[2] == "return":
        return 7
    time.sleep(1000)
    return 0

sys.exit(supervised(main, Path(sys.argv[1])))
"""


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def sleepers(marker: str) -> list[int]:
    """Pids of `sleep` processes started with this test's marker in their environment."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                environment = Path(f"/proc/{name}/environ").read_bytes()
                command = Path(f"/proc/{name}/comm").read_text().strip()
            except OSError:
                continue
            if command == "sleep" and marker.encode() in environment:
                found.append(int(name))
    return found


def eventually(condition: object, within_s: float = 30.0) -> bool:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if condition():  # type: ignore[operator]
            return True
        time.sleep(0.02)
    return False


def launch(tmp_path: Path, mode: str) -> tuple[subprocess.Popen[str], int, int, str]:
    marker = f"WEBDYNO_TEST_MARKER={tmp_path}"
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    process = subprocess.Popen(
        [sys.executable, str(program), str(tmp_path / "tmp"), mode],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "WEBDYNO_TEST_MARKER": str(tmp_path)},
        start_new_session=True,  # A signal to its group is not for us.
    )
    assert process.stdout is not None
    inner, child = map(int, process.stdout.readline().split())
    assert eventually(lambda: len(sleepers(marker)) == 2 or mode == "return")
    return process, inner, child, marker


@pytest.mark.parametrize(
    ("victim", "number"),
    [
        ("inner", signal.SIGKILL),
        ("inner", signal.SIGTERM),
        ("outer", signal.SIGKILL),
        ("outer", signal.SIGTERM),
        ("outer", signal.SIGINT),
        ("outer", signal.SIGQUIT),
        ("inner", signal.SIGQUIT),
        ("both", signal.SIGINT),
        ("outer's group", signal.SIGKILL),
        ("inner's group", signal.SIGKILL),
    ],
)
def test_whatever_is_killed_nothing_is_left(
    tmp_path: Path, victim: str, number: signal.Signals
) -> None:
    process, inner, _child, marker = launch(tmp_path, "wait")
    pids = {"inner": [inner], "outer": [process.pid], "both": [inner, process.pid]}
    for pid in pids.get(victim, []):
        os.kill(pid, number)
    if victim.endswith("group"):
        os.killpg(inner if victim.startswith("inner") else process.pid, number)
    process.wait(60)
    assert eventually(lambda: not alive(inner))
    assert eventually(lambda: not sleepers(marker)), "processes were left behind"
    assert eventually(lambda: not (tmp_path / "tmp" / str(inner)).exists()), (
        "files were left behind"
    )


PLANTED = """
import subprocess, sys
from pathlib import Path
from webdyno.runtime.processes.process import ManagedProcess
from webdyno.runtime.processes.private_folder import private_folder

folder = private_folder(Path(sys.argv[1]))
log = folder / "log"
process = ManagedProcess.start(["sleep", "1000"], name="it", cwd=folder, env={}, log=log)
print(process.pid, flush=True)
sys.stdin.read()
"""


def test_what_is_left_where_everybody_is_killed_at_once_is_ended_by_the_next_start(
    tmp_path: Path,
) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PLANTED, str(tmp_path / "tmp")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as lab:
        assert lab.stdout is not None
        left = int(lab.stdout.readline())
        lab.kill()
    assert alive(left)
    private_folder(tmp_path / "tmp")
    assert eventually(lambda: not alive(left))
    assert not (tmp_path / "tmp" / str(lab.pid)).exists()


def test_what_an_earlier_process_of_the_same_id_left_is_no_part_of_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webdyno.runtime.processes.private_folder._own_folder", [])
    earlier = tmp_path / "tmp" / str(os.getpid())
    (earlier / "trial-0").mkdir(parents=True)
    own = private_folder(tmp_path / "tmp")
    assert own == earlier
    assert not list(own.iterdir())
    (own / "mine").touch()
    private_folder(tmp_path / "other")
    private_folder(tmp_path / "tmp")
    assert [path.name for path in own.iterdir()] == ["mine"]


def test_the_exit_code_is_the_programs_own(tmp_path: Path) -> None:
    process, inner, _child, marker = launch(tmp_path, "return")
    assert process.wait(60) == 7
    assert not sleepers(marker)
    assert not (tmp_path / "tmp" / str(inner)).exists()


def test_a_killed_program_is_told_by_its_exit_code(tmp_path: Path) -> None:
    process, inner, _child, _marker = launch(tmp_path, "wait")
    os.kill(inner, signal.SIGKILL)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGKILL
    assert "ended by SIGKILL" in said
