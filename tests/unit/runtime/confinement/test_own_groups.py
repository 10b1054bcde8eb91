"""Control groups beside other PID namespaces, in which our numbers name other processes or none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from webdyno.runtime.confinement import own_groups
from webdyno.runtime.confinement.own_groups import new_group, remove_leftovers

REMOVES = """
import threading, time
from pathlib import Path
from webdyno.runtime.confinement.own_groups import remove
threading.Thread(target=remove, args=(Path({group!r}),), daemon=True).start()
time.sleep(0.2)
print("alive")
"""
"""It tries for seconds to remove a group that is no group, and signals all the while."""


@pytest.mark.slow
def test_a_process_without_a_number_here_is_not_taken_for_our_own_group(tmp_path: Path) -> None:
    group = tmp_path / "group"
    group.mkdir()
    (group / "cgroup.procs").write_text("0\n")
    code = REMOVES.format(group=str(group))
    done = subprocess.run(
        [sys.executable, "-c", code],
        start_new_session=True,  # What it signals is its own group, not the tests'.
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr


def test_only_groups_of_our_own_namespace_are_left_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_groups, "parents_of", lambda _: [tmp_path])
    monkeypatch.setattr(own_groups, "_try_to_join", lambda _: None)
    monkeypatch.setattr(own_groups, "remove", Path.rmdir)
    alive = new_group(tmp_path, None, None)
    assert alive is not None
    own = alive.name.split("-")[3]
    assert own == str(os.stat("/proc/self/ns/pid").st_ino)
    gone = subprocess.Popen(["true"])
    gone.wait()
    ours = tmp_path / f"webdyno-{gone.pid}-1-{own}-0"
    others = tmp_path / f"webdyno-{gone.pid}-1-{int(own) + 1}-0"
    unknown = tmp_path / f"webdyno-{gone.pid}-1-0"
    for folder in (ours, others, unknown):
        folder.mkdir()
    assert remove_leftovers() == 1
    assert set(tmp_path.iterdir()) == {alive, others, unknown}
