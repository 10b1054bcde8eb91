"""Network namespaces as machines: each with an address of its own, all on one switch."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import Any

import pytest

SUBNET = "10.231.7"


class Network:
    """Machines by name. Everything in them ends, and they with it, by `close`."""

    def __init__(self, names: Sequence[str]) -> None:
        """Skips the test, with the reason, where namespaces cannot be made."""
        self._mark = f"wd{os.getpid()}"
        self._names = list(names)
        try:
            _ip("netns", "add", self._of("switch"))
        except (OSError, subprocess.CalledProcessError) as error:
            said = getattr(error, "stderr", "") or error
            pytest.skip(f"no network namespaces here: {said}")
        try:
            self._wire()
        except BaseException:
            self.close()
            raise

    def _wire(self) -> None:
        switch = self._of("switch")
        _ip("-n", switch, "link", "add", "switch", "type", "bridge")
        _ip("-n", switch, "link", "set", "switch", "up")
        for name in self._names:
            machine = self._of(name)
            _ip("netns", "add", machine)
            peer = ["type", "veth", "peer", "name", "eth0", "netns", machine]
            _ip("-n", switch, "link", "add", f"to-{name}", *peer)
            _ip("-n", switch, "link", "set", f"to-{name}", "master", "switch", "up")
            _ip("-n", machine, "addr", "add", f"{self.address(name)}/24", "dev", "eth0")
            for link in ("lo", "eth0"):
                _ip("-n", machine, "link", "set", link, "up")

    def address(self, name: str) -> str:
        """A machine's address."""
        return f"{SUBNET}.{self._names.index(name) + 1}"

    def start(self, name: str, *command: str, **options: Any) -> subprocess.Popen[str]:
        """Start a program on a machine."""
        inside = ["ip", "netns", "exec", self._of(name), *command]
        return subprocess.Popen(inside, text=True, **options)

    def pids(self, name: str) -> list[int]:
        """The processes on a machine."""
        found = _ip("netns", "pids", self._of(name))
        return [int(line) for line in found.split()]

    def commands(self, name: str) -> dict[int, str]:
        """Their command lines."""
        found = {}
        for pid in self.pids(name):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:
                found[pid] = file.read().replace(b"\0", b" ").decode(errors="replace").strip()
        return {pid: command for pid, command in found.items() if command}

    def listening(self, name: str) -> list[str]:
        """Where programs on a machine listen: a line each, in the words of `ss`."""
        return _run("ip", "netns", "exec", self._of(name), "ss", "-ltnpH").splitlines()

    def slow_down(self, name: str, bytes_per_s: int) -> None:
        """Let a machine send no faster than this."""
        rate = ["rate", f"{8 * bytes_per_s}bit", "burst", "64kb", "latency", "50ms"]
        _tc(self._of(name), "add", "dev", "eth0", "root", "tbf", *rate)

    def speed_up(self, name: str) -> None:
        """Undo `slow_down`."""
        _tc(self._of(name), "del", "dev", "eth0", "root")

    def cut(self, name: str) -> None:
        """Cut a machine off, as by pulling its cable out of the switch."""
        _ip("-n", self._of("switch"), "link", "set", f"to-{name}", "down")

    def close(self) -> None:
        """End what runs on the machines, and take them away."""
        for name in [*self._names, "switch"]:
            with contextlib.suppress(OSError, subprocess.CalledProcessError):
                for _ in range(50):
                    left = self.pids(name)
                    for pid in left:
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(pid, signal.SIGKILL)
                    if not left:
                        break
                    time.sleep(0.1)
                _ip("netns", "del", self._of(name))

    def _of(self, name: str) -> str:
        return f"{self._mark}-{name}"


def _ip(*arguments: str) -> str:
    return _run("ip", *arguments)


def _tc(namespace: str, what: str, *arguments: str) -> None:
    _run("ip", "netns", "exec", namespace, "tc", "qdisc", what, *arguments)


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
    return done.stdout
