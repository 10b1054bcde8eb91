"""What programs use is measured from outside."""

import os
import sys

import pytest

from webdyno.runtime.processes.pinned import Failed, run

CPU = {min(os.sched_getaffinity(0))}


def test_cpu_time_and_memory_are_the_program_s_own() -> None:
    body = "x = bytearray(64 << 20)\nimport time; time.sleep(0.4)\nprint(len(x))"
    ended = run([sys.executable, "-c", body], CPU)
    assert ended.stdout.strip() == str(64 << 20)
    assert 64 << 20 < ended.peak_bytes < 128 << 20
    assert 0 < ended.cpu_s < 0.4


def test_a_failure_tells_its_last_line() -> None:
    with pytest.raises(Failed, match=r"exit 3: \['no such port'\]"):
        run(
            [
                sys.executable,
                "-c",
                "import sys; print('no such port', file=sys.stderr); sys.exit(3)",
            ],
            CPU,
        )


def test_a_program_that_does_not_end_is_killed() -> None:
    with pytest.raises(Failed, match="exit -9"):
        run([sys.executable, "-c", "import time; time.sleep(60)"], CPU, limit_s=0.5)
