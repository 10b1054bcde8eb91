"""`python -m benchmarks.before_after REVISION`: what a change of the engine costs.

The engine of a revision and that of this checkout run in turn against the same server, with the
floor client beside them, in an order drawn anew for each round. Ratios are taken within a round.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
from collections.abc import Callable
from pathlib import Path

from benchmarks.load_generators.bench import ROOT, Bench, Measured, prepare
from benchmarks.load_generators.rounds import Rounds, interleave, median, ratios
from benchmarks.load_generators.tools import Command, Engine, Tool
from webdyno.runtime.processes.pinned import Failed

CONNECTIONS = 64
RATE = 20_000
"""Of the open load, requests a second: high enough that a run's start does not matter."""

LIMIT = 1.05
"""The engine may cost so much of the floor client, with everything on."""


def main() -> None:
    """Builds both, measures, prints a table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.before_after", description=__doc__)
    parser.add_argument("revision", help="of git: the engine before the change")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=int, default=3)
    options = parser.parse_args()

    bench = prepare(())
    before = Engine([str(_built(options.revision))], [bench.client_cpu])
    before.name = "before"
    tools: list[Tool] = [bench.floor, before, bench.engine]
    with bench.server("instant") as port:
        closed = interleave(
            {
                tool.name: _once(bench, tool, tool.closed(port, CONNECTIONS, options.seconds))
                for tool in tools
            },
            options.rounds,
        )
        opened = interleave(
            {
                tool.name: _once(
                    bench, tool, tool.open(port, CONNECTIONS, options.seconds, RATE, "uniform")
                )
                for tool in tools[1:]
            },
            options.rounds,
        )
    print(f"closed, {CONNECTIONS} connections, {options.rounds} rounds of {options.seconds} s")
    _tell(closed, "engine", "before")
    _tell(closed, "before", "floor")
    _tell(closed, "engine", "floor", LIMIT)
    print(f"open, {RATE:,} requests/s")
    _tell(opened, "engine", "before")


def _built(revision: str) -> Path:
    """The example `load` of the engine at `revision`."""
    commit = subprocess.run(
        ["git", "-C", str(ROOT), "rev-parse", "--verify", f"{revision}^{{commit}}"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    folder = ROOT / ".webdyno" / "benchmarks" / f"before-{commit[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    archive = subprocess.run(
        ["git", "-C", str(ROOT), "archive", commit, "engine"], check=True, capture_output=True
    ).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=archive, check=True)
    manifest = str(folder / "engine" / "Cargo.toml")
    subprocess.run(
        [
            *("cargo", "build", "--release", "--quiet", "--locked", "--examples"),
            *("--manifest-path", manifest),
        ],
        check=True,
        env={**os.environ, "CARGO_TARGET_DIR": str(folder / "target")},
    )
    return folder / "target" / "release" / "examples" / "load"


def _once(bench: Bench, tool: Tool, command: Command | None) -> Callable[[], Measured]:
    def once() -> Measured:
        if command is None:
            raise Failed(f"{tool.name}: no such load")
        return bench.run(tool, command)

    return once


def _cpu(measured: Measured) -> float:
    return measured.cpu_us


def _tell(rounds: Rounds, name: str, to: str, limit: float | None = None) -> None:
    """One line: CPU per request of both, their ratio with its range, and whether it is allowed."""
    found = ratios(rounds, name, to, _cpu)
    if not found:
        print(f"  {name} / {to}: no round has both")
        return
    middle = statistics.median(found)
    said = f"{median(rounds, name, _cpu):.2f} / {median(rounds, to, _cpu):.2f} µs"
    judged = "" if limit is None else f"  ({'within' if middle <= limit else 'ABOVE'} {limit})"
    spread = f"{found[0]:.3f}–{found[-1]:.3f}"
    print(f"  {name} / {to}: {middle:.3f} ({spread}), {said} of CPU per request{judged}")


if __name__ == "__main__":
    main()
