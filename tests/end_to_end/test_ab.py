"""`webdyno ab` as a user meets it: real services, real commits, exit codes, nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.command_line import webdyno
from support.git_folder import git
from support.output_schemas import validated

ROOT = Path(__file__).resolve().parents[2]
BOUND = ROOT / "tests" / "servers" / "python" / "bound" / "main.py"

DESCRIPTION = """
requests = ["GET /hello"]
margin = 0.10
[run]
command = "python3 main.py"
[load]
kinds = ["full"]
connections = 4
duration = "600ms"
[warmup]
min = "300ms"
max = "5s"
answers = 100
cpu = "200ms"
"""


@pytest.fixture
def service(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "main.py").write_text(BOUND.read_text())
    (folder / "webdyno.toml").write_text(DESCRIPTION)
    return folder


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "webdyno", "ab", *arguments],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=environment(folder),
    )  # fmt: skip


def environment(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "WEBDYNO_HOME": str(folder.parent / "home"),
        "PYTHONPATH": str(ROOT / "src"),
        "TMPDIR": str(folder.parent),
    }


def ab(folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = webdyno("ab", *arguments, cwd=folder, env=environment(folder), timeout_s=180)
    return done.returncode, done.stdout, done.stderr


def commit(folder: Path, message: str) -> None:
    for arguments in (("init", "-q", "-b", "main"), ("add", "-A"), ("commit", "-qm", message)):
        git(folder, *arguments)


def left_behind(folder: Path) -> list[str]:
    """Temporary files and processes of what ran there."""
    files = [str(path) for path in folder.parent.glob("webdyno-*/tmp/*/*")]
    ours = str(folder.parent).encode()
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if ours in (entry / "environ").read_bytes():
                files.append(entry.name)
        except OSError:
            continue
    return files


@pytest.mark.long
def test_more_work_is_seen_and_told_everywhere(service: Path) -> None:
    told, comment = service.parent / "ab.json", service.parent / "ab.md"
    code, out, err = ab(
        service, "--command", "python3 main.py", "--command", "BOUND=slower python3 main.py",
        "--budget", "120s", "--json", str(told), "--markdown", str(comment),
    )  # fmt: skip
    assert code == 1, out + err
    held = validated("ab", told.read_text())
    cpu = next(claim for claim in held["claims"] if claim["metric"] == "cpu_us_per_request")
    # `slower` hashes three pieces where the other hashes two.
    assert 0.2 < cpu["change"] < 0.7
    assert "B is slower than A by" in out
    assert "B is slower than A by" in comment.read_text()
    folder = service.parent / "home" / "runs" / held["run"]
    assert "shop" in (folder / "report.html").read_text()
    assert left_behind(service) == []


@pytest.mark.concurrent
@pytest.mark.long
def test_the_full_load_shows_the_rate_of_the_steady_one(service: Path) -> None:
    path = service / "webdyno.toml"
    text = path.read_text().replace('kinds = ["full"]\nconnections = 4', "connections = 16")
    path.write_text(text.replace('"600ms"', '"1s"\nsteady_duration = "300ms"'))
    told = service.parent / "ab.json"
    # Time enough for both loads, and three blocks are enough for what is asked.
    wide = ("--budget", "150s", "--margin", "0.5")
    code, out, err = ab(service, *wide, "--json", str(told))
    assert code in (0, 3), out + err
    folder = service.parent / "home" / "runs" / json.loads(told.read_text())["run"]
    run = json.loads((folder / "run.json").read_text())
    first = sorted(
        (trial for trial in run["trials"] if trial["block"] == 0), key=lambda one: one["started"]
    )
    assert [trial["load"] for trial in first] == ["full"] * 3 + ["steady"] * 3
    shown = {t["entry"]: t["throughput_rps"] for t in first[:3]}
    (scaling,) = run["scalings"]
    # Nothing else was started to find it out.
    assert scaling["carried_rps"] == {
        name: pytest.approx(shown[name], abs=0.1) for name in ("shop/a", "shop/b")
    }


@pytest.mark.concurrent
def test_a_commit_that_answers_wrongly_is_worse_at_once(service: Path) -> None:
    commit(service, "one")
    text = (service / "main.py").read_text()
    (service / "main.py").write_text(text.replace('b"200 OK"', 'b"500 Oh No"'))
    commit(service, "two")
    page = service.parent / "ab.html"
    code, out, err = ab(service, "HEAD~1", "HEAD", "--html", str(page))
    assert code == 1, out + err
    assert "B fails verification" in out
    assert "500" in out
    assert f"{page}: not written, since nothing was measured" in err
    assert not page.exists()
    # The other way round there is nothing to compare with.
    code, out, err = ab(service, "HEAD", "HEAD~1")
    assert code == 2, out + err
    assert "fails verification" in err
    assert left_behind(service) == []


@pytest.mark.concurrent
def test_a_service_may_write_to_a_copy_of_its_folder(service: Path) -> None:
    text = (service / "main.py").read_text()
    other = service.parent / "other"
    other.mkdir()
    writes = 'if __name__ == "__main__":\n    open("state", "x").close()\n'
    begins = 'if __name__ == "__main__":\n'
    (service / "main.py").write_text(text.replace(begins, writes))
    broken = text.replace(begins, writes).replace('b"200 OK"', 'b"500 Oh No"')
    (other / "main.py").write_text(broken)
    code, out, err = ab(service, ".", "../other")
    assert code == 2, out + err
    assert "Permission" in err
    (log,) = (service.parent / "home" / "failures").glob("*-ab-a.log")
    assert f"(its log: {log})" in err
    assert 'open("state", "x")' in log.read_text()
    # In a copy it may, and each trial finds the folder as it was built.
    code, out, err = ab(service, ".", "../other", "--writes")
    assert code == 1, out + err
    assert "B fails verification" in out
    assert not (service / "state").exists()


@pytest.mark.concurrent
def test_an_interrupt_leaves_nothing(service: Path) -> None:
    commit(service, "one")
    process = start(service, "HEAD", ".", "--budget", "60s", "--plain")
    assert process.stderr is not None
    for line in process.stderr:
        if "block" in line or "shop/" in line:
            break
    time.sleep(2.0)
    os.kill(process.pid, signal.SIGTERM)
    process.communicate(timeout=60)
    assert process.returncode == 130
    assert left_behind(service) == []
    assert not (service / ".git" / "worktrees").exists()


@pytest.mark.concurrent
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere", "HEAD"], "'nowhere' is neither a folder nor a commit"),
        ([".", ".", "--request", "hello"], "write it like"),
        (["--url", "http://192.0.2.1/", "--url", "http://localhost:1/"], "only services on this"),
        ([".", ".", "--build", "false"], "'false' exited with 1"),
    ],
)
def test_bad_input_is_one_line(service: Path, arguments: list[str], said: str) -> None:
    code, out, err = ab(service, *arguments)
    assert code == 2, out + err
    assert said in err.splitlines()[-1]
    assert "Traceback" not in err
