"""Running a gate, and what came of it."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from gates.table import Gate

_FAILED, _NO_TESTS = 1, 5
"""How pytest ends where tests failed, and where none was chosen."""

_BY_CHANCE = 5
"""Where more than so many tests fail, it is no chance."""

_FAILURE = re.compile(r"^(FAILED|ERROR) (\S+?\.py)(::.*?)?(?: - (.*))?$", re.MULTILINE)
"""A line of pytest's short summary: whether it was the test or its set-up, the file, the test, and
why, as much as pytest tells there (all of it on a build server)."""


@dataclass(frozen=True)
class Outcome:
    """A gate that was run."""

    gate: Gate
    ok: bool
    seconds: float
    output: str
    empty: bool = False
    """Whether it found nothing to do."""
    spoilt: tuple[str, ...] = ()
    """The tests that failed, and why, and passed when they were run again."""

    def summary_lines(self) -> list[str]:
        """The tool's own lines of result, such as `12 passed in 3.4s`, and what was spoilt."""
        if self.gate.summary is None:
            return []
        own = re.findall(self.gate.summary, _COLOUR.sub("", self.output), re.MULTILINE)
        return [*own, *(f"passed when run again: {name}" for name in self.spoilt)]


_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def run_gate(gate: Gate, root: Path, log: Path) -> Outcome:
    """Run `gate` at `root`, its output in `log`. A program that is missing counts as a failure.

    Where a few of its tests fail, these are run once more, and what comes of that counts.
    """
    started = time.monotonic()
    log.parent.mkdir(parents=True, exist_ok=True)
    log.unlink(missing_ok=True)
    code, output = _ended(gate, gate.command, root, log)
    failed = _FAILURE.findall(output) if gate.again and code == _FAILED else []
    spoilt: tuple[str, ...] = ()
    if failed and _causes(failed) <= _BY_CHANCE:
        files = {str((root / file).resolve()) for _, file, _, _ in failed}
        command = [word for word in gate.command if not _names_test_outside(word, root, files)]
        code, again = _ended(gate, [*command, *gate.again], root, log)
        output = f"{output}\nRun again, one at a time:\n{again}"
        if code == 0:
            told = (file + test + (f" ({why})" if why else "") for _, file, test, why in failed)
            spoilt = tuple(dict.fromkeys(told))
    empty = gate.may_be_empty and not failed and code == _NO_TESTS
    ok = code == 0 or empty
    return Outcome(gate, ok, time.monotonic() - started, output, empty, spoilt)


def _names_test_outside(word: str, root: Path, files: Collection[str]) -> bool:
    """Whether an argument names a single test, of a file that is none of `files`.

    Where pytest runs what failed, it skips the other files, and calls a test of theirs unknown.
    """
    file, named, _ = word.partition("::")
    path = root / file
    return bool(named) and path.is_file() and str(path.resolve()) not in files


def _ended(gate: Gate, command: list[str], root: Path, log: Path) -> tuple[int, str]:
    """Run `command` for `gate`; gives its exit code, and what it printed, which `log` gets, too."""
    try:
        with log.open("ab") as file:
            start = file.tell()
            code = subprocess.run(
                ["nice", "-n", str(gate.nice), *command] if gate.nice else command,
                cwd=root,
                env={**_inherited(log.parent.parent), **gate.env},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
            ).returncode
        return code, log.read_bytes()[start:].decode(errors="replace")
    except OSError as error:
        return 127, f"{command[0]}: {error.strerror}\n"


def _causes(failed: list[tuple[str, str, str, str]]) -> int:
    """How much went wrong: a set-up that the tests of a file share fails for all of them."""
    return len({file if kind == "ERROR" else file + test for kind, file, test, _ in failed})


def run_gates(
    chosen: Sequence[Gate], root: Path, home: Path, begins: Callable[[Gate], None]
) -> Iterator[Outcome]:
    """Run all of them, stage by stage, a stage's lanes beside each other; gives each outcome as it
    comes. `begins` is told of each gate, from any thread."""

    def run(gate: Gate) -> Outcome:
        begins(gate)
        return run_gate(gate, root, home / "test" / f"{gate.name}.log")

    for stage in sorted({gate.stage for gate in chosen}):
        lanes: dict[str, list[Gate]] = {}
        for gate in chosen:
            if gate.stage == stage:
                lanes.setdefault(gate.lane, []).append(gate)
        with ThreadPoolExecutor() as pool:
            running = {pool.submit(run, lane.pop(0)): lane for lane in lanes.values()}
            while running:
                for ended in wait(running, return_when=FIRST_COMPLETED).done:
                    if lane := running.pop(ended):
                        running[pool.submit(run, lane.pop(0))] = lane
                    yield ended.result()


def _inherited(home: Path) -> dict[str, str]:
    # What this call was given is not what the tests' own calls are about.
    own = ("WEBDYNO_PROGRAM", "WEBDYNO_CONTENT", "PYTHONDONTWRITEBYTECODE")
    env = {name: value for name, value in os.environ.items() if name not in own}
    if os.environ.get("PYTHONDONTWRITEBYTECODE"):
        # Who sets it wants no files among the sources. Without any, each of the hundreds of
        # programs that the tests start would compile what it imports.
        env.setdefault("PYTHONPYCACHEPREFIX", str(home / "pycache"))
    return env
