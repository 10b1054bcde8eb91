"""Who may take turns: servers that have nothing to wait for but a core, and then all of a cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from webdyno.catalog.loads.load import Closed, Open
from webdyno.store.measurement import GeneratorFigures
from webdyno.store.records import CpuUse, Measurement, Memory
from webdyno.trial.turn_taking.regime import Regime, Regimes
from webdyno.trial.turn_taking.slices import turn, waited_in_turns
from webdyno.verdict.limits.fullness import is_full

LOAD = Closed(kind="closed", connections=8, duration=2.0, slice=0.1, timeout=5.0)


@pytest.mark.parametrize(
    ("seen", "full"),
    [
        ({"cpu_share": 0.97}, True),
        ({"cpu_share": 0.3}, False),  # It waits for a clock.
        # Others took its core, and it was ready meanwhile.
        ({"cpu_share": 0.7, "foreign_share": 0.25, "run_delay_share": 0.4}, True),
        # They took what it did not want.
        ({"cpu_share": 0.3, "foreign_share": 0.7, "run_delay_share": 0.05}, False),
        # The host of a virtual machine took it, for which nobody waits in a queue.
        ({"cpu_share": 0.7, "foreign_share": 0.25, "stolen_share": 0.25}, True),
        (
            {
                "cpu_share": 0.4,
                "foreign_share": 0.55,
                "stolen_share": 0.05,
                "run_delay_share": 0.05,
            },
            False,
        ),
        # Workers that wait for each other's cores, on a core that idles.
        ({"cpu_share": 0.6, "run_delay_share": 3.0, "ready_thread_share": 0.5}, False),
        # One thread, on two cores and on eight.
        ({"cpu_share": 0.5, "ready_thread_share": 0.98}, True),
        ({"cpu_share": 0.125, "ready_thread_share": 0.95}, True),
        # The load's own core was taken: the server waits for what stands still with it.
        ({"cpu_share": 0.4, "load_ready_share": 0.97}, True),
        # It idled while the load was kept from its core.
        ({"cpu_share": 0.55, "load_delay_share": 0.4}, True),
        ({"cpu_share": 0.3, "load_delay_share": 0.1}, False),
        # One thread that waits for a clock.
        ({"cpu_share": 0.25, "ready_thread_share": 0.5}, False),
    ],
)
def test_full_is_who_uses_its_cores_or_a_thread_of_its_own(
    seen: dict[str, float], full: bool
) -> None:
    assert is_full(**seen) == full  # type: ignore[arg-type]


def test_all_servers_of_a_cell_take_turns() -> None:
    regime = Regime()
    for entry in ("go/net-http", "node/http"):
        regime.learn(entry, full=True)
    assert regime.turn_s(LOAD) == 0.1
    assert regime.note == ""


@pytest.mark.parametrize("full", [False, None])
def test_or_none_does(full: bool | None) -> None:
    regime = Regime()
    regime.learn("go/net-http", full=True)
    regime.learn("java/servlet", full=full)
    regime.learn("node/http", full=True)
    assert regime.turn_s(LOAD) == 7.0
    assert regime.note.startswith("java/servlet saturated neither")


def test_a_cell_that_was_measured_without_turns_stays_so() -> None:
    regime = Regime("java/servlet waited in block 1")
    regime.learn("java/servlet", full=True)
    assert regime.turn_s(LOAD) == 7.0


def test_latencies_are_measured_in_turns_where_answers_are_much_shorter() -> None:
    steady = Open(kind="open", phases=["100/s:2s"], slice=0.1, timeout=5.0)
    regime = Regime()
    regime.learn_alone("go/net-http", 0.002, 0.1)
    assert (regime.turn_s(steady), regime.note) == (0.1, "")
    # What it waits for would come while it is frozen.
    regime.learn_alone("node/http", 0.04, 0.1)
    assert regime.turn_s(steady) == 7.0
    assert "node/http takes up to 40 ms for an answer" in regime.note
    assert "a turn is 100 ms at most" in regime.note


def test_short_turns_are_lengthened_for_answers_that_need_it() -> None:
    steady = Open(kind="open", phases=["100/s:2s"], slice=0.04, timeout=5.0)
    regime = Regime()
    regime.learn_alone("go/net-http", 0.002, 0.04)
    assert (regime.turn_s(steady), regime.note) == (0.04, "")
    regime.learn_alone("node/http", 0.02, 0.04)
    regime.learn_alone("java/servlet", 0.015, 0.04)
    assert (regime.turn_s(steady), regime.note) == (0.08, "")
    regime.learn_alone("python/flask", 0.026, 0.04)
    assert regime.turn_s(steady) == 7.0


@dataclass
class Recorded:
    """A server and its load, which tell in which order they were asked."""

    by_the_clock: bool
    asked: list[str] = field(default_factory=list)

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_args: self.asked.append(name)


@pytest.mark.parametrize(
    ("by_the_clock", "order"), [(False, ["freeze", "hold"]), (True, ["hold", "freeze"])]
)
def test_nothing_arrives_at_a_frozen_server(by_the_clock: bool, order: list[str]) -> None:
    both = Recorded(by_the_clock)
    turn(both, both, 0.1)  # type: ignore[arg-type]
    assert both.asked[-3:] == [*order, "hold"]


def measured(slices: int, cores: float = 1, thread: float | None = None) -> Measurement:
    use = CpuUse(
        user_s=0.1, system_s=0.1, cores=cores, share=0.4, busiest_thread_ready_share=thread
    )
    return Measurement(
        elapsed_s=2.0, throughput_rps=1.0, latency_us=None, counts={"ok": 2},
        cpu_us_per_request={"server": 1.0}, cpu={"server": use},
        memory_bytes=Memory(idle=1.0, mean=1.0, peak=1.0), threads_peak=1, processes_peak=1,
        generator=GeneratorFigures(slices=slices),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("trial", "kind", "flagged"),
    [
        (measured(20), "waiting", True),
        (measured(1), "waiting", False),
        (measured(20), "server-bound", False),
        (measured(20, cores=2, thread=0.95), "waiting", False),  # By the rule that let it.
    ],
)
def test_one_that_begins_to_wait_is_flagged(trial: Measurement, kind: str, flagged: bool) -> None:
    assert [flag.code for flag in waited_in_turns(trial, kind)] == ["waited-in-turns"] * flagged


def test_all_that_are_under_way_meet_before_the_first_turn() -> None:
    regimes = Regimes({"steady": "node/http waited in block 1"})
    regimes.under_way |= {"go/net-http", "node/http"}
    regime = regimes.of(LOAD)
    assert regime is regimes.of(LOAD)
    order: list[str] = []

    def node_comes() -> None:
        order.append("node/http")
        regime.meet("node/http", lambda: order.append("never"))

    regime.meet("go/net-http", node_comes)
    assert order == ["node/http"]
    steady = Open(kind="open", name="steady", phases=["50/s:2s"], slice=0.1, timeout=5.0)
    assert regimes.of(steady).note == "node/http waited in block 1"


def test_who_has_ended_is_not_waited_for() -> None:
    regimes = Regimes()
    regimes.under_way |= {"go/net-http", "node/http"}
    turns: list[str] = []

    def pass_on() -> None:
        turns.append("")
        if len(turns) == 3:
            regimes.under_way.discard("node/http")

    regimes.of(LOAD).meet("go/net-http", pass_on)
    assert len(turns) == 3


def test_who_has_made_the_load_stands_still_until_all_have() -> None:
    regimes = Regimes()
    regimes.under_way |= {"go/net-http", "node/http"}
    regime = regimes.of(LOAD)
    order: list[str] = []

    def node_is_done() -> None:
        order.append("node/http")
        if len(order) == 3:
            regime.part("node/http", lambda: order.append("never"))

    regime.part("go/net-http", node_is_done)
    assert order == ["node/http"] * 3


def test_who_failed_and_is_under_way_to_the_next_load_is_not_waited_for() -> None:
    regimes = Regimes()
    regimes.under_way |= {"go/net-http", "node/http"}
    regime, turns = regimes.of(LOAD), list[str]()

    def pass_on() -> None:
        turns.append("")
        assert len(turns) < 3, "it waits for ever"
        # It could not be started for this load, and is started anew for the next.
        regime.leave("node/http")

    regime.meet("go/net-http", pass_on)
    regime.part("go/net-http", pass_on)
    assert len(turns) == 1
