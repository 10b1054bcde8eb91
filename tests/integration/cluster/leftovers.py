"""What a study leaves on machines: processes, open ports, files and control groups."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from integration.cluster.conftest import Lab
from webdyno.runtime.confinement.cgroup import MOUNT

OF_THE_CLUSTER = (
    "webdyno.cluster.keeper.keeper",
    "ray/",
    "ray start",
    "ray.scripts",
    "ray::DashboardAgent",
    "ray::IDLE",
    "ray::RuntimeEnvAgent",
    "ip netns exec",
)
"""In the commands of what stays as long as a machine is in its cluster: keepers, and Ray's own."""


class Leftovers:
    """Looks at the machines of a lab whose temporary files nobody else shares."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab

    def seen(self) -> set[str]:
        """All that is there and not the cluster's own, each in words."""
        found = _groups()
        for name in self._lab.names:
            commands = self._lab.network.commands(name)
            studies = {pid: one for pid, one in commands.items() if not _of_cluster(one)}
            found |= {f"{name}: process {pid} {one[:120]}" for pid, one in studies.items()}
            found |= {f"{name}: port {port}" for port in self._ports(name, set(studies))}
        keepers = {pid for name in self._lab.names for pid in self._lab.network.pids(name)}
        folder = Path(tempfile.gettempdir()) / f"webdyno-{os.geteuid()}" / "tmp"
        for one in folder.glob("*"):
            if not one.name.isdigit() or int(one.name) not in keepers:
                found.add(f"files: {one}")
        return found

    def since(self, before: set[str]) -> list[str]:
        """What has come, and stays."""
        return sorted(self.seen() - before)

    def _ports(self, name: str, pids: set[int]) -> set[str]:
        """The ports at which other than the cluster's processes listen, known or not."""
        found = set()
        for line in self._lab.network.listening(name):
            owner = line.partition("pid=")[2].partition(",")[0]
            if not owner or int(owner) in pids:
                found.add(line.split()[3])
        return found


def _of_cluster(command: str) -> bool:
    return any(mark in command for mark in OF_THE_CLUSTER)


def _groups() -> set[str]:
    """Control groups of Webdyno whose maker is gone."""
    return {
        f"control group {one}"
        for one in MOUNT.rglob("webdyno-*-*-*")
        if not Path(f"/proc/{one.name.split('-')[1]}").exists()
    }
