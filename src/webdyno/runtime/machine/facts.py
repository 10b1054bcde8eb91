"""Which machine this is, as far as it matters to a benchmark."""

from __future__ import annotations

import hashlib
import os
import platform
import resource
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from webdyno.runtime.confinement.cgroup import limits
from webdyno.runtime.machine.noise import Noise
from webdyno.runtime.machine.processor import cpu_model
from webdyno.runtime.machine.virtual import virtualised


class MachineFacts(BaseModel):
    """The machine of a run."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    cpu_model: str
    """The processor's name."""
    cores: int
    """Hardware threads this process may use."""
    cores_total: int
    """Hardware threads of the machine."""
    memory_bytes: int
    """Of the whole machine."""
    architecture: str
    """Such as `x86_64`."""
    kernel: str
    """Its release."""
    os: str
    """The system's name and version."""
    virtualised: str
    """`no`, `virtual machine`, `container`, `container in a virtual machine`, or `unknown`."""
    governor: str | None
    """The CPU frequency governor; None where the machine does not tell."""
    limit_cpus: float | None
    """What the control group allows, in cores; None where it sets no limit."""
    limit_memory_bytes: int | None
    """What the control group allows, in bytes; None where it sets no limit."""
    open_files: int
    """How many files and sockets one process may have open ..."""
    open_files_most: int | None = None
    """... and how far a process may raise that by itself; None where it is not told, or without
    end."""
    fingerprint: str
    """Equal for runs that may be compared as to hardware."""
    noise: Noise | None = None
    """How noisy the machine is; None where that was not measured."""


def fingerprint(noise: Noise | None = None) -> MachineFacts:
    """Describe this machine. Takes about a millisecond; `noise` is measured apart."""
    bounds = limits()
    cpuinfo = _read("/proc/cpuinfo")
    facts = {
        "cpu_model": cpu_model(cpuinfo),
        "cores": usable_cores(),
        "cores_total": os.cpu_count() or 1,
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "architecture": platform.machine(),
        "kernel": platform.release(),
        "os": _os_name(),
        "virtualised": virtualised(cpuinfo),
        "governor": _read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor").strip() or None,
        "limit_cpus": bounds.cpus,
        "limit_memory_bytes": bounds.memory_bytes,
    }
    digest = hashlib.sha256(repr(sorted(facts.items())).encode()).hexdigest()[:10]
    open_files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MachineFacts.model_validate(
        {
            **facts,
            "open_files": open_files,
            "open_files_most": None if most == resource.RLIM_INFINITY else most,
            "fingerprint": digest,
            "noise": noise,
        }
    )


def usable_cores() -> int:
    """Hardware threads this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _os_name() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return f"{platform.system()} {platform.mac_ver()[0] or platform.version()}".strip()


def _read(path: str) -> str:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""
