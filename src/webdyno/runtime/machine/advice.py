"""What the machine's state means for a benchmark, in plain sentences with a remedy."""

from __future__ import annotations

from pathlib import Path

from webdyno.runtime.machine.facts import MachineFacts
from webdyno.runtime.machine.noise import Noise

OPEN_FILES_WANTED = 4096
MEMORY_WANTED = 2 << 30
PORTS_WANTED = 10_000

_PORT_RANGE = Path("/proc/sys/net/ipv4/ip_local_port_range")
_PERF_PARANOID = Path("/proc/sys/kernel/perf_event_paranoid")


def noise_meaning(noise: Noise) -> str:
    """How large a difference between two servers can be told apart here, and how patiently."""
    spread = f"the same work varies by {noise.cv:.1%} from one tenth of a second to the next"
    if noise.cv < 0.01:
        return f"Quiet: {spread}. A short run can show differences of 1% or 2%."
    if noise.cv < 0.03:
        return f"Fairly quiet: {spread}. A short run shows differences of about 5%."
    if noise.cv < 0.10:
        return (
            f"Noisy: {spread}. Differences under 10% need many blocks; give runs a longer budget."
        )
    return (
        f"Very noisy: {spread}. Only large differences can be told apart; fix the causes below "
        "first."
    )


def noise_causes(noise: Noise, machine: MachineFacts) -> list[str]:
    """What seems to disturb, most telling first, each with its remedy."""
    causes = []
    if noise.steal_share > 0.01:
        causes.append(
            f"The host takes {noise.steal_share:.1%} of this virtual machine's CPU time: prefer "
            "dedicated cores, or measure when the host is idle."
        )
    if (noise.paused_share or 0.0) > 0.01:
        causes.append(
            f"A quota of CPU time pauses all programs in {noise.paused_share:.0%} of its periods: "
            "use a CPU set of whole cores instead (`docker run --cpuset-cpus`)."
        )
    if noise.foreign_share > 0.03:
        causes.append(
            f"Other programs use {noise.foreign_share:.1%} of the CPUs that Webdyno uses: close "
            "them before a run."
        )
    if machine.governor not in (None, "performance"):
        causes.append(
            f"The CPU frequency governor is '{machine.governor}': "
            "`sudo cpupower frequency-set -g performance` holds the frequency steady."
        )
    if noise.timer_late_us_p99 > 1000:
        causes.append(
            f"Timers are up to {noise.timer_late_us_p99 / 1000:.1f} ms late (99th percentile): "
            "short latencies at a fixed rate will look longer than they are."
        )
    return causes


def machine_limits(machine: MachineFacts) -> list[str]:
    """Limits of this machine that would spoil or narrow a measurement."""
    texts = []
    if machine.cores < 2:
        texts.append("One core: server and load generator share it, and every report says so.")
    # Webdyno raises the soft limit as far as it needs, but nobody without rights the hard one.
    most = machine.open_files_most
    if most is not None and most < OPEN_FILES_WANTED:
        texts.append(
            f"At most {most} open files per process: raise the hard limit ('nofile' in "
            "/etc/security/limits.conf, `docker run --ulimit nofile=65536`) before a run with many "
            "connections."
        )
    memory = min(machine.memory_bytes, machine.limit_memory_bytes or machine.memory_bytes)
    if memory < MEMORY_WANTED:
        texts.append(f"Only {memory / (1 << 30):.1f} GiB of memory: JVM servers may not fit.")
    if machine.limit_cpus is not None and machine.limit_cpus < machine.cores:
        texts.append(
            f"A control group allows {machine.limit_cpus:g} of {machine.cores} cores. Webdyno uses "
            "no more than that, but at least two; a quota that is used up pauses all threads at "
            "once, which shows as latency. Prefer a CPU set of whole cores."
        )
    return texts + _port_limits() + _perf_limits()


def _port_limits() -> list[str]:
    try:
        low, high = map(int, _PORT_RANGE.read_text().split())
    except (OSError, ValueError):
        return []
    if high - low >= PORTS_WANTED:
        return []
    return [
        f"Only {high - low} local ports: `sudo sysctl net.ipv4.ip_local_port_range='32768 60999'`."
    ]


def _perf_limits() -> list[str]:
    try:
        level = int(_PERF_PARANOID.read_text())
    except (OSError, ValueError):
        return []
    if level <= 2:
        return []
    return [
        f"perf is closed to users (perf_event_paranoid is {level}): profiles of a server need "
        "`sudo sysctl kernel.perf_event_paranoid=2`. Runs do not."
    ]
