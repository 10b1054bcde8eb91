"""Five machines: a head, two for the load (one has another clock), a server, and a guest."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from support.namespaces import Network
from support.other_clock import NO_NAMESPACE

ROOT = Path(__file__).resolve().parents[3]
SUPPORT = ROOT / "tests" / "support"
SCHEMA = json.loads((ROOT / "src/webdyno/schemas/hit.schema.json").read_text(encoding="utf-8"))
PORT = 8080
AHEAD_S = 0.05
"""By which the clock of the machine `b` is ahead."""


class Lab:
    """The machines, and Webdyno on each of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names = ["head", "a", "b", "server", "guest"]
        self.network = Network(self.names)

    def address(self, name: str) -> str:
        return self.network.address(name)

    def home(self, name: str) -> Path:
        return self.folder / name

    def start(self, name: str, *arguments: str, ahead_s: float = 0.0) -> subprocess.Popen[str]:
        """Start `webdyno ARGUMENTS` on a machine."""
        command = [sys.executable, "-m", "webdyno", *arguments]
        if ahead_s:
            clock = str(round(ahead_s * 1e9))
            command = [sys.executable, str(SUPPORT / "other_clock.py"), clock, *command]
        environment = {
            **os.environ,
            "WEBDYNO_HOME": str(self.home(name)),
            "WEBDYNO_MACHINES_SECRET": str(self.home("head") / "machines" / "secret"),
            "PYTHONPATH": str(ROOT / "src"),
            "COLUMNS": "200",
        }
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return self.network.start(name, *command, env=environment, cwd=self.folder, **pipes)

    def run(self, name: str, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        return ended(self.start(name, *arguments, **options))

    def join(self, name: str, *arguments: str, **options: Any) -> subprocess.Popen[str]:
        return self.start(name, "machines", "join", self.address("head"), *arguments, **options)

    def serve(self) -> None:
        """Start a server on the machine `server`, which `url` leads to."""
        web = [sys.executable, str(SUPPORT / "far_server.py"), self.address("server"), str(PORT)]
        server = self.network.start("server", *web, stdout=subprocess.PIPE)
        assert server.stdout is not None
        assert server.stdout.readline() == "ready\n"

    def url(self, delay_ms: int, size: int) -> str:
        return f"http://{self.address('server')}:{PORT}/{delay_ms}/{size}"

    def hit(self, *arguments: str) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
        """`webdyno hit` on the first machine, with its document."""
        file = self.folder / f"{time.monotonic_ns()}.json"
        done = self.run("head", "hit", *arguments, "--json", str(file))
        document = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        if document:
            jsonschema.validate(document, SCHEMA)
        return done, document

    def marked(self, name: str, *words: str) -> list[int]:
        """The processes on a machine whose commands hold one of the words."""
        commands = self.network.commands(name)
        return [pid for pid, command in commands.items() if any(word in command for word in words)]

    def agents(self, name: str) -> list[int]:
        """The agents' processes on a machine."""
        commands = self.network.commands(name)
        return [pid for pid, command in commands.items() if command.startswith("ray::Agent")]


def ended(process: subprocess.Popen[str], within_s: float = 90) -> subprocess.CompletedProcess[str]:
    """What became of it. Raises `TimeoutExpired`."""
    try:
        out, err = process.communicate(timeout=within_s)
    except subprocess.TimeoutExpired:  # Who looks may have been the one that stood still.
        out, err = process.communicate(timeout=5)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def within(seconds: float, is_so: Callable[[], bool]) -> bool:
    """Whether it becomes so in time."""
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


@pytest.fixture(scope="module")
def lab_folder() -> Iterator[Path]:
    """Not one of pytest's: servers that drop to another user have to pass through it."""
    with tempfile.TemporaryDirectory(prefix="machines-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)
        yield Path(folder)


@pytest.fixture(scope="module")
def lab(lab_folder: Path) -> Iterator[Lab]:
    """A cluster that runs, with a server on one of its machines."""
    pytest.importorskip(
        "ray",
        reason="no Ray; install it: pip install --require-hashes -r requirements-cluster.lock",
    )
    lab = Lab(lab_folder)
    try:
        first = lab.run("head", "machines", "start", "--address", lab.address("head"))
        assert first.returncode == 0, first.stderr
        ready = {
            "a": lab.join("a"),
            "b": lab.join("b", ahead_s=AHEAD_S),
            "server": lab.join("server", "--roles", "server"),
        }
        for name, process in ready.items():
            done = ended(process)
            if name == "b" and done.returncode == NO_NAMESPACE:
                pytest.skip("no time namespaces here")
            assert done.returncode == 0, f"{name}: {done.stderr}"
        lab.serve()
        yield lab
    finally:
        lab.network.close()
