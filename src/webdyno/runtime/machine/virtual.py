"""Whether this is a virtual machine or a container, by what the kernel and its host tell."""

from __future__ import annotations

import re
from pathlib import Path

_CONTAINERS = (
    ".dockerenv",
    "run/.containerenv",
    "run/systemd/container",
    "run/secrets/kubernetes.io",
    "var/run/secrets/kubernetes.io",
)
"""Files of Docker, Podman, systemd (LXC, nspawn) and Kubernetes."""
_LXCFS = " /proc/stat "
"""Among the mounts of a container whose view of the machine LXCFS makes."""

_HOSTS = (
    "qemu", "kvm", "vmware", "virtualbox", "xen", "bochs", "parallels", "hyper-v", "openstack",
)  # fmt: skip
_VIRTUAL_PRODUCTS = ("virtual machine", "google compute engine", "alibaba cloud ecs")
"""How makers of real machines, too, call their virtual ones."""
_DMI = ("sys_vendor", "product_name")


def virtualised(cpuinfo: str, root: Path = Path("/")) -> str:
    """`no`, `virtual machine`, `container` or `container in a virtual machine`.

    `unknown` where nothing tells: only x86 has a flag that all virtual machines have.
    """
    flagged = re.search(r"^flags\s*:", cpuinfo, re.MULTILINE) is not None
    virtual = re.search(r"^flags\s*:.*\bhypervisor\b", cpuinfo, re.MULTILINE) is not None
    virtual = virtual or (not flagged and _host_told(root))
    if any((root / mark).exists() for mark in _CONTAINERS) or _LXCFS in _read(root / "proc/mounts"):
        return "container in a virtual machine" if virtual else "container"
    if virtual:
        return "virtual machine"
    return "no" if flagged else "unknown"


def _host_told(root: Path) -> bool:
    """Whether the firmware or the kernel names a host."""
    if _read(root / "sys/hypervisor/type") or (root / "proc/device-tree/hypervisor").exists():
        return True
    vendor, product = (_read(root / "sys/class/dmi/id" / name).lower() for name in _DMI)
    if vendor == "amazon ec2":
        return not product.endswith(".metal")
    return any(host in f"{vendor} {product}" for host in (*_HOSTS, *_VIRTUAL_PRODUCTS))


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""
