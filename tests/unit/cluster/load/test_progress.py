"""How far a load in parts is, as one engine says it."""

from __future__ import annotations

from webdyno.cluster.load.one_load import together
from webdyno.cluster.orders.answers import PartProgress
from webdyno.store.counts import RequestCounts


def state(phase: str, elapsed_s: float, ok: int, ticks: list[list[float]]) -> PartProgress:
    said = {
        "phase": phase,
        "done": phase == "done",
        "elapsed_s": elapsed_s,
        "counts": {"ok": ok, "reset": 1},
        "in_flight": 2,
        "ticks": ticks,
    }
    return PartProgress.model_validate(said)


def test_the_slowest_phase_and_the_sums_are_told() -> None:
    early = state("loading", 0.31, 30, [[0.1, 10, 0], [0.2, 10, 1]])
    late = state("done", 0.42, 40, [[0.2, 12, 0], [0.3, 14, 0]])
    found = together([early, late])
    assert (found.phase, found.done, found.elapsed_s) == ("loading", False, 0.42)
    assert found.counts == RequestCounts(ok=70, reset=2)
    assert found.in_flight == 4
    assert list(found.ticks) == [(0.1, 10, 0), (0.2, 22, 1), (0.3, 14, 0)]
    assert together([late, late]).done
