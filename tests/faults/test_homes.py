"""Homes, disks and streams that are not as they should be: it works, or says why in one line."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.faults.fuzz import ROOT
from tests.faults.short_runs import by_server, run, study

from support.hello_server import write_hello_server
from support.services import postgresql
from webdyno.runtime.services.psql import Psql
from webdyno.store.store import Store

pytestmark = pytest.mark.concurrent

LIST = [sys.executable, "-m", "webdyno", "list", "runs"]


def environment(home: Path, **changes: str) -> dict[str, str]:
    return {**os.environ, "WEBDYNO_HOME": str(home), "PYTHONPATH": f"{ROOT}/src", **changes}


def webdyno(*command: str, env: dict[str, str], **options: Any) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "webdyno", *command]
    return subprocess.run(
        argv, env=env, capture_output=True, text=True, timeout=120, check=False, **options
    )


def one_line(text: str) -> str:
    assert len(text.splitlines()) == 1, text
    assert text.startswith("webdyno: ")
    return text


@pytest.fixture
def read_only(tmp_path: Path) -> Iterator[Path]:
    """A folder that nobody may write to; for root, who may write anywhere, a file system that is
    read-only, or a skipped test where none may be mounted."""
    place = tmp_path / "read-only"
    place.mkdir(mode=0o555)
    if os.geteuid() != 0:
        yield place
        return
    _mount(place, "ro")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def _mount(place: Path, options: str) -> None:
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("no file system may be mounted here")


def test_a_home_that_may_not_be_written_is_named(read_only: Path) -> None:
    for home in (read_only, read_only / "deep" / "home"):
        done = webdyno("list", "runs", env=environment(home))
        assert done.returncode == 2, done
        assert str(home) in one_line(done.stderr)


def test_no_home_is_needed(tmp_path: Path) -> None:
    kept = {key: os.environ[key] for key in ("PATH", "LD_LIBRARY_PATH") if key in os.environ}
    bare = {**kept, "PYTHONPATH": f"{ROOT}/src", "WEBDYNO_HOME": str(tmp_path / "home")}
    done = webdyno("list", "runs", env=bare)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_run_works_in_folders_of_any_name(tmp_path: Path) -> None:
    odd = tmp_path / "sp ace" / "ünï 'q'"
    odd.mkdir(parents=True)
    link = tmp_path / "link"
    link.symlink_to(odd, target_is_directory=True)
    content = link / "content"
    content.mkdir()
    write_hello_server(content, "plain")
    seen = by_server(run(study("python/plain"), content))
    assert seen["python/plain"].status == "ok", seen["python/plain"].reason


def test_a_database_works_in_a_folder_of_any_name(tmp_path: Path) -> None:
    odd = tmp_path / f"a,b 'c' {'l' * 100}"
    odd.mkdir()
    service = postgresql(odd, odd / "cache")
    try:
        assert Psql(service.env).rows("SELECT 1") == [["1"]]
    finally:
        service.stop()


def test_a_checkout_works_under_any_name_and_by_a_link(tmp_path: Path) -> None:
    odd = tmp_path / "sp ace ünï"
    odd.mkdir()
    for name in ("servers", "scenarios", "studies"):
        (odd / name).symlink_to(ROOT / name)
    shutil.copytree(
        ROOT / "src", odd / "src", symlinks=True, ignore=shutil.ignore_patterns("*.pyc")
    )
    shutil.copy(ROOT / "pyproject.toml", odd)
    link = tmp_path / "link"
    link.symlink_to(odd)
    env = environment(tmp_path / "home", PYTHONPATH=f"{link}/src")
    done = webdyno("list", "studies", env=env, cwd=link)
    assert (done.returncode, done.stderr) == (0, "")
    assert "quick" in done.stdout


def test_first_starts_at_the_same_time_do_not_trip_over_each_other(tmp_path: Path) -> None:
    env = environment(tmp_path / "home")
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    started = [subprocess.Popen(LIST, env=env, **pipes) for _ in range(4)]
    ended = [(process.communicate(timeout=120)[1], process.returncode) for process in started]
    assert ended == [("", 0)] * len(ended)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ('"$@" >&-', 0),
        ('"$@" >&- 2>&-', 0),
        ('"$@" <&- >&- 2>&-', 0),
        ('"$@" nonsense >&-', 2),
        ('set -o pipefail; "$@" | head -1 >/dev/null', None),
        ('set -o pipefail; "$@" | true', None),
    ],
)
def test_closed_streams_are_no_fault(tmp_path: Path, command: str, code: int | None) -> None:
    home = tmp_path / "home"
    argv = ["bash", "-c", command, "bash", sys.executable, "-m", "webdyno", "list"]
    done = subprocess.run(
        argv, env=environment(home), capture_output=True, text=True, timeout=120, check=False
    )
    # Rich ends with 1 where its reader has gone.
    assert done.returncode in ((0, 1, 141) if code is None else (code,)), done
    assert "Traceback" not in done.stderr
    assert "a bug in Webdyno" not in done.stderr
    if "2>&-" not in command and code == 2:
        one_line(done.stderr)
    assert not (home / "failures").exists()


def test_a_full_output_is_told_in_one_line(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            LIST, env=environment(tmp_path / "home"), stdout=full, stderr=subprocess.PIPE,
            text=True, timeout=120, check=False,
        )  # fmt: skip
    assert done.returncode == 74
    assert "the output's disk is full" in one_line(done.stderr)


def test_bytecode_that_was_cut_short_breaks_nothing(tmp_path: Path) -> None:
    env = environment(
        tmp_path / "home",
        PYTHONPYCACHEPREFIX=str(tmp_path / "cache"),
        PYTHONDONTWRITEBYTECODE="",
    )
    assert webdyno("list", "runs", env=env).returncode == 0
    # Those that Python itself reads before the first line of ours are not ours to mend.
    # By its whole path: the folder of a clone may be named webdyno, too.
    package = (ROOT / "src" / "webdyno").resolve()
    own = list((tmp_path / "cache").joinpath(*package.parts[1:]).rglob("*.pyc"))
    first = ("__init__", "__main__", "bytecode")
    # Nor does a later start read the migrations.
    own = [path for path in own if "migrations" not in path.parts]
    cut = [path for path in own if path.name.partition(".")[0] not in first]
    assert len(cut) > 10
    for path in cut:
        with path.open("r+b") as file:
            file.truncate(40)
    for _ in range(2):
        done = webdyno("list", "runs", env=env)
        assert (done.returncode, done.stderr) == (0, "")
    assert all(path.stat().st_size > 40 for path in cut)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 400 MB in memory; a skipped test where none may be mounted."""
    place = tmp_path / "disk"
    place.mkdir()
    _mount(place, "size=400m,mode=755")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


@pytest.mark.long
def test_a_disk_that_fills_up_keeps_what_was_stored_and_works_once_there_is_room(
    small_disk: Path, tmp_path: Path
) -> None:
    content = tmp_path / "content"
    write_hello_server(content, "one")
    file = tmp_path / "full.toml"
    file.write_text(
        'name = "full"\ntitle = "F"\nquestion = "F?"\nservers = ["python/one"]\n'
        'scenarios = ["hello"]\nbudget = "60s"\nsentinel = false\n'
        '[[loads]]\nkind = "closed"\nconnections = 2\nduration = "500ms"\n'
        '[warmup]\nmin = "200ms"\nmax = "200ms"\n[blocks]\nmin = 2\nmax = 2\n'
    )
    env = environment(small_disk / "home", TMPDIR=str(tmp_path))
    command = ("--content", str(content), "run", str(file), "--plain")
    argv = [sys.executable, "-m", "webdyno", *command]
    process = subprocess.Popen(
        argv, env=env, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    filler = small_disk / "filler"
    assert process.stderr is not None
    said: list[str] = []
    for line in process.stderr:
        said.append(line)
        if line.startswith("block 1, 1 of") and not filler.exists():
            _fill(filler)
    code = process.wait(120)
    assert code == 74, (code, said)
    assert f"{small_disk}" in said[-1]
    assert "no space left" in said[-1]
    assert "continue with --resume" in said[-1]
    assert not [line for line in said if "Traceback" in line]

    # Nothing works without room, and it says so.
    done = webdyno(*command, env=env)
    assert done.returncode in (2, 74), done
    one_line(done.stderr)

    filler.unlink()
    store = Store.open(small_disk / "home" / "webdyno.sqlite")
    kept = store.run("latest")
    assert len(kept.trials) >= 1
    store.close()
    done = webdyno(*command, "--resume", "latest", env=env)
    assert done.returncode == 0, done.stderr
    store = Store.open(small_disk / "home" / "webdyno.sqlite")
    again = store.run("latest")
    store.close()
    assert again.id == kept.id
    assert again.status == "finished"
    assert again.trials[: len(kept.trials)] == kept.trials
    assert len(again.trials) == 2


def _fill(path: Path) -> None:
    """Take all the room there is."""
    piece = bytes(1 << 20)
    try:
        with path.open("wb", buffering=0) as file:
            while True:
                if file.write(piece) < len(piece):
                    break
        with path.open("ab", buffering=0) as file:
            while file.write(b"0"):
                pass
    except OSError:
        return


def test_a_shared_folder_that_somebody_else_made_is_refused(tmp_path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can make a folder of somebody else")
    planted = tmp_path / f"webdyno-{os.geteuid()}"
    (planted / "cache").mkdir(parents=True)
    other = pwd.getpwnam("nobody")
    os.chown(planted, other.pw_uid, other.pw_gid)
    content = tmp_path / "content"
    write_hello_server(content, "one")
    env = environment(tmp_path / "home", TMPDIR=str(tmp_path))
    command = ("--content", str(content), "run", "hello", "--servers", "python/one", "--plain")
    done = webdyno(*command, env=env)
    assert done.returncode == 2, done
    assert f"{planted} belongs to another user" in one_line(done.stderr)
