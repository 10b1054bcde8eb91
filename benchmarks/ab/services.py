"""The services that are compared: one a language, each told by its argument to do more work."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from webdyno.catalog.descriptions.description import FILE, Description, read_description
from webdyno.catalog.terms.command import argv_of
from webdyno.errors import UserError
from webdyno.runtime.ports import free_port

HERE = Path(__file__).parent / "services"
SOURCES = Path(__file__).parents[2] / "src"

LANGUAGES = tuple(sorted(folder.parent.name for folder in HERE.glob(f"*/{FILE}")))

STARTS_WITHIN_S = 30.0


@dataclass(frozen=True)
class Service:
    """The service of a language."""

    language: str

    @property
    def folder(self) -> Path:
        """Its sources."""
        return HERE / self.language

    @property
    def description(self) -> Description:
        """Its `webdyno.toml`."""
        return read_description(self.folder / FILE)

    def command(self, rounds: int) -> str:
        """The line that starts it with so many rounds more than usual for each request."""
        run = self.description.run
        assert run is not None
        return f"{' '.join(run.command)} {rounds}"

    def build(self, into: Path) -> None:
        """Build a copy of it in `into`, which is made. Raises `UserError`."""
        shutil.copytree(self.folder, into, ignore=shutil.ignore_patterns("target", "__pycache__"))
        for line in self.description.build.commands:
            command = [part.replace("${PYTHON}", sys.executable) for part in line]
            done = subprocess.run(
                command, cwd=into, env=environment(), capture_output=True, text=True
            )
            if done.returncode:
                raise UserError(
                    f"{self.language}: {' '.join(command)} failed: {done.stderr[-500:]}"
                )

    @contextlib.contextmanager
    def running(
        self, built: Path, rounds: int, cpus: Collection[int] | None = None
    ) -> Iterator[tuple[int, int]]:
        """Its process and its port, while it runs: on `cpus`, or on all that we may use."""
        port = free_port()
        process = subprocess.Popen(
            argv_of(self.command(rounds)),
            cwd=built,
            env={**environment(), "PORT": str(port)},
            stdin=subprocess.DEVNULL,
            stdout=sys.stderr,
            preexec_fn=partial(os.sched_setaffinity, 0, cpus) if cpus else None,
        )
        try:
            _wait(self.language, process, port)
            yield process.pid, port
        finally:
            process.kill()
            process.wait()


def environment() -> dict[str, str]:
    """The environment of all that is started: Webdyno's sources are those of this checkout."""
    return {**os.environ, "PYTHONPATH": str(SOURCES)}


def _wait(name: str, process: subprocess.Popen[bytes], port: int) -> None:
    until = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
            return
        time.sleep(0.05)
    raise UserError(f"the service in {name} did not start")
