"""Who hides what it holds, of real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from webdyno.trial.watching import hidden_processes
from webdyno.trial.watching.watch import NOT_RANKED

PR_SET_DUMPABLE = 4
PROGRAM = """
import ctypes, os, time
os.geteuid() or os.setuid(65534)  # Which hides it, too.
ctypes.CDLL(None).prctl({}, {})
print(flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("hides", [True, False])
def test_a_process_that_may_not_be_looked_into_hides_or_is_another_s(
    hides: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = [sys.executable, "-c", PROGRAM.format(PR_SET_DUMPABLE, int(not hides))]
    with subprocess.Popen(asked, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            if os.geteuid() == 0:
                assert hidden_processes.first_hidden_process([process.pid]) is None  # Root sees it.
            # As for a user who is not root, or a root who may not trace.
            opened = os.open

            def refused(path: Any, *how: Any, **more: Any) -> int:
                if Path(path) == Path(f"/proc/{process.pid}/fd"):
                    raise PermissionError
                return opened(path, *how, **more)

            monkeypatch.setattr(os, "open", refused)
            found = hidden_processes.first_hidden_process([os.getpid(), process.pid])
            assert found == (process.pid if hides else None)
        finally:
            process.kill()
    assert hidden_processes.first_hidden_process([process.pid]) is None
    assert hidden_processes.hidden_process_flag(process.pid).code in NOT_RANKED
