"""A whole run as a user makes it: real servers, real load, the stored and written results."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import webdyno
from support.small_study import matchups
from webdyno.report.formats.json_export import schema
from webdyno.run.study.plan import order_of_block
from webdyno.store.records import RunRecord
from webdyno.store.store import Store
from webdyno.trial.starting.start import mark_of

pytestmark = pytest.mark.concurrent

ROOT = Path(__file__).resolve().parents[2]
Cli = Callable[..., subprocess.CompletedProcess[str]]

STUDY = """
name = "small"
title = "Small"
question = "Does one run go through?"
servers = ["node/http", "python/starlette@one-process"]
scenarios = ["json", { name = "hello", parameters = { answers = 12 } }]
budget = "400s"
[[loads]]
name = "closed-8"
kind = "closed"
connections = 8
duration = "300ms"
[warmup]
min = "200ms"
max = "300ms"
[blocks]
min = 3
max = 3
"""


class Finished:
    """What a run left: files, output, and the stored record."""

    def __init__(self, folder: Path, out: str, err: str, record: RunRecord) -> None:
        self.folder, self.out, self.err, self.record = folder, out, err, record

    def exported(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads((self.folder / "run.json").read_text())
        return data


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("study") / "small.toml"
    path.write_text(STUDY)
    return path


@pytest.fixture(scope="session")
def finished(
    cli: Cli, home: Path, study: Path, tmp_path_factory: pytest.TempPathFactory
) -> Finished:
    """A finished run of the small study."""
    folder = tmp_path_factory.mktemp("results")
    done = cli(
        "run", str(study), "--plain",
        "--json", str(folder / "run.json"), "--html", str(folder / "r.html"), timeout_s=500,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return Finished(folder, done.stdout, done.stderr, stored(home))


def stored(home: Path) -> RunRecord:
    store = Store.open(home / "webdyno.sqlite")
    try:
        return store.run("latest")
    finally:
        store.close()


def test_every_trial_is_measured_and_proven(finished: Finished) -> None:
    trials = finished.record.trials
    assert len(trials) == 3 * 2 * 2
    assert [(t.entry, t.scenario, t.status, t.reason) for t in trials if t.status != "ok"] == []
    for trial in trials:
        measured = trial.measurement
        assert measured is not None
        counts = measured.counts
        assert counts.ok > 0
        assert counts.offered == counts.sent + counts.not_sent + counts.refused
        assert {evidence.phase for evidence in trial.evidence} >= {"before", "during", "after"}
        assert all(evidence.ok for evidence in trial.evidence)
        memory = measured.memory_bytes
        assert memory.start is not None
        assert memory.peak_rss is not None
        # A page that another test's programs map, too, is a server's own in part only, and in a
        # smaller part while they run: what it held alone compares with all that is mapped.
        assert memory.peak >= memory.mean > 1e6
        assert memory.peak_rss > 1e6
        assert all(1e6 < held < 2 * memory.peak_rss for held in (memory.start, memory.idle))
        assert min(measured.cpu_us_per_request[role] for role in ("server", "generator")) > 0
        assert trial.bottleneck
        assert trial.start_seconds is not None
        assert 0 < trial.start_seconds < 30


def test_blocks_hold_everything_once_in_the_order_drawn_for_each(
    finished: Finished, study: Path
) -> None:
    """By chance, the orders of three blocks are one and the same in one run of 64."""
    blocks: dict[int, list[tuple[str, str]]] = {}
    for trial in finished.record.trials:
        blocks.setdefault(trial.block, []).append((trial.entry, trial.scenario))
    every = matchups(webdyno.load_study(study))
    drawn = [order_of_block(every, finished.record.id, block) for block in range(3)]
    assert [blocks[block] for block in sorted(blocks)] == [
        [(matchup.entry.label, matchup.cell.title) for matchup in order] for order in drawn
    ]


def test_the_json_is_as_published(finished: Finished) -> None:
    exported = finished.exported()
    jsonschema.validate(exported, schema())
    assert len(exported["trials"]) == 12
    assert {verdict["scenario"] for verdict in exported["verdicts"]} == {"json", "hello"}


def test_the_table_and_the_report_tell_the_answer(finished: Finished) -> None:
    for text in (finished.out, (finished.folder / "r.html").read_text()):
        assert "Does one run go through?" in text
        assert "node/http" in text
        assert "python/starlette" in text


def test_a_stored_run_can_be_reported_again(cli: Cli, finished: Finished, tmp_path: Path) -> None:
    page, summary, picture = (tmp_path / name for name in ("a.html", "a.md", "a.svg"))
    done = cli(
        "report", finished.record.id[:15],
        "--html", str(page), "--markdown", str(summary), "--picture", str(picture),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "node/http" in summary.read_text()
    assert picture.read_text().lstrip().startswith("<svg")
    assert page.read_text() == (finished.folder / "r.html").read_text()


def test_a_run_compared_with_itself_has_not_changed(cli: Cli, finished: Finished) -> None:
    done = cli("compare", finished.record.id, finished.record.id)
    assert done.returncode == 0, done.stderr
    # A disturbed machine may leave too few trials that count: two of each take part.
    counted = Counter(
        (t.entry, t.scenario) for t in finished.record.trials if t.is_evidence and not t.control
    )
    enough = max(counted.values(), default=0) >= 2
    assert ("no regression beyond 3%" if enough else "nothing was compared") in done.stdout


def test_nothing_is_left_behind(finished: Finished) -> None:
    assert not processes_with(f"WEBDYNO_TRIAL={mark_of(finished.record.id)}")


def test_a_killed_run_goes_on_where_it_was(
    cli: Cli, tmp_path: Path, home: Path, environment: dict[str, str]
) -> None:
    study = tmp_path / "small.toml"
    short = STUDY.replace(', { name = "hello", parameters = { answers = 12 } }', "")
    study.write_text(short.replace("min = 3\nmax = 3", "min = 2\nmax = 2"))
    process = subprocess.Popen(
        [sys.executable, "-m", "webdyno", "run", str(study), "--plain"],
        cwd=ROOT, env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert process.stderr is not None
    seen = 0
    for line in process.stderr:
        seen += " of 2:" in line
        if seen == 2:
            break
    inner = children_of(process.pid)
    os.kill(inner[0], signal.SIGKILL)
    process.stderr.close()
    assert process.wait(60) == 128 + signal.SIGKILL
    killed = stored(home)
    assert killed.status == "running"
    assert 2 <= len(killed.trials) < 4
    assert not processes_with(f"WEBDYNO_TRIAL={mark_of(killed.id)}")

    done = cli("run", str(study), "--plain", "--resume", "latest")
    assert done.returncode == 0, done.stderr
    resumed = stored(home)
    assert (resumed.id, resumed.status) == (killed.id, "finished")
    assert [t.index for t in resumed.trials] == list(range(4))
    before = {trial.index: trial for trial in killed.trials}
    assert all(resumed.trials[index] == trial for index, trial in before.items())


def test_ctrl_c_keeps_what_was_measured(
    study: Path, home: Path, environment: dict[str, str], finished: Finished
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "webdyno", "run", str(study), "--plain"],
        cwd=ROOT, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    assert process.stderr is not None
    for line in process.stderr:
        if " of 4:" in line:
            break
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    run = stored(home)
    assert run.status == "interrupted"
    assert run.trials
    assert "interrupted" in out
    assert not processes_with(f"WEBDYNO_TRIAL={mark_of(run.id)}")


def processes_with(marker: str) -> list[int]:
    """Pids of live processes whose environment holds `marker`, given a moment to be gone."""
    deadline = time.monotonic() + 20
    while True:
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                environment = Path(f"/proc/{name}/environ").read_bytes()
            except OSError:
                continue
            if marker.encode() in environment:
                found.append(int(name))
        if not found or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


def children_of(pid: int) -> list[int]:
    return [int(p) for p in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
