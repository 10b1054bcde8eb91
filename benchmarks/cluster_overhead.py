"""`python -m benchmarks.cluster_overhead`: what a trial takes more over machines than on one.

Four network namespaces of this machine are a head, a server's machine and two load machines. The
same study of one small server runs on the server's machine alone and over all four, in turn; of
each trial all that passes until the next one begins is counted, but for what its warm-up and its
load last. Told is the median of each way, and of the steps that differ.

It needs root, `ip`, and the extra `cluster`. All machines share this one's cores: machines of their
own are no slower.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from support.hello_server import write_hello_server  # noqa: E402 (the path comes first)
from support.namespaces import Network  # noqa: E402

BLOCKS = 6
STUDY = f"""
name = "overhead"
title = "Overhead"
question = "What does a trial take beside its load?"
servers = ["python/small"]
scenarios = ["hello"]
budget = "5m"
sentinel = false

[warmup]
min = "200ms"
max = "400ms"

[[loads]]
name = "closed"
kind = "closed"
connections = 8
duration = "500ms"

[blocks]
min = {BLOCKS}
max = {BLOCKS}
"""


def main() -> int:
    """Measure and print; gives the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4, help="runs of each way, in turn")
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        lab = _Lab(Path(folder))
        try:
            lab.up()
            trials: dict[str, list[list[dict[str, Any]]]] = {"one": [], "several": []}
            for number in range(rounds):
                ways = [("one", "server", ()), ("several", "head", ("--machines",))]
                for way, machine, options in ways if number % 2 else reversed(ways):
                    trials[way].append(lab.study(machine, *options))
        finally:
            lab.network.close()
    print(_table(trials["one"], trials["several"]))
    return 0


class _Lab:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.network = Network(["head", "server", "a", "b"])
        write_hello_server(folder / "content", "small")
        (folder / "overhead.toml").write_text(STUDY, encoding="utf-8")

    def up(self) -> None:
        head = self.network.address("head")
        self._webdyno("head", "machines", "start", "--address", head)
        self._webdyno("server", "machines", "join", head, "--roles", "server")
        for name in ("a", "b"):
            self._webdyno(name, "machines", "join", head)

    def study(self, machine: str, *options: str) -> list[dict[str, Any]]:
        """The trials of a run from `machine`."""
        told = self._folder / "told.json"
        self._webdyno(machine, "run", "overhead.toml", "--plain", "--json", str(told), *options)
        found: list[dict[str, Any]] = json.loads(told.read_text(encoding="utf-8"))["trials"]
        if failed := [one["reason"] for one in found if one["status"] != "ok"]:
            raise SystemExit(f"a trial failed: {failed[0]}")
        return found

    def _webdyno(self, machine: str, *arguments: str) -> None:
        environment = {
            **os.environ,
            "WEBDYNO_HOME": str(self._folder / machine),
            "WEBDYNO_MACHINES_SECRET": str(self._folder / "head" / "machines" / "secret"),
            "WEBDYNO_CONTENT": str(self._folder / "content"),
            "PYTHONPATH": str(ROOT / "src"),
        }
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        command = [sys.executable, "-m", "webdyno", *arguments]
        done = self.network.start(machine, *command, env=environment, cwd=self._folder, **pipes)
        said, _ = done.communicate()
        if done.returncode:
            raise SystemExit(f"webdyno {' '.join(arguments)} ended with {done.returncode}: {said}")


def _table(one: list[list[dict[str, Any]]], several: list[list[dict[str, Any]]]) -> str:
    names = list(dict.fromkeys(name for run in several for trial in run for name in _steps(trial)))
    rows = [("beside warm-up and load", _beside(one), _beside(several))]
    rows += [(f"of it: {name}", _of(name, one), _of(name, several)) for name in names]
    lines = [
        f"{len(_beside(one))} and {len(_beside(several))} trials, medians in ms",
        "",
        "| | on one machine | over four | more |",
        "|---|---|---|---|",
    ]
    for name, here, there in rows:
        a, b = median(here) * 1e3, median(there) * 1e3
        lines.append(f"| {name} | {a:,.0f} | {b:,.0f} | {b - a:+,.0f} |")
    return "\n".join(lines)


def _beside(runs: list[list[dict[str, Any]]]) -> list[float]:
    """Of each trial but the last of its run."""
    found = []
    for run in runs:
        for trial, following in pairwise(run):
            loaded_s = trial["elapsed_s"] + trial["warmup"]["seconds"]
            found.append(_begun(following) - _begun(trial) - loaded_s)
    return found


def _begun(trial: dict[str, Any]) -> float:
    return datetime.fromisoformat(trial["started"]).timestamp()


def _steps(trial: dict[str, Any]) -> dict[str, float]:
    """What each step took beside warm-up and load."""
    steps = dict(trial["step_seconds"])
    steps["warm-up"] -= trial["warmup"]["seconds"]
    steps["measure"] -= trial["elapsed_s"]
    return steps


def _of(name: str, runs: list[list[dict[str, Any]]]) -> list[float]:
    return [_steps(trial).get(name, 0.0) for run in runs for trial in run]


if __name__ == "__main__":
    sys.exit(main())
