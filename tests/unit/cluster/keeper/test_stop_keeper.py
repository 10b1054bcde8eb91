"""What `webdyno machines stop` leaves behind: no secret of a cluster that was started here."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from webdyno.cluster.keeper.keeper import stop_keeper
from webdyno.cluster.machines import membership
from webdyno.cluster.machines.membership import Membership
from webdyno.cluster.wire import secret
from webdyno.runtime.proc import look_at

ADDRESS = "10.0.0.1"

KEEPER = """
import pathlib, signal, sys
def end(*_):
    pathlib.Path(sys.argv[1], "machines", "member.json").unlink()
    sys.exit()
signal.signal(signal.SIGTERM, end)
print("ready", flush=True)
signal.pause()
"""


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A secret where `machines start` writes it."""
    file = membership.secret_of(tmp_path)
    secret.make(file)
    return file


def stop(home: Path, secret_file: Path, head: str = ADDRESS) -> None:
    """Enter a cluster by a process that ends as a keeper does, and leave it."""
    process = subprocess.Popen(
        [sys.executable, "-c", KEEPER, str(home)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    # The kernel takes it away at once: here it is a child, of which a zombie would stay.
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        seen = look_at(process.pid)
        assert seen is not None
        member = Membership(
            ADDRESS, head, 7411, ("server",), str(secret_file), "", seen.pid, seen.started
        )
        membership.write(home, member)
        assert stop_keeper(home) == member
    finally:
        signal.signal(signal.SIGCHLD, before)
        process.stdout.close()
        if look_at(process.pid) is not None:
            os.kill(process.pid, signal.SIGKILL)


def test_the_secret_of_a_cluster_that_was_started_here_goes(kept: Path, tmp_path: Path) -> None:
    stop(tmp_path, kept)
    assert not kept.exists()


def test_a_secret_that_was_copied_here_stays(kept: Path, tmp_path: Path) -> None:
    stop(tmp_path, kept, head="10.0.0.2")
    assert kept.exists()


@pytest.mark.parametrize(("head", "stays"), [(ADDRESS, False), ("10.0.0.2", True)])
def test_after_a_keeper_that_was_killed_a_secret_goes_that_was_made_here(
    head: str, stays: bool, kept: Path, tmp_path: Path
) -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    killed = Membership(ADDRESS, head, 7411, ("server",), str(kept), "", process.pid, 1)
    membership.write(tmp_path, killed)
    assert stop_keeper(tmp_path) is None
    assert kept.exists() == stays


def test_where_no_cluster_was_nothing_goes(kept: Path, tmp_path: Path) -> None:
    assert stop_keeper(tmp_path) is None
    assert kept.exists()
