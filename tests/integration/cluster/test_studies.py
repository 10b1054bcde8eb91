"""Studies on machines: the server on one, its load from two, the run kept by a fourth."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from integration.cluster.conftest import Lab, ended, within
from support.hello_server import write_hello_server
from support.quiet import first_of

pytestmark = pytest.mark.long

LATE = " ms late through its own fault"
IDLE = " saturated neither its cores nor a thread"

STUDY = """
name = "{name}"
title = "Far"
question = "Does a study run on machines?"
servers = ["python/far"]
scenarios = ["hello"]
budget = "20s"
sentinel = false

[warmup]
min = "200ms"
max = "600ms"

[[loads]]
name = "closed"
kind = "closed"
connections = 4
duration = "{seconds}s"
slice = "100ms"

[blocks]
min = 1
max = 1
"""


@pytest.fixture(scope="module")
def content(lab: Lab) -> Iterator[Path]:
    """A server and studies that no other machine has."""
    folder = lab.folder / "content"
    write_hello_server(folder, "far", each="time.sleep(0.02)")
    for name, loops in (("busy", 300_000), ("busier", 600_000)):
        write_hello_server(folder, name, each=f"sum(range({loops}))")
    for name, seconds in (("short", 1), ("long", 30)):
        (lab.folder / f"{name}.toml").write_text(STUDY.format(name=name, seconds=seconds))
    turns = STUDY.format(name="turns", seconds=1).replace("python/far", "python/busy")
    turns = turns.replace('"python/busy"', '"python/busy", "python/busier"')
    (lab.folder / "turns.toml").write_text(turns)
    before = os.environ.get("WEBDYNO_CONTENT")
    os.environ["WEBDYNO_CONTENT"] = str(folder)
    yield folder
    if before is None:
        del os.environ["WEBDYNO_CONTENT"]
    else:
        os.environ["WEBDYNO_CONTENT"] = before


@pytest.fixture(scope="module")
def placement(lab: Lab) -> Path:
    """Says which machine does what."""
    file = lab.folder / "machines.toml"
    roles = {"server": "server", "a": "generator", "b": "generator"}
    lines = [f'[head]\naddress = "{lab.address("head")}"']
    for name, role in roles.items():
        lines.append(f'[[machine]]\naddress = "{lab.address(name)}"\nroles = ["{role}"]')
    file.write_text("\n".join(lines))
    return file


def study(lab: Lab, name: str, *options: str) -> Any:
    return lab.start("head", "run", f"{name}.toml", "--machines", "--plain", *options)


def on_the_server(lab: Lab) -> list[str]:
    """What runs on the server's machine for a study."""
    commands = lab.network.commands("server").values()
    return [one for one in commands if "far_servers.worker" in one or one.endswith("server.py")]


@pytest.mark.usefixtures("content", "placement")
def test_a_study_runs_on_machines_and_says_what_each_did(lab: Lab) -> None:
    done = ended(study(lab, "short", "--json", str(lab.folder / "run.json")))
    assert done.returncode == 0, done.stdout + done.stderr
    run = json.loads((lab.folder / "run.json").read_text())
    (trial,) = run["trials"]
    assert trial["status"] == "ok", trial["reason"]
    assert all(item["ok"] for item in trial["evidence"])
    assert run["machines"]["server"] == lab.address("server")
    agents = [lab.address("a"), lab.address("b")]
    assert run["machines"]["generators"] == agents
    assert trial["setup"]["load_machines"] == agents
    assert trial["setup"]["turns_note"]
    assert lab.address("server") in run["placement"]
    # Four connections, of which each waits for 20 ms.
    assert 100 < trial["throughput_rps"] <= 200
    assert trial["cpu"]["server"]["user_s"] > 0
    assert trial["memory_bytes"]["peak"] > 1e6
    told = trial["machines"]["agents"]
    assert sum(agent["counts"]["ok"] for agent in told) == trial["counts"]["ok"]
    home = lab.home("head") / "runs" / run["id"]
    assert (home / trial["log"]).is_file()
    assert within(15, lambda: not on_the_server(lab)), on_the_server(lab)


@pytest.mark.usefixtures("content", "placement")
def test_servers_take_turns_at_instants_that_all_machines_agree_on(lab: Lab) -> None:
    file = lab.folder / "turns.json"

    def run() -> Any:
        file.unlink(missing_ok=True)
        return ended(study(lab, "turns", "--json", str(file)))

    def undisturbed(_: Any) -> bool:
        trials = json.loads(file.read_text())["trials"] if file.exists() else []
        return not any(
            LATE in (trial["reason"] or "") or IDLE in (trial["setup"]["turns_note"] or "")
            for trial in trials
        )

    # All machines share this one's cores. An agent may be late, and its trial then does not count;
    # or the server may get too little to do, and then takes no turns.
    done = first_of(run, undisturbed)
    assert done.returncode == 0, done.stdout + done.stderr
    trials = json.loads(file.read_text())["trials"]
    assert {trial["server"] for trial in trials} == {"python/busy", "python/busier"}
    for trial in trials:
        assert trial["status"] == "ok", trial["reason"]
        assert all(item["ok"] for item in trial["evidence"])
        # Ten of 100 ms each, and perhaps what was left after the last.
        assert 10 <= trial["setup"]["turns"] <= 12, trial["setup"]["turns_note"]
        assert trial["setup"]["turn_s"] == 0.1
        told = trial["machines"]["agents"]
        assert {agent["turns"] for agent in told} == {trial["setup"]["turns"]}
        assert sum(agent["counts"]["ok"] for agent in told) == trial["counts"]["ok"]
        assert trial["elapsed_s"] == pytest.approx(1.0, abs=0.2)
    # While one was loaded, the other stood still.
    (first, second) = sorted(trials, key=lambda one: one["started"])
    assert second["started"] < first["finished"]
    assert first["away_seconds"] > second["elapsed_s"]


@pytest.mark.usefixtures("content", "placement")
def test_an_agent_that_dies_fails_its_trial_by_name(lab: Lab) -> None:
    process = study(lab, "long", "--json", str(lab.folder / "lost.json"))
    assert within(60, lambda: any("server.py" in one for one in on_the_server(lab)))
    assert within(30, lambda: bool(lab.agents("a")))
    (pid,) = lab.agents("a")
    os.kill(pid, signal.SIGKILL)
    done = ended(process)
    (trial,) = json.loads((lab.folder / "lost.json").read_text())["trials"]
    assert trial["status"] == "error"
    assert f"{lab.address('a')} is lost" in trial["reason"], trial["reason"]
    assert "Traceback" not in done.stderr
    assert within(15, lambda: not on_the_server(lab)), on_the_server(lab)


@pytest.mark.usefixtures("content", "placement")
def test_nothing_is_left_on_any_machine_when_the_run_is_killed(lab: Lab) -> None:
    process = study(lab, "long")
    assert within(60, lambda: any("server.py" in one for one in on_the_server(lab)))
    runs = [pid for pid, command in lab.network.commands("head").items() if "long.toml" in command]
    for pid in runs:
        os.kill(pid, signal.SIGKILL)
    process.wait()
    assert within(30, lambda: not on_the_server(lab)), on_the_server(lab)
    assert within(30, lambda: not lab.agents("a") and not lab.agents("b"))
