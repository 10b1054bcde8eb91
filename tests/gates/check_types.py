"""Type checks with a process a core, or with none: mypy waits three seconds for its own processes,
and a busy machine may need longer to start them. Once they run, they leave the cores to others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

NOT_STARTED = "Failed to establish connection with worker"

STARTED_S = 6.0
"""By then mypy has its processes or waits for them no more: it takes a moment to come to that."""

LAST = 19
"""The lowest priority that shares the cores at all: tests beside this look at the clock."""


def main(arguments: list[str]) -> int:
    """Run mypy; gives its exit code."""
    mypy = [sys.executable, "-m", "mypy", *arguments]
    code, output = _with_processes([*mypy, "--num-workers=auto"])
    if NOT_STARTED in output:
        print("mypy's processes did not start in time; once more in one process", flush=True)
        os.setpriority(os.PRIO_PROCESS, 0, LAST)
        return subprocess.run(mypy).returncode
    sys.stdout.write(output)
    return code


def _with_processes(command: list[str]) -> tuple[int, str]:
    """Run `command`, whose processes come last once they are there; gives its exit code and what
    it printed."""
    # In a group of its own, whose priority is set for all of them at once.
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, process_group=0) as running:
        try:
            try:
                output, _ = running.communicate(timeout=STARTED_S)
            except subprocess.TimeoutExpired:
                os.setpriority(os.PRIO_PGRP, running.pid, LAST)
                output, _ = running.communicate()
        except BaseException:  # The terminal interrupts its own group alone.
            os.killpg(running.pid, signal.SIGKILL)
            raise
    return running.returncode, output


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
