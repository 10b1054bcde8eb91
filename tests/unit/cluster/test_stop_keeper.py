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


def stop(home: Path, secret_file: Path) -> None:
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
            "10.0.0.1", "10.0.0.1", 7411, ("server",), str(secret_file), "", seen.pid, seen.started
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


def test_a_secret_that_was_copied_here_stays(tmp_path: Path) -> None:
    copied = tmp_path / "copied"
    secret.make(copied)
    stop(tmp_path, copied)
    assert copied.exists()


def test_the_secret_of_a_keeper_that_was_killed_goes(kept: Path, tmp_path: Path) -> None:
    assert stop_keeper(tmp_path) is None
    assert not kept.exists()
