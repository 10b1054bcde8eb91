"""Running a gate, and what came of it."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from gates.table import Gate

_NO_TESTS = 5
"""How pytest ends where no test was chosen."""


@dataclass(frozen=True)
class Outcome:
    """A gate that was run."""

    gate: Gate
    ok: bool
    seconds: float
    output: str
    empty: bool = False
    """Whether it found nothing to do."""

    def summary_lines(self) -> list[str]:
        """The tool's own lines of result, such as `12 passed in 3.4s`."""
        if self.gate.summary is None:
            return []
        return re.findall(self.gate.summary, _COLOUR.sub("", self.output), re.MULTILINE)


_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def run_gate(gate: Gate, root: Path, log: Path) -> Outcome:
    """Run `gate` at `root`, its output in `log`. A program that is missing counts as a failure."""
    started = time.monotonic()
    log.parent.mkdir(parents=True, exist_ok=True)
    try:
        with log.open("wb") as file:
            code = subprocess.run(
                gate.command,
                cwd=root,
                env={**_inherited(log.parent.parent), **gate.env},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
            ).returncode
        output = log.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        code, output = 127, f"{gate.command[0]}: {error.strerror}\n"
    empty = gate.may_be_empty and code == _NO_TESTS
    return Outcome(gate, code == 0 or empty, time.monotonic() - started, output, empty)


def run_gates(
    chosen: Sequence[Gate], root: Path, home: Path, begins: Callable[[Gate], None]
) -> Iterator[Outcome]:
    """Run all of them, the lanes beside each other and then those without one; gives each outcome
    as it comes. `begins` is told of each gate, from any thread."""
    lanes: dict[str, list[Gate]] = {}
    for gate in chosen:
        if gate.lane:
            lanes.setdefault(gate.lane, []).append(gate)

    def run(gate: Gate) -> Outcome:
        begins(gate)
        return run_gate(gate, root, home / "test" / f"{gate.name}.log")

    with ThreadPoolExecutor() as pool:
        running = {pool.submit(run, lane.pop(0)): lane for lane in lanes.values()}
        while running:
            for ended in wait(running, return_when=FIRST_COMPLETED).done:
                if lane := running.pop(ended):
                    running[pool.submit(run, lane.pop(0))] = lane
                yield ended.result()
    for gate in chosen:
        if not gate.lane:
            yield run(gate)


def _inherited(home: Path) -> dict[str, str]:
    # What this call was given is not what the tests' own calls are about.
    own = ("WEBDYNO_PROGRAM", "WEBDYNO_CONTENT", "PYTHONDONTWRITEBYTECODE")
    env = {name: value for name, value in os.environ.items() if name not in own}
    if os.environ.get("PYTHONDONTWRITEBYTECODE"):
        # Who sets it wants no files among the sources. Without any, each of the hundreds of
        # programs that the tests start would compile what it imports.
        env.setdefault("PYTHONPYCACHEPREFIX", str(home / "pycache"))
    return env
