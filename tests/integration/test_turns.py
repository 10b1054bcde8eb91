"""Servers that take turns: one is awake at a time, and none gains or loses by the others' turns."""

from __future__ import annotations

import itertools
import json
import re
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.brief_noise import NOISE_S
from support.in_turns import DURATION_S, SLICE_S, Run, long_load, runs, study
from support.left_behind import alive
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.errors import UserError
from webdyno.run.run_study import run_study
from webdyno.run.settings import RunEnvironment, RunSettings
from webdyno.runtime.home import Home
from webdyno.runtime.ports import free_port
from webdyno.store.records import RunRecord
from webdyno.store.store import Store
from webdyno.trial.events import Event, StepStarted, TrialFinished, TurnEnded


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    """See `runs`."""
    with runs(tmp_path) as made:
        yield made


def state_of(pid: int) -> str:
    """The kernel's letter for what a process does: T where it is stopped, D where
    a control group holds it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


@dataclass(frozen=True)
class Seen:
    """A run that several tests read: what it gave and told, and what was seen of its servers."""

    made: RunRecord
    folder: Path
    events: list[Event]
    awake: Counter[int]
    """How often so many of its servers were seen awake."""

    def turns(self) -> list[str]:
        """Whose turns ended, in their order."""
        return [event.entry for event in self.events if isinstance(event, TurnEnded)]


def seen(folder: Path, what: StudyManifest) -> Seen:
    """Run `what` while somebody looks at its servers."""
    events: list[Event] = []
    awake: Counter[int] = Counter()
    over, begun = threading.Event(), threading.Event()
    others = set(alive())

    def listener(event: Event) -> None:
        events.append(event)
        if isinstance(event, TurnEnded):
            begun.set()
        # By then all have been loaded. Whoever is verified in turns stands still while nobody else
        # has one.
        if isinstance(event, StepStarted) and event.name == "audit":
            over.set()

    def watch() -> None:
        servers: list[int] = []
        while not over.wait(0.01):
            # Once only: to look through all processes takes a core that the load needs.
            servers = servers or ([*set(alive()) - others] if begun.is_set() else [])
            if servers:
                states = [state_of(pid) for pid in servers]
                # Once one has ended its record is made, while the others sleep.
                if not {"Z", ""} & set(states):
                    awake[sum(state not in ("T", "D") for state in states)] += 1

    watcher = threading.Thread(target=watch)
    with pytest.MonkeyPatch.context() as patch, runs(folder) as run:
        patch.setattr("webdyno.run.bench.observe.NOISE_S", NOISE_S)
        watcher.start()
        try:
            made = run(what, listener)
        finally:
            over.set()
            watcher.join()
    return Seen(made, folder, events, awake)


@pytest.fixture(scope="module")
def controlled(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """Two servers, one of them as its own control."""
    what = study("python/eager", "python/busy", control="python/eager")
    return seen(tmp_path_factory.mktemp("controlled"), what)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """The same two, without."""
    return seen(tmp_path_factory.mktemp("plain"), study("python/eager", "python/busy"))


def test_each_is_loaded_for_its_duration_while_the_others_sleep(controlled: Seen) -> None:
    ended, awake = controlled.made, controlled.awake
    assert [trial.status for trial in ended.trials] == ["ok"] * 3
    assert set(controlled.turns()) == {"python/eager", "python/eager (control)", "python/busy"}
    # Processes are looked at one after the other, so a look may fall between two turns.
    assert awake[1] > 0.8 * awake.total(), awake
    measurements = [trial.measurement for trial in ended.trials if trial.measurement is not None]
    rounds = min(measured.generator.slices for measured in measurements)
    assert rounds >= DURATION_S / SLICE_S - 1
    for trial, measured in zip(ended.trials, measurements, strict=True):
        assert measured.elapsed_s == pytest.approx(DURATION_S, abs=0.1)
        # Its own time is that of its steps. Between its first turn and its last, the other two had
        # theirs of every round but one: it may have been last in the first and first in the last.
        assert trial.away_seconds >= 2 * (rounds - 1) * SLICE_S
        assert trial.took_s == pytest.approx(sum(trial.step_seconds.values()), abs=0.5)
        assert trial.step_seconds["measure"] == pytest.approx(DURATION_S, abs=0.4)
        assert len(measured.series) == 1
        assert measured.observations[-1].t_s < DURATION_S + 0.3


def test_turns_go_round_and_the_record_keeps_them(plain: Seen) -> None:
    turns, made = plain.turns(), plain.made
    whole = turns[: len(turns) // 4 * 4]
    rounds = [whole[at : at + 2] for at in range(0, len(whole) - 4, 2)]
    assert len(rounds) > 5
    assert all(set(two) == {"python/eager", "python/busy"} for two in rounds)
    # Each order is followed by its reverse, so that no pair is far apart.
    for there, back in zip(rounds[::2], rounds[1::2], strict=False):
        assert back == there[::-1]
    kept = Store.open(plain.folder / "store.sqlite").run(made.id)
    away = {trial.index: trial.away_seconds for trial in made.trials}
    assert {trial.index: trial.away_seconds for trial in kept.trials} == away
    assert json.loads(kept.trials[0].model_dump_json())["away_seconds"] > 0
    for trial in kept.trials:
        assert trial.setup is not None
        assert trial.measurement is not None
        assert trial.setup.turns == trial.measurement.generator.slices
        assert trial.setup.connections == 4
        assert trial.setup.generator_threads == 1
        assert trial.measurement.cpu["server"].share < 1.25


def test_what_comes_after_a_load_begins_when_all_have_made_theirs(controlled: Seen) -> None:
    told: list[str] = []
    for event in controlled.events:
        if isinstance(event, TurnEnded):
            told.append("turn")
        if isinstance(event, StepStarted) and event.name in ("audit", "stop"):
            told.append("after")
    assert told.count("after") == 6
    # An audit or a slow stop between two turns would freeze the others beyond what servers give an
    # idle connection.
    assert "turn" not in told[told.index("after") :]


def takes_nothing_from_the_others(ended: RunRecord, server: str) -> None:
    (busy,) = (trial.measurement for trial in ended.trials if trial.server == server)
    assert busy is not None
    assert busy.generator.slices > 5
    used, ready = busy.cpu["server"].share, busy.cpu["server"].run_delay_s or 0.0
    # All of its own turns, as far as it had the core, and nothing in between: awake, it would have
    # used half of the other's turns as well.
    assert used < 1.25
    assert used + ready / busy.elapsed_s > 0.6


def test_a_server_that_never_rests_takes_nothing_from_the_others(plain: Seen) -> None:
    takes_nothing_from_the_others(plain.made, "python/busy")


@pytest.mark.long
def test_a_process_apart_that_never_rests_takes_nothing_from_the_others(run: Run) -> None:
    takes_nothing_from_the_others(run(study("python/eager", "python/apart")), "python/apart")


@pytest.mark.long
def test_requests_that_arrive_by_the_clock_do_so_in_turns(run: Run) -> None:
    # Their threads take each other's time, so answers take 5 ms and more.
    load = {
        "kind": "open", "phases": ["200/s:1s"], "arrivals": "uniform", "slice": "200ms",
        "timeout": "2s",
    }  # fmt: skip
    ended = run(study("python/busy", "python/eager", loads=[load]))
    for trial in ended.trials:
        assert trial.status == "ok", trial.reason
        measured = trial.measurement
        assert measured is not None
        assert measured.generator.slices >= 4
        assert measured.elapsed_s == pytest.approx(1.0, abs=0.1)
        assert measured.counts.offered == measured.counts.ok == 200
        # The other's turns are in none of its latencies.
        assert measured.latency_us is not None
        assert measured.latency_us.p99 < 190_000


@pytest.mark.long
def test_one_that_waits_gains_nothing_by_being_frozen(run: Run) -> None:
    ended = run(study("python/busy", "python/waits"))
    by_server = {trial.server: trial for trial in ended.trials}
    waiting, busy = by_server["python/waits"], by_server["python/busy"]
    assert waiting.measurement is not None
    assert busy.measurement is not None
    # Four connections, 20 ms each: no more than 200 answers a second, in one piece.
    assert waiting.measurement.generator.slices == 1
    assert waiting.measurement.throughput_rps <= 4 / 0.02
    # The other is measured as it is, or their figures would not compare.
    assert busy.measurement.generator.slices == 1
    for trial in (waiting, busy):
        assert trial.setup is not None
        assert trial.setup.turns == 1
        assert "python/waits saturated neither" in trial.setup.turns_note
    assert "waited-in-turns" not in {flag.code for flag in waiting.flags}


@pytest.mark.concurrent
def test_one_that_dies_leaves_the_others_their_turns(run: Run) -> None:
    ended = run(study("python/plain", "python/dies", loads=[long_load()]))
    status = {trial.server: trial.status for trial in ended.trials}
    assert status == {"python/plain": "ok", "python/dies": "failed"}
    assert all(trial.reason for trial in ended.trials if trial.status == "failed")


@pytest.mark.concurrent
def test_one_that_has_another_work_for_it_is_disqualified(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports = itertools.count(free_port())
    monkeypatch.setattr("webdyno.trial.starting.start.free_port", lambda address: next(ports))
    ended = run(study("python/busy", "python/calls"))
    by_server = {trial.server: trial for trial in ended.trials}
    caller, called = by_server["python/calls"], by_server["python/busy"]
    assert (caller.status, called.status) == ("failed", "failed")
    assert "it connected to python/busy" in caller.lie
    assert called.lie == ""
    assert re.match(r"python/calls opened \d+ connections to it while it was frozen", called.reason)


@pytest.mark.concurrent
def test_one_whose_limits_another_lowers_is_not_ranked(run: Run) -> None:
    ended = run(study("python/plain", "python/takes"))
    by_server = {trial.server: trial for trial in ended.trials}
    plain = by_server["python/plain"]
    assert (plain.status, plain.lie) == ("failed", "")
    assert re.search("the limit 'Max open files' of its process [0-9]+ fell from", plain.reason)
    assert by_server["python/takes"].status == "ok"


@pytest.mark.concurrent
def test_an_interrupt_ends_all_of_them(run: Run) -> None:
    def listener(event: Event) -> None:
        if isinstance(event, TurnEnded):
            raise KeyboardInterrupt

    ended = run(study("python/plain", "python/busy", loads=[long_load()]), listener)
    assert (ended.status, ended.trials) == ("interrupted", [])
    # The fixture sees that no server is left.


@pytest.mark.concurrent
def test_a_deadline_ends_the_one_that_is_awake_and_then_all_others(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webdyno.run.blocks.run_deadline.LEAST_S", 5.0)
    monkeypatch.setattr("webdyno.run.blocks.run_deadline.OVERRUN", 0.0)
    long = {**long_load(), "duration": 30.0}
    ended = run(study("python/plain", "python/busy", loads=[long], budget="1s"))
    # The other had no result yet, unless the deadline came in the moment of handing over.
    assert 1 <= len(ended.trials) <= 2
    for trial in ended.trials:
        assert trial.status == "error"
        assert "the run's trials did not end within 5 s" in trial.reason
    # The fixture sees that no server is left.


@pytest.mark.concurrent
def test_a_run_goes_on_with_the_trials_that_are_missing(run: Run, tmp_path: Path) -> None:
    finished: list[str] = []

    def listener(event: Event) -> None:
        if isinstance(event, TrialFinished):
            finished.append(event.record.entry)
            raise KeyboardInterrupt

    what = study("python/plain", "python/busy")
    first = run(what, listener)
    assert len(first.trials) == 1
    store = Store.open(tmp_path / "store.sqlite")
    whole = run_study(
        what,
        RunEnvironment(Catalog.with_overlay(tmp_path), Home(tmp_path / "home"), store),
        RunSettings(resume=store.run(first.id)),
    )
    assert [trial.entry for trial in whole.trials[:1]] == finished
    assert {trial.server for trial in whole.trials} == {"python/plain", "python/busy"}


@pytest.mark.concurrent
def test_slices_are_refused_where_a_service_is_shared(run: Run) -> None:
    asked = study("go/net-http", scenarios=["point-lookup"])
    with pytest.raises(UserError, match=r"cannot take turns in scenario point-lookup.*leave out"):
        run(asked)
