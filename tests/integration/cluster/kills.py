"""Kills at random: `python -m integration.cluster.kills --rounds 50`, with `src:tests` as the path.

Each round runs a study on machines, and at a random moment kills one of: the run itself, an agent,
what does the study's work on the server's machine, the keeper of that machine. Then nothing of the
study may be left on any machine, and no trial that was told as done may be missing in the store.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from integration.cluster.conftest import Lab, ended, within
from support.hello_server import write_hello_server
from webdyno.runtime.processes.supervision import terminate_like_interrupt

STUDY = """
name = "kills"
title = "Kills"
question = "What is left?"
servers = ["python/far"]
scenarios = ["hello"]
budget = "60s"
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
max = 6
"""
VICTIMS = ("run", "agent", "worker", "keeper")
LONGEST_S = 12.0
"""The last moment of a run, or of its trials, at which something is killed."""

IN_TRIALS = 0.8
"""How often it is in the midst of trials; else from the start of the run on."""


def marked(lab: Lab, machine: str, *words: str) -> list[int]:
    """The processes on a machine whose commands hold one of the words."""
    commands = lab.network.commands(machine)
    return [pid for pid, command in commands.items() if any(word in command for word in words)]


def left(lab: Lab) -> dict[str, list[int]]:
    """What is left of a study, by machine."""
    found = {
        "server": marked(lab, "server", "cluster.worker", "server.py"),
        **{name: lab.agents(name) for name in ("head", "a", "b", "server")},
    }
    found["server"] += marked(lab, "server", "cluster.worker", "server.py")
    return {name: pids for name, pids in found.items() if pids}


def stored(lab: Lab, run: str) -> int:
    """Trials of a run in the store."""
    file = lab.folder / "kept.json"
    done = lab.run("head", "report", run, "--json", str(file))
    if done.returncode:
        return 0
    return len(json.loads(file.read_text())["trials"])


def victims(lab: Lab, kind: str) -> list[int]:
    """The processes that make up what is killed."""
    if kind == "run":
        return marked(lab, "head", "kills.toml")
    if kind == "agent":
        return lab.agents(random.choice(("a", "b")))
    return marked(lab, "server", "cluster.worker" if kind == "worker" else "cluster.keeper")


def one_round(lab: Lab, kind: str, after_s: float) -> list[str]:
    """Kill once; gives what is wrong afterwards."""
    process = lab.start("head", "run", "kills.toml", "--machines", "--plain")
    lines: list[str] = []
    # What is under way is told on one, what came of it on the other.
    reading = [
        threading.Thread(target=lines.extend, args=(stream,), daemon=True)
        for stream in (process.stdout, process.stderr)
    ]
    for one in reading:
        one.start()
    if random.random() < IN_TRIALS:
        within(60, lambda: any(line.startswith("In ") for line in list(lines)))
    time.sleep(after_s)
    killed = victims(lab, kind)
    told = sum(": ok" in line for line in list(lines) if line.startswith("block"))
    for pid in killed:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    if kind == "keeper":
        within(20, lambda: not lab.network.pids("server"))
        again = ended(lab.join("server", "--roles", "server"))
        if again.returncode:
            return [f"the server's machine cannot join again: {again.stderr.strip()}"]
    try:
        process.wait(180)
    except subprocess.TimeoutExpired:
        process.kill()
        return ["the run does not end"]
    for one in reading:
        one.join(10)
    wrong = []
    if any("Traceback" in line for line in lines):
        wrong.append(f"a traceback: {lines[-1].strip()}")
    if not within(30, lambda: not left(lab)):
        wrong.append(f"left: {left(lab)}")
    runs = sorted((lab.home("head") / "runs").glob("*"))
    if told and (kept := stored(lab, runs[-1].name)) < told:
        wrong.append(f"{told} trials were told of, {kept} are stored")
    print(f"  killed {len(killed)}, {told} trials before, exit {process.returncode}", flush=True)
    return wrong


def main() -> int:
    """Run the rounds; 1 where anything was left or lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random.seed(given.seed)
    os.environ["PYTHONUNBUFFERED"] = "1"  # What a run tells is read while it goes on.
    terminate_like_interrupt()
    bad, seen = 0, Counter[str]()
    with tempfile.TemporaryDirectory(prefix="webdyno-kills-") as folder:
        lab = Lab(Path(folder))
        try:
            write_hello_server(lab.folder / "content", "far", each="time.sleep(0.01)")
            os.environ["WEBDYNO_CONTENT"] = str(lab.folder / "content")
            (lab.folder / "kills.toml").write_text(STUDY)
            started = lab.run("head", "machines", "start", "--address", lab.address("head"))
            assert started.returncode == 0, started.stderr
            for name, role in (("a", "generator"), ("b", "generator"), ("server", "server")):
                joined = ended(lab.join(name, "--roles", role))
                assert joined.returncode == 0, joined.stderr
            for number in range(given.rounds):
                kind, after_s = random.choice(VICTIMS), random.uniform(0.0, LONGEST_S)
                print(f"{number + 1}: the {kind}, after {after_s:.1f} s", flush=True)
                wrong = one_round(lab, kind, after_s)
                for line in wrong:
                    print(f"  WRONG: {line}", flush=True)
                bad += bool(wrong)
                seen[kind] += 1
        finally:
            lab.network.close()
    print(f"{given.rounds} rounds ({dict(seen)}): {bad} bad")
    return 1 if bad else 0


if __name__ == "__main__":
    raise SystemExit(main())
