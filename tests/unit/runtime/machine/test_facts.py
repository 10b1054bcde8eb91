"""The description of this machine, and of recorded ones."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from webdyno.runtime.machine.facts import fingerprint
from webdyno.runtime.machine.processor import cpu_model
from webdyno.runtime.machine.virtual import virtualised

EPYC = "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC   7B13\nflags\t\t: fpu\n"
PI = "processor\t: 0\nBogoMIPS\t: 108.00\n\nHardware\t: BCM2835\nModel\t\t: Raspberry Pi 4\n"


@pytest.mark.parametrize(("cpuinfo", "model"), [(EPYC, "AMD EPYC 7B13"), (PI, "Raspberry Pi 4")])
def test_the_cpu_model_is_read(cpuinfo: str, model: str) -> None:
    assert cpu_model(cpuinfo) == model


def arm(part: str, maker: str = "0x41") -> str:
    """A core of an ARM server, as its kernel tells of it."""
    return (
        "processor\t: 0\nBogoMIPS\t: 243.75\nFeatures\t: fp asimd\n"
        f"CPU implementer\t: {maker}\nCPU architecture: 8\nCPU variant\t: 0x3\n"
        f"CPU part\t: {part}\nCPU revision\t: 1\n"
    )


@pytest.mark.parametrize(
    ("cpuinfo", "model"),
    [
        (arm("0xd0c"), "ARM Neoverse-N1 r3p1"),
        (arm("0xd40"), "ARM Neoverse-V1 r3p1"),
        (arm("0xd99"), "ARM part 0xd99 r3p1"),
        (arm("0x001", maker="0x99"), "maker 0x99 part 0x001 r3p1"),
        ("\n".join([arm("0xd0b"), arm("0xd0b"), arm("0xd05")]),
         "ARM Cortex-A76 r3p1, ARM Cortex-A55 r3p1"),
    ],
)  # fmt: skip
def test_processors_that_tell_only_numbers_are_told_apart(cpuinfo: str, model: str) -> None:
    assert cpu_model(cpuinfo) == model


X86, X86_GUEST = "flags\t\t: fpu vme\n", "flags\t\t: fpu hypervisor vme\n"
DMI = "sys/class/dmi/id"


@pytest.mark.parametrize(
    ("cpuinfo", "files", "found"),
    [
        (X86, {}, "no"),
        (X86_GUEST, {}, "virtual machine"),
        (X86, {".dockerenv": ""}, "container"),
        (X86_GUEST, {"run/.containerenv": ""}, "container in a virtual machine"),
        (X86, {"run/secrets/kubernetes.io/serviceaccount/token": ""}, "container"),
        (X86, {"run/systemd/container": "lxc"}, "container"),
        (X86, {"proc/mounts": "lxcfs /proc/stat fuse.lxcfs rw 0 0\n"}, "container"),
        (X86, {"proc/mounts": "lxcfs /var/lib/lxcfs fuse.lxcfs rw 0 0\n"}, "no"),
        # A board of a maker of hosts, too, is real where the processor says so.
        (X86, {f"{DMI}/sys_vendor": "QEMU"}, "no"),
        (arm("0xd0c"), {}, "unknown"),
        (arm("0xd0c"), {f"{DMI}/sys_vendor": "QEMU"}, "virtual machine"),
        (arm("0xd0c"), {f"{DMI}/sys_vendor": "Amazon EC2", f"{DMI}/product_name": "c7g.large"},
         "virtual machine"),
        (arm("0xd0c"), {f"{DMI}/sys_vendor": "Amazon EC2", f"{DMI}/product_name": "c7g.metal"},
         "unknown"),
        (arm("0xd0c"), {f"{DMI}/product_name": "Google Compute Engine"}, "virtual machine"),
        (arm("0xd0c"), {f"{DMI}/sys_vendor": "Supermicro"}, "unknown"),
        (arm("0xd0c"), {"sys/hypervisor/type": "xen"}, "virtual machine"),
        (arm("0xd0c"), {"proc/device-tree/hypervisor/compatible": "linux,kvm"}, "virtual machine"),
        (arm("0xd0c"), {".dockerenv": ""}, "container"),
    ],
)  # fmt: skip
def test_what_is_virtual_is_told_where_anything_says_so(
    cpuinfo: str, files: dict[str, str], found: str, tmp_path: Path
) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    assert virtualised(cpuinfo, tmp_path) == found


def test_a_cpu_that_tells_no_name_still_has_one() -> None:
    assert cpu_model("processor : 0\n") != ""


def test_this_machine() -> None:
    machine = fingerprint()
    assert machine.cores == len(os.sched_getaffinity(0))
    assert machine.cores_total >= machine.cores
    assert machine.memory_bytes > 1 << 28
    assert machine.kernel == os.uname().release
    assert machine.virtualised in {
        "no",
        "virtual machine",
        "container",
        "container in a virtual machine",
        "unknown",
    }
    assert machine.noise is None


def test_the_fingerprint_is_the_same_for_the_same_machine() -> None:
    assert fingerprint().fingerprint == fingerprint().fingerprint


def test_the_fingerprint_depends_on_the_cores_that_may_be_used() -> None:
    allowed = os.sched_getaffinity(0)
    if len(allowed) < 2:
        pytest.skip("needs two cores")
    before = fingerprint()
    os.sched_setaffinity(0, {min(allowed)})
    try:
        narrowed = fingerprint()
    finally:
        os.sched_setaffinity(0, allowed)
    assert narrowed.cores == 1
    assert narrowed.fingerprint != before.fingerprint
