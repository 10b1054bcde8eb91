"""What a trial's protection costs: `python -m benchmarks.protection [BUILD]`.

Starts a program that ends at once, plainly and as servers are started: control group, sandbox, a
folder of its own, which is measured and removed. Prints the median of each in milliseconds. BUILD
is the folder of a build, whose seal is checked: at the beginning and the end of a run where
Landlock holds, before each trial elsewhere.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from webdyno.runtime.builds.seal import seal_of
from webdyno.runtime.confinement.confine import Confinement
from webdyno.runtime.confinement.protection import landlock_holds
from webdyno.runtime.confinement.sandbox import sandbox_of
from webdyno.runtime.processes.process import ManagedProcess, plain_environment
from webdyno.runtime.trees import hand_over, size_below

ROUNDS = 40
PROGRAM = "/bin/true"


def plain(folder: Path) -> None:
    """As any program is started."""
    process = ManagedProcess.start(
        [PROGRAM], name="plain", cwd=folder, env=plain_environment(), log=folder / "log"
    )
    process.wait(10)
    process.stop()


def protected(folder: Path) -> None:
    """As a server is."""
    own, log = folder / "own", folder / "log"
    (own / "tmp").mkdir(parents=True)
    log.touch()
    sandbox = sandbox_of(folder, hidden=[Path.home()], own=[own], log=log, programs=[PROGRAM])
    for path in (own, log):
        hand_over(path, sandbox.user)
    confinement = Confinement.open()
    try:
        process = ManagedProcess.start(
            [PROGRAM], name="protected", cwd=folder, env={**plain_environment(), "TOKEN": "x"},
            log=log, confinement=confinement, sandbox=sandbox, token=("TOKEN", "x"),
        )  # fmt: skip
        process.wait(10)
        process.stop()
        process.left_behind()
        process.end_all()
    finally:
        confinement.close()
    size_below(own)
    shutil.rmtree(own)


def median_ms(work: Callable[[], object]) -> float:
    """Of `ROUNDS` rounds."""
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        taken.append(1000 * (time.perf_counter() - began))
    return statistics.median(taken)


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        before, after = median_ms(lambda: plain(folder)), median_ms(lambda: protected(folder))
    who = "root" if os.geteuid() == 0 else "an ordinary user"
    print(f"as {who}: started plainly {before:.1f} ms, protected {after:.1f} ms")
    print(f"protection: {after - before:.1f} ms a trial")
    for build in sys.argv[1:]:
        taken = median_ms(partial(seal_of, Path(build)))
        when = "twice a run" if landlock_holds() else "each trial"
        print(f"seal of {Path(build).name}: {taken:.1f} ms, {when}")


if __name__ == "__main__":
    main()
