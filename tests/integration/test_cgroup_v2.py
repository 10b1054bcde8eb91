"""Limits under version 2 of control groups, whatever this machine mounts: on a kernel of their own.

User-mode Linux (Debian's package `user-mode-linux`) is a kernel that runs as a process: it mounts
this machine's files, and version 2 alone, and runs the tests of the limits.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
KERNEL = shutil.which("linux.uml")
TESTS = "tests/integration/test_limits.py tests/integration/test_limited_trial.py"

INIT = f"""#!/bin/sh
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs tmpfs /tmp
mount -t cgroup2 none /sys/fs/cgroup
ip link set lo up
if [ "$GROUP" = session ]; then
    mkdir /sys/fs/cgroup/session
    echo $$ > /sys/fs/cgroup/session/cgroup.procs
fi
cd {ROOT}
{sys.executable} -m pytest -q -rs -p no:cacheprovider {TESTS}
echo "ended with $?, left: $(find /sys/fs/cgroup -name 'webdyno-*')."
echo o > /proc/sysrq-trigger
sleep 10
"""


@pytest.mark.skipif(KERNEL is None, reason="not installed: user-mode-linux")
@pytest.mark.parametrize("group", ["root", "session"])
def test_the_limits_hold_under_version_2(group: str, tmp_path: Path) -> None:
    assert KERNEL is not None
    init = tmp_path / "init"
    init.write_text(INIT)
    init.chmod(0o755)
    # Arguments that the kernel does not know become the environment of its first process.
    environment = {
        "GROUP": group,
        "HOME": "/tmp",
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(str(ROOT / folder) for folder in ("src", "tests")),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [
            KERNEL, "mem=1500M", "rootfstype=hostfs", "root=/dev/root", "rw", "quiet",
            f"uml_dir={tmp_path}", f"init={init}", "con=null", "con0=fd:0,fd:1",
            *(f"{name}={value}" for name, value in environment.items()),
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )  # fmt: skip
    assert "ended with 0, left: ." in done.stdout, done.stdout[-4000:]
    # Here no limit goes untested.
    assert " passed" in done.stdout
    assert "SKIPPED" not in done.stdout
