"""A service of the tests' own, which is a file like any other service."""

from __future__ import annotations

import sys
from pathlib import Path

from webdyno.runtime.ports import free_port
from webdyno.runtime.processes.process import ManagedProcess, plain_environment
from webdyno.runtime.services.base import RunningService, Service

PROGRAM = Path(__file__).parents[1] / "busy_program.py"


def start(folder: Path, _cache: Path, cpus: tuple[int, ...], log: Path) -> RunningService:
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    process = ManagedProcess.start(
        [sys.executable, str(PROGRAM), str(port)],
        name="busy", cwd=folder, env=plain_environment(), log=log, cpus=cpus,
    )  # fmt: skip
    return RunningService("busy", "busy", "1", process, {"BUSY_PORT": str(port)}, folder)


SERVICE = Service(start, look_for=lambda: None)
