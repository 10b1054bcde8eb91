"""Ray's own processes on this machine: started with an address, ports and a folder of their own."""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import webdyno
from webdyno.cluster.machines.membership import PORTS, Membership
from webdyno.cluster.wire.secret import VARIABLE
from webdyno.errors import UserError
from webdyno.runtime.proc import look_at
from webdyno.runtime.processes.private_folder import note_started

STORE_BYTES = 80_000_000
"""Of Ray's object store: orders and results are small."""

JOINED = "webdyno-joined"
"""What Ray calls the time at which a machine joined: a resource that nobody asks for."""

_HEALTH = {"initial_delay_ms": "1000", "period_ms": "1000", "failure_threshold": "5"}
"""So that a machine whose Ray was killed is not taken for alive for half a minute."""

_PR_SET_PDEATHSIG = 1
_READY = "Ray runtime started."
_READY_S = 45.0

MISSING = (
    "several machines need Ray, which is an extra: pip install 'webdyno[cluster]' (in a checkout: "
    ".webdyno/venv/bin/pip install --require-hashes -r requirements-cluster.lock)"
)


class RayMissing(UserError):
    """The extra is not installed."""


def require_ray() -> None:
    """Raise `RayMissing`, which says how to get it, where Ray is not installed."""
    if importlib.util.find_spec("ray") is None:
        raise RayMissing(MISSING)


def ray_environment(member: Membership) -> dict[str, str]:
    """What Ray's processes and ours must have in their environment to take part.

    A Ray of our own demands the secret, too: without it nobody can talk to any of its ports. Of
    somebody else's nothing is known: what it demands is in the environment of whoever uses it.
    """
    ours = {"RAY_DISABLE_IMPORT_WARNING": "1", VARIABLE: member.secret}
    if member.ray:
        return ours
    return {
        **ours,
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN_PATH": member.secret,
        "RAY_USAGE_STATS_ENABLED": "0",
        **{f"RAY_health_check_{name}": value for name, value in _HEALTH.items()},
    }


@contextmanager
def start_ray(member: Membership, temporary: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Ray on this machine, as long as the context lasts. Raises `UserError`, `RayMissing`."""
    require_ray()
    log = temporary / "ray.log"
    with log.open("wb") as file:
        process = subprocess.Popen(
            _command(member, temporary),
            cwd=temporary,
            env={**os.environ, **ray_environment(member), "PYTHONPATH": python_path()},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            preexec_fn=end_with_parent,
        )
    _note(process.pid)
    try:
        _await(process, log)
        yield process
    finally:
        process.terminate()
        try:
            process.wait(5.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _command(member: Membership, temporary: Path) -> list[str]:
    first = member.port
    ports = {
        "--node-manager-port": first + 2,
        "--object-manager-port": first + 3,
        "--runtime-env-agent-port": first + 4,
        "--min-worker-port": first + 10,
        "--max-worker-port": first + PORTS - 1,
    }
    where = (
        ["--head", f"--port={first}", "--include-dashboard=false"]
        if member.is_head
        else [f"--address={member.ray_address}"]
    )
    resources = {resource_of(role): 1000 for role in member.roles} | {JOINED: int(time.time())}
    return [
        sys.executable,
        "-c",
        "import sys; from ray.scripts.scripts import main; sys.exit(main())",
        "start",
        "--block",
        *where,
        f"--node-ip-address={member.address}",
        *(f"{name}={port}" for name, port in ports.items()),
        f"--temp-dir={temporary / 'ray'}",
        f"--resources={json.dumps(resources)}",
        f"--object-store-memory={STORE_BYTES}",
        "--num-cpus=1",
        "--disable-usage-stats",
        "--include-log-monitor=false",
        "--log-color=false",
    ]


def end_with_parent() -> None:
    """Before a program starts: it is told to end where its parent is killed."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)


def _note(pid: int) -> None:
    process = look_at(pid)
    if process is not None:
        note_started(pid, process.started)


def resource_of(role: str) -> str:
    """What Ray calls a machine's role."""
    return f"webdyno-{role}"


def python_path() -> str:
    """So that agents find this Webdyno from whatever folder they run in."""
    given = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    own = str(Path(webdyno.__file__).resolve().parents[1])
    return os.pathsep.join(dict.fromkeys([own, *map(os.path.abspath, given)]))


def _await(process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _READY_S
    while True:
        text = log.read_text(encoding="utf-8", errors="replace")
        if _READY in text:
            return
        if process.poll() is not None or time.monotonic() > deadline:
            wrong = [line for line in text.splitlines() if "rror" in line] or text.splitlines()
            why = (wrong or ["it printed nothing"])[-1].strip()
            raise UserError(
                f"Ray does not start: {why}; free its ports, or start with another --port, and "
                "see that there is memory for it"
            )
        time.sleep(0.05)
