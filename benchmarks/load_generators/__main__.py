"""`python -m benchmarks.load_generators`: measures, and writes load_generators.md and .json."""

import argparse
import json
import os
import platform
from pathlib import Path
from typing import Any

from benchmarks.load_generators import cost, limits, truth_table
from benchmarks.load_generators.bench import ROOT, Bench, prepare
from benchmarks.load_generators.markdown import page
from benchmarks.load_generators.reactors import reactors
from benchmarks.load_generators.threads import threads
from benchmarks.load_generators.tls import tls
from benchmarks.load_generators.tools import TOOLS

NAMES = TOOLS.names()
PARTS = ("closed", "low_rate", "reactors", "truth", "limits", "threads", "tls")


def main() -> None:
    """Runs the parts asked for; every part is written as soon as it is done."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.load_generators", description=__doc__
    )
    parser.add_argument(
        "--quick", action="store_true", help="a few minutes: fewer and shorter runs"
    )
    parser.add_argument("--only", choices=PARTS, nargs="+", default=PARTS, metavar="PART")
    parser.add_argument(
        "--generators", choices=NAMES, nargs="*", default=NAMES, metavar="GENERATOR"
    )
    parser.add_argument("--rounds", type=int, help="interleaved repetitions (7; quick: 3)")
    parser.add_argument("--rates", type=int, nargs="+", help="truth: these rates only")
    parser.add_argument("--output", type=Path, default=ROOT / ".webdyno" / "benchmarks")
    options = parser.parse_args()

    bench = prepare(options.generators)
    rounds = options.rounds or (3 if options.quick else 7)
    figures: dict[str, Any] = {"machine": machine(bench)}
    for part in options.only:
        print(f"{part} …", flush=True)
        figures[part] = measure(part, bench, rounds, options)
        figures["machine"]["load_after"] = os.getloadavg()
        options.output.mkdir(parents=True, exist_ok=True)
        (options.output / "load_generators.json").write_text(json.dumps(figures, indent=1) + "\n")
        (options.output / "load_generators.md").write_text(page(figures))
    print(f"\n{page(figures)}\nwritten to {options.output}/load_generators.md and .json")


def measure(part: str, bench: Bench, rounds: int, options: argparse.Namespace) -> Any:
    """One part's figures."""
    quick = options.quick
    if part == "closed":
        return cost.closed(bench, rounds, seconds=1 if quick else 3)
    if part == "low_rate":
        return cost.low_rate(bench, 1 if quick else rounds, seconds=2 if quick else 4)
    if part == "reactors":
        return reactors(bench, 1 if quick else rounds, seconds=1)
    if part == "threads":
        return threads(bench, 1 if quick else rounds, seconds=1 if quick else 2)
    if part == "tls":
        return tls(bench, 1 if quick else rounds, seconds=1 if quick else 2)
    if part == "truth":
        return truth_table.table(bench, quick, seconds=4 if quick else 6, rates=options.rates)
    return {
        "connections": limits.connections(bench, 1 if quick else 5, seconds=1 if quick else 2),
        "schedule": limits.schedule(bench, 1 if quick else 5, seconds=1 if quick else 5),
        "length": limits.length(bench, seconds=1 if quick else 5),
    }


def machine(bench: Bench) -> dict[str, Any]:
    """Where this is measured, and what else was going on."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return {
        "cpu": names[0] if names else platform.machine(),
        "cores": os.cpu_count(),
        "kernel": platform.release(),
        "server_cpu": bench.server_cpu,
        "client_cpu": bench.client_cpu,
        "load_before": os.getloadavg(),
        "load_after": os.getloadavg(),
        "versions": {tool.name: tool.version() for tool in bench.tools},
    }


if __name__ == "__main__":
    main()
