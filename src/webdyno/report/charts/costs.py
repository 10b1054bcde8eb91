"""The charts of what one more of something costs: a request's CPU time over the parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webdyno.report.charts import interactive as charts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webdyno.store.findings import CostRecord
    from webdyno.store.records import RunRecord


def specifications(run: RunRecord, entries: Sequence[str]) -> dict[str, dict[str, Any]]:
    """A Vega-Lite specification for each cost, by the name of its chart."""
    return {
        f"cost-{place}": charts.lines(entries, _axis(cost), "CPU time per request, µs")
        for place, cost in enumerate(run.costs)
    }


def points(run: RunRecord, entries: Sequence[str]) -> list[dict[str, dict[str, list[list[Any]]]]]:
    """The points of each cost's chart: one mapping a cost, as `points.of_section` gives for one.

    The A/A control stands for no line of its own.
    """
    return [
        {
            f"cost-{place}": {
                "rows": [
                    [
                        entries.index(one.entry),
                        [point.at for point in one.points],
                        [float(f"{point.cost_ns / 1000:.4g}") for point in one.points],
                    ]
                    for one in cost.entries
                    if one.entry in entries
                ]
            }
        }
        for place, cost in enumerate(run.costs)
    ]


def _axis(cost: CostRecord) -> str:
    return f"{cost.each}s that a request passes"
