"""A virtual machine: its command line, and its life."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from benchmarks.machines.machine import Machine
from webdyno.errors import UserError

STOP_S = 10.0
"""Seconds that QEMU has to end when it is told to."""


@dataclass(frozen=True)
class Disk:
    """A raw image. A guest knows it as /dev/disk/by-id/virtio-NAME.

    What is written to it is thrown away unless it is `kept`.
    """

    name: str
    file: Path
    kept: bool = False

    def arguments(self) -> list[str]:
        """QEMU's arguments for this disk."""
        # In a file name a comma would begin the next option.
        file = str(self.file).replace(",", ",,")
        drive = f"if=none,id={self.name},file={file},format=raw,cache=unsafe"
        snapshot = "off" if self.kept else "on"
        device = f"virtio-blk-pci,drive={self.name},serial={self.name}"
        return ["-drive", f"{drive},snapshot={snapshot}", "-device", device]


@dataclass(frozen=True)
class Kernel:
    """What is booted, and the root image that it belongs to."""

    vmlinuz: Path
    initrd: Path
    root: Path


def command(
    machine: Machine, kernel: Kernel, disks: list[Disk], memory_mib: int, console: Path
) -> list[str]:
    """The command line of a machine that does its job and powers off. Its console is logged."""
    told = "root=/dev/vda rw console=ttyS0 nokaslr net.ifnames=0 panic=-1 quiet"
    return [
        # Ended with this program, however that ends.
        *("setpriv", "--pdeathsig", "KILL", "qemu-system-x86_64"),
        *("-accel", "tcg,thread=multi,tb-size=1024", "-cpu", "Haswell-v4"),
        *machine.arguments(memory_mib),
        *("-nodefaults", "-nographic", "-no-reboot"),
        *("-serial", f"file:{str(console).replace(',', ',,')}"),
        *("-kernel", str(kernel.vmlinuz), "-initrd", str(kernel.initrd)),
        *("-append", f"{told} systemd.unit=webdyno-job.service"),
        # The first disk is /dev/vda.
        *Disk("root", kernel.root).arguments(),
        *(argument for disk in disks for argument in disk.arguments()),
    ]


def live(command: list[str], limit_s: float, log: Path) -> bool:
    """Run a machine until it powers off; False where it was ended after `limit_s` seconds.

    Raises `UserError` where QEMU fails. Nothing is left running, whatever happens.
    """
    with log.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file)
    try:
        code = process.wait(limit_s)
    except subprocess.TimeoutExpired:
        return False
    finally:
        _end(process)
    if code != 0:
        said = log.read_text(encoding="utf-8").strip().splitlines()
        raise UserError(f"{command[3]} ended with {code}: {said[-1] if said else log}")
    return True


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
