"""A study becomes trials in blocks, and trials become verdicts."""

from __future__ import annotations

import math
import random
from itertools import groupby, starmap

import pytest

from webdyno.catalog import Catalog, StudyManifest
from webdyno.errors import UserError
from webdyno.run.judgement.judge import judge, still_needed
from webdyno.run.study.narrow import narrowed
from webdyno.run.study.plan import (
    Matchup,
    Placed,
    cells_of,
    entries_of,
    matchups_of,
    order_of_block,
    together,
)
from webdyno.store.records import (
    CpuUse,
    Latency,
    Measurement,
    Memory,
    TrialRecord,
    now,
)

PUBLISHED = {
    "kind": "closed",
    "name": "published",
    "method": "as-published",
    "generator": "wrk",
    "connections": 10,
    "duration": "1s",
}


def a_study(**changes: object) -> StudyManifest:
    fields: dict[str, object] = {
        "name": "mine",
        "title": "Mine",
        "question": "Which?",
        "servers": ["node/http", "go/gin", "go/chi"],
        "control": "go/gin",
        "scenarios": ["json", {"name": "sha256", "parameters": {"n_max": 7}}],
        "loads": [{"kind": "closed", "connections": 8, "duration": "1s"}],
    }
    return StudyManifest.model_validate({**fields, **changes})


def matchups(study: StudyManifest) -> list[Matchup]:
    catalog = Catalog()
    entries, skipped = entries_of(study, catalog)
    assert not skipped
    return matchups_of(entries, cells_of(study, catalog))


def a_trial(
    server: str, block: int, rps: float, *, control: bool = False, **changes: object
) -> TrialRecord:
    latency = Latency(p50=1, p90=2, p99=3 / rps * 1e5, p999=4e5, max=5e5, mean=2)
    measured = Measurement(
        elapsed_s=1.0,
        throughput_rps=rps,
        latency_us=latency,
        counts={"ok": int(rps)},
        cpu_us_per_request={"server": 1e6 / rps, "generator": 5.0},
        cpu={"server": CpuUse(user_s=0.9, system_s=0.1, cores=1, share=1.0)},
        memory_bytes=Memory(idle=1e7, mean=2e7, peak=3e7),
        threads_peak=1,
        processes_peak=1,
    )
    fields: dict[str, object] = {
        "run_id": "r", "index": block * 100 + len(server) + control, "server": server,
        "control": control, "scenario": "json", "load": "closed-8", "block": block, "order": 0,
        "status": "ok", "started": now(), "finished": now(), "measurement": measured,
        "bottleneck": "server-bound",
    }  # fmt: skip
    return TrialRecord.model_validate({**fields, **changes})


def trials(blocks: int, **levels: float) -> list[TrialRecord]:
    """Trials of `a_study` with 1% noise around each server's level."""
    draw = random.Random(1)
    return [
        a_trial(server, block, level * math.exp(draw.gauss(0, 0.01)), control=control)
        for block in range(blocks)
        for server, level, control in (
            ("node/http", levels.get("node", 1000.0), False),
            ("go/gin", levels.get("gin", 2000.0), False),
            ("go/gin", levels.get("gin", 2000.0), True),
            ("go/chi", levels.get("chi", 4000.0), False),
        )
    ]


def test_the_control_enters_a_second_time() -> None:
    labels = {matchup.entry.label for matchup in matchups(a_study())}
    assert labels == {"node/http", "go/gin", "go/gin (control)", "go/chi"}
    assert len(matchups(a_study())) == 4 * 2


def test_the_order_of_a_block_is_random_but_repeatable() -> None:
    all_ = matchups(a_study())
    first = [order_of_block(all_, "run-a", block) for block in range(6)]
    assert first == [order_of_block(all_, "run-a", block) for block in range(6)]
    labels = [tuple((m.entry.label, m.cell.scenario.id) for m in order) for order in first]
    assert len(set(labels)) == 6
    assert order_of_block(all_, "run-b", 0) != first[0]
    assert all(sorted(order, key=all_.index) == all_ for order in first)


def test_what_is_compared_lies_close_in_time() -> None:
    sound = [{"kind": "closed", "connections": n, "duration": "1s"} for n in (8, 64)]
    all_ = matchups(a_study(loads=sound))
    orders = [order_of_block(all_, "run-a", block) for block in range(20)]
    cells = [[cell for cell, _ in groupby(order, key=lambda m: m.cell)] for order in orders]
    assert {len(found) for found in cells} == {4}
    # Every cell is first at times, and so is every entry within its cell.
    assert len({found[0].load.label() + found[0].title for found in cells}) == 4
    assert len({order[0].entry.label for order in orders}) == 4


def test_a_cell_with_slices_runs_at_once_and_others_one_by_one() -> None:
    sliced = {"kind": "closed", "connections": 8, "duration": "1s", "slice": "100ms"}
    whole = {"kind": "closed", "connections": 64, "duration": "1s"}
    drawn = order_of_block(matchups(a_study(loads=[sliced, whole])), "run-a", 0)
    order = list(starmap(Placed, enumerate(drawn)))
    groups = together(order)
    assert [item for those in groups for item in those] == order
    sizes: dict[str, list[int]] = {load: [] for load in ("closed-8", "closed-64")}
    for those in groups:
        assert len({(m.cell.title, m.cell.load.label()) for _, m in those}) == 1
        sizes[those[0][1].cell.load.label()].append(len(those))
    assert sizes == {"closed-8": [4, 4], "closed-64": [1] * 8}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"slice": "10ms"}, "slice"),
        ({"slice": "2s"}, "slice"),
        ({"slice": "100ms", "generator": "wrk"}, "slice needs method sound and generator"),
        ({"slice": "100ms", "method": "as-published"}, "slice needs method sound and generator"),
        ({"slice": "100ms", "record": True}, "slice and record cannot be combined"),
    ],
)
def test_slices_that_cannot_be_are_refused(changes: dict[str, object], said: str) -> None:
    load = {"kind": "closed", "connections": 8, "duration": "1s", **changes}
    with pytest.raises(ValueError, match=said):
        a_study(loads=[load], method="both")


def test_as_published_loads_run_once_first_and_in_order() -> None:
    sound = {"kind": "closed", "connections": 8, "duration": "1s"}
    both = matchups(a_study(loads=[sound, PUBLISHED], method="both"))
    first = order_of_block(both, "run-a", 0)
    published = [m for m in both if m.cell.load.method == "as-published"]
    assert first[: len(published)] == published
    assert {m.cell.load.method for m in order_of_block(both, "run-a", 1)} == {"sound"}


def test_a_method_without_a_load_is_refused() -> None:
    with pytest.raises(ValueError, match="no load has method 'as-published'"):
        a_study(method="as-published")


def test_narrowing_keeps_parameters_and_moves_a_control_that_is_gone() -> None:
    study = narrowed(a_study(), servers=["node/http"], scenarios=["sha256"], budget=9.0, blocks=2)
    assert study.servers == ["node/http"]
    assert study.control == "node/http"
    assert study.entries()[0].parameters == {"n_max": 7}
    assert (study.budget, study.blocks.min, study.blocks.max) == (9.0, 2, 2)


def test_nonsense_on_the_command_line_is_told() -> None:
    with pytest.raises(UserError, match="key 'method'"):
        narrowed(a_study(), method="guess")


def test_clear_differences_are_ranked_and_end_the_run() -> None:
    study = a_study()
    (verdict,) = judge(study, trials(6))
    assert verdict.groups == [["go/chi"], ["go/gin"], ["node/http"]]
    assert verdict.settled
    assert not still_needed(study, trials(6))
    assert verdict.control is not None
    assert verdict.control.low < 1 < verdict.control.high
    ratio = next(r for r in verdict.ratios if (r.of, r.to) == ("go/chi", "node/http"))
    assert ratio.low < 4 < ratio.high


def test_what_is_settled_is_measured_no_more() -> None:
    study = a_study(margin=0.001)
    seen = trials(8, node=100.0, gin=2000.0, chi=2002.0)
    needed = {entry for entry, _scenario, _load in still_needed(study, seen)}
    assert needed == {"go/gin", "go/gin (control)", "go/chi"}


def test_generator_bound_and_failed_entries_are_not_ranked() -> None:
    seen = [
        t.model_copy(update={"bottleneck": "generator-bound"}) if t.server == "go/chi" else t
        for t in trials(4)
    ]
    seen = [
        t.model_copy(update={"status": "failed", "reason": "wrong answers"})
        if t.server == "node/http"
        else t
        for t in seen
    ]
    (verdict,) = judge(a_study(), seen)
    assert verdict.groups == [["go/gin"]]
    reasons = {left.entry: left.reason for left in verdict.not_ranked}
    assert "generator-bound in 4 of 4" in reasons["go/chi"]
    assert "wrong answers" in reasons["node/http"]


def test_lower_is_better_where_it_is() -> None:
    (verdict,) = judge(a_study(metrics=["cpu_us_per_request"]), trials(6))
    assert verdict.groups[0] == ["go/chi"]
    assert all(ratio.estimate > 1 for ratio in verdict.ratios)


def test_build_times_may_be_left_out_or_added() -> None:
    assert narrowed(a_study(build_times=True), build_times=False).build_times is False
    assert narrowed(a_study(), build_times=True).build_times is True
    assert narrowed(a_study(build_times=True), blocks=1).build_times is True
