"""The name of the processor, by the text of /proc/cpuinfo."""

from __future__ import annotations

import platform
import re

_NAMES = ("model name", "Model", "Hardware", "cpu model", "uarch")

_MAKERS = {
    0x41: "ARM", 0x42: "Broadcom", 0x43: "Cavium", 0x46: "Fujitsu", 0x48: "HiSilicon",
    0x4E: "NVIDIA", 0x50: "APM", 0x51: "Qualcomm", 0x61: "Apple", 0x6D: "Microsoft",
    0xC0: "Ampere",
}  # fmt: skip
_PARTS = {
    (0x41, 0xD03): "Cortex-A53", (0x41, 0xD05): "Cortex-A55", (0x41, 0xD07): "Cortex-A57",
    (0x41, 0xD08): "Cortex-A72", (0x41, 0xD09): "Cortex-A73", (0x41, 0xD0A): "Cortex-A75",
    (0x41, 0xD0B): "Cortex-A76", (0x41, 0xD0C): "Neoverse-N1", (0x41, 0xD0D): "Cortex-A77",
    (0x41, 0xD40): "Neoverse-V1", (0x41, 0xD41): "Cortex-A78", (0x41, 0xD44): "Cortex-X1",
    (0x41, 0xD46): "Cortex-A510", (0x41, 0xD47): "Cortex-A710", (0x41, 0xD48): "Cortex-X2",
    (0x41, 0xD49): "Neoverse-N2", (0x41, 0xD4F): "Neoverse-V2", (0x41, 0xD84): "Neoverse-V3",
    (0x41, 0xD8E): "Neoverse-N3", (0x46, 0x001): "A64FX", (0x48, 0xD01): "Kunpeng 920",
    (0xC0, 0xAC3): "Ampere-1", (0xC0, 0xAC4): "Ampere-1a",
}  # fmt: skip
"""The common ones among servers and boards, as util-linux's lscpu has them."""


def cpu_model(cpuinfo: str) -> str:
    """The model's name. Most ARM servers tell only numbers: then the name of each kind of core, and
    its numbers where that is not known."""
    for key in _NAMES:
        if match := re.search(rf"^{key}\s*:\s*(.+)$", cpuinfo, re.MULTILINE):
            return " ".join(match[1].split())
    kinds = dict.fromkeys(_arm_core(one) for one in cpuinfo.split("\n\n"))
    named = ", ".join(name for name in kinds if name)
    return named or platform.processor() or platform.machine()


def _arm_core(processor: str) -> str:
    """Of one processor's lines: `ARM Neoverse-N1 r3p1`; empty where they tell no numbers."""
    fields = dict(re.findall(r"^CPU (\w+)\s*:\s*(0x[0-9a-f]+|\d+)$", processor, re.MULTILINE))
    try:
        maker, part = int(fields["implementer"], 16), int(fields["part"], 16)
    except KeyError:
        return ""
    name = _PARTS.get((maker, part), f"part {part:#05x}")
    revision = f"r{int(fields.get('variant', '0'), 16)}p{int(fields.get('revision', '0'))}"
    return f"{_MAKERS.get(maker, f'maker {maker:#04x}')} {name} {revision}"
