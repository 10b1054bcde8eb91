"""`python -m benchmarks.cluster_simulation`: figures for 2 to 100 load machines, in Markdown."""

from __future__ import annotations

import argparse

from benchmarks.cluster_simulation.failures import HAZARDS, lost, whole_run
from benchmarks.cluster_simulation.merging import cost
from benchmarks.cluster_simulation.start import NETWORKS, starts

AGENTS = (2, 10, 100)
SECONDS, RATE = 30, 20_000
"""Of a load, and of each agent's part of it, in requests per second."""

LOAD_S = 40.0
"""What a load of 30 s takes with all that goes before and after it."""


def main() -> int:
    """Print the tables; gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loads", type=int, default=300, help="simulated loads of each kind")
    loads = parser.parse_args().loads
    print(_starts(loads), _merging(), _failures(), sep="\n\n")
    return 0


def _starts(loads: int) -> str:
    lines = [
        "| network | agents | skew, median | skew, 99% | uncertainty of a clock | void: late |",
        "|---|---|---|---|---|---|",
    ]
    for network in NETWORKS:
        for agents in AGENTS:
            found = starts(network, agents, loads)
            assert found.beyond_s <= 1e-6, f"{network}: an offset beyond its uncertainty"
            lines.append(
                f"| {network.name} | {agents} | {_ms(found.skew_s)} | {_ms(found.skew_99_s)} | "
                f"± {_ms(found.uncertainty_s)} | {found.void:.1%} |"
            )
    return "\n".join(lines)


def _merging() -> str:
    lines = ["| agents | merging | each sends back |", "|---|---|---|"]
    for agents in AGENTS:
        took_s, size = cost(agents, SECONDS, RATE)
        lines.append(f"| {agents} | {took_s * 1e3:,.0f} ms | {size / 1e3:,.0f} kB |")
    return "\n".join(lines)


def _failures() -> str:
    lines = [
        "| a machine is lost | agents | loads lost | 100 loads without a loss |",
        "|---|---|---|---|",
    ]
    for hazard in HAZARDS:
        lines += [
            f"| {hazard.name} | {agents} | {lost(hazard, agents, LOAD_S):.3%} | "
            f"{whole_run(hazard, agents, LOAD_S, 100):.1%} |"
            for agents in AGENTS
        ]
    return "\n".join(lines)


def _ms(seconds: float) -> str:
    return f"{seconds * 1e3:.3f} ms" if seconds < 1e-3 else f"{seconds * 1e3:.1f} ms"


if __name__ == "__main__":
    raise SystemExit(main())
