"""Kills at random: `python -m integration.cluster.kills --rounds 50`, with `src:tests` as the path.

Each round runs a study on machines, and at a random moment kills one of: the run itself, an agent,
what does the study's work on the server's machine, the keeper of that machine. Then nothing of the
study may be left on any machine: no process, open port, file or control group. No trial that was
told as done may be missing in the store, and a run that was not killed ends in time, with an exit
code and in words that `docs/machines.md` has. The tally says how often it ended how.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from integration.cluster.conftest import Lab, ended, within
from integration.cluster.leftovers import Leftovers
from support.hello_server import write_hello_server
from webdyno.runtime.processes.supervision import terminate_like_interrupt

STUDY = """
name = "kills"
title = "Kills"
question = "What is left?"
servers = ["python/far"]
scenarios = ["hello"]
budget = "30s"
sentinel = false
[warmup]
min = "200ms"
max = "400ms"
[[loads]]
name = "closed"
kind = "closed"
connections = 4
duration = "300ms"
[blocks]
min = 3
max = 4
"""
VICTIMS = ("run", "agent", "worker", "keeper")
LONGEST_S = 12.0
"""The last moment of a run, or of its trials, at which something is killed."""

IN_TRIALS = 0.8
"""How often it is in the midst of trials; else from the start of the run on."""

ENDS_WITHIN_S = 180.0
NAMES = {"a": "generator", "b": "generator", "server": "server"}


@dataclass
class Round:
    """What came of a kill."""

    kind: str
    killed: int = 0
    told: int = 0
    code: int | None = None
    reason: str = ""
    lasted_s: float = 0.0
    wrong: list[str] = field(default_factory=list)

    def ending(self) -> str:
        """For the tally: without what differs from round to round."""
        said = re.sub(r"\d+(\.\d+)* ", "N ", self.reason)
        return f"{self.kind}: exit {self.code}{': ' + said if said else ''}"


def victims(lab: Lab, kind: str) -> list[int]:
    """The processes that make up what is killed."""
    if kind == "run":
        return lab.marked("head", "kills.toml")
    if kind == "agent":
        return lab.agents(random.choice(("a", "b")))
    return lab.marked("server", "far_servers.worker" if kind == "worker" else "keeper.keeper")


def one_round(lab: Lab, left: Leftovers, kind: str, after_s: float) -> Round:
    """Kill once."""
    found = Round(kind)
    before, runs_before = left.seen(), _runs(lab)
    began = time.monotonic()
    process = lab.start("head", "run", "kills.toml", "--machines", "--plain")
    lines: list[str] = []
    errors: list[str] = []
    # What is under way is told on one, what came of it on the other.
    reading = [
        threading.Thread(target=into.extend, args=(stream,), daemon=True)
        for into, stream in ((lines, process.stdout), (errors, process.stderr))
    ]
    for one in reading:
        one.start()
    if random.random() < IN_TRIALS:
        within(60, lambda: any(line.startswith("In ") for line in [*lines, *errors]))
    time.sleep(after_s)
    killed = victims(lab, kind)
    found.killed = len(killed)
    found.told = sum(": ok" in line for line in [*lines, *errors] if line.startswith("block"))
    for pid in killed:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if kind == "keeper":
        within(20, lambda: not lab.network.pids("server"))
        again = ended(lab.join("server", "--roles", "server"))
        if again.returncode:
            found.wrong.append(f"the machine cannot join again: {again.stderr.strip()}")
    try:
        found.code = process.wait(ENDS_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()
        found.wrong.append("the run does not end")
    found.lasted_s = time.monotonic() - began
    for one in reading:
        one.join(10)
    found.reason = _reason(found.code, errors)
    found.wrong += _judged(found, [*lines, *errors], lab.address("server"))
    within(30, lambda: not left.since(before))
    found.wrong += [f"left: {one}" for one in left.since(before)]
    made = sorted(_runs(lab) - runs_before)
    kept = stored(lab, made[-1]) if made else 0
    if kept < found.told:
        found.wrong.append(f"{found.told} trials were told of, {kept} are stored")
    if found.wrong:
        found.wrong += [f"> {line.rstrip()}" for line in [*lines[-30:], *errors[-30:]]]
    return found


def _runs(lab: Lab) -> set[str]:
    return {one.name for one in (lab.home("head") / "runs").glob("*")}


def _reason(code: int | None, errors: list[str]) -> str:
    said = [line.strip() for line in errors if line.startswith("webdyno:")]
    return said[-1] if code == 2 and said else ""


def _judged(found: Round, lines: list[str], server: str) -> list[str]:
    """What is wrong with how a run ended; `server` is the machine that may be lost."""
    if any("Traceback" in line or "fault of Webdyno" in line for line in lines):
        return ["a traceback"]
    if found.kind == "run" and found.killed:
        allowed = {-signal.SIGKILL}
    elif found.kind == "agent" or not found.killed:
        allowed = {0, 1}
    else:
        allowed = {0, 1, 2}
    if found.code not in allowed:
        return [f"exit {found.code} is not to be expected here"]
    if found.code == 2 and server not in found.reason:
        return [f"exit 2 does not name the machine: {found.reason}"]
    if found.code == 2 and found.told and "--resume" not in found.reason:
        return [f"exit 2 does not say how to go on: {found.reason}"]
    return []


def stored(lab: Lab, run: str) -> int:
    """Trials of a run in the store."""
    file = lab.folder / "kept.json"
    done = lab.run("head", "report", run, "--json", str(file))
    if done.returncode:
        return 0
    return len(json.loads(file.read_text())["trials"])


def made_ready(lab: Lab) -> None:
    """A cluster of four machines, and a study for it."""
    write_hello_server(lab.folder / "content", "far", each="time.sleep(0.01)")
    os.environ["WEBDYNO_CONTENT"] = str(lab.folder / "content")
    (lab.folder / "kills.toml").write_text(STUDY)
    started = lab.run("head", "machines", "start", "--address", lab.address("head"))
    assert started.returncode == 0, started.stderr
    for name, role in NAMES.items():
        joined = ended(lab.join(name, "--roles", role))
        assert joined.returncode == 0, joined.stderr


def main() -> int:
    """Run the rounds; 1 where anything was left or lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random.seed(given.seed)
    print(f"seed {given.seed}", flush=True)
    os.environ["PYTHONUNBUFFERED"] = "1"  # What a run tells is read while it goes on.
    terminate_like_interrupt()
    bad, seen, endings = 0, Counter[str](), Counter[str]()
    # Short, for the paths of Ray's sockets are below it.
    with tempfile.TemporaryDirectory(prefix="k", dir="/tmp") as folder:
        os.environ["TMPDIR"] = folder
        lab = Lab(Path(folder))
        try:
            made_ready(lab)
            left = Leftovers(lab)
            for number in range(given.rounds):
                kind, after_s = random.choice(VICTIMS), random.uniform(0.0, LONGEST_S)
                print(f"{number + 1}: the {kind}, after {after_s:.1f} s", flush=True)
                found = one_round(lab, left, kind, after_s)
                print(
                    f"  killed {found.killed}, {found.told} trials before, exit {found.code} "
                    f"after {found.lasted_s:.0f} s {found.reason}",
                    flush=True,
                )
                for line in found.wrong:
                    print(f"  WRONG: {line}", flush=True)
                bad += bool(found.wrong)
                seen[kind] += 1
                endings[found.ending()] += 1
        finally:
            lab.network.close()
    print(f"{given.rounds} rounds ({dict(seen)}): {bad} bad")
    for ending, count in endings.most_common():
        print(f"{count:4}  {ending}")
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
