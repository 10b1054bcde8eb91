"""The points that the interactive charts show: numbers only, as columns, so that a page of a
thousand trials stays small."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webdyno.report.charts import rates as rate_charts
from webdyno.report.charts import series
from webdyno.report.numbers import four_digits
from webdyno.store import histograms

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from webdyno.report.section import EntryRow, Section
    from webdyno.store.records import TrialRecord

OVER_TIME: dict[str, tuple[str, str, Callable[[Sequence[TrialRecord]], series.Curve]]] = {
    "throughput-time": ("Throughput", "answers per second", series.throughput),
    **{
        f"{name}-time": (name, f"{name} latency of each second, ms", series.latency(name))
        for name in ("p50", "p90", "p95", "p99")
    },
    "errors-time": ("Errors", "errors per second", series.errors),
    "cpu-time": ("CPU", "% of the server's cores", series.cpu),
    "memory-time": ("Memory", "MB", series.memory),
}
"""Kind: (tab, y axis, curve)."""

LEAST_POINTS, LEAST_S = 5, 4.0
"""Fewer points, or a shorter time in seconds, make no curve."""

OVERSHOOT = 150.0
"""Percent of its end above which a warm-up curve is drawn as that: one burst of answers after a
pause must not squeeze everything else."""


def of_section(
    section: Section, entries: Sequence[str], *, scheduled: bool = False
) -> dict[str, dict[str, list[list[Any]]]]:
    """The points of each kind of chart in `section`: data set: rows of columns.

    `scheduled`: requests arrive on a schedule, which is drawn beside the answers.

    The first column is always the entry's place in `entries`. A kind without points is left out.
    """
    found: dict[str, dict[str, list[list[Any]]]] = {
        "latency": {"rows": _per_row(section, entries, _percentiles)},
        "warm-up": {
            "rows": _per_row(section, entries, _warm_up_curve),
            "steady": _per_row(section, entries, _steady),
        },
    }
    for kind, (_, _, curve) in OVER_TIME.items():
        rows = _per_row(section, entries, _over_time(kind, curve))
        found[kind] = {"rows": rows if _has_several(rows) else []}
    found |= rate_charts.points(section, entries)
    if scheduled and section.charted:
        everyone = [trial for row in section.charted for trial in _used(row)]
        schedule = series.offered(everyone)
        if schedule and found["throughput-time"]["rows"]:
            xs, ys = zip(*schedule, strict=True)
            place = entries.index(section.charted[0].entry)
            columns = [place, [four_digits(x) for x in xs], [four_digits(y) for y in ys]]
            found["throughput-time"]["offered"] = [columns]
    return {kind: data for kind, data in found.items() if any(data.values())}


def _has_several(rows: list[list[Any]]) -> bool:
    """Whether curves over time show one: a load of a second or two is all start and end."""
    return any(len(xs) >= LEAST_POINTS and xs[-1] - xs[0] >= LEAST_S for _, xs, _ in rows)


def _over_time(
    kind: str, curve: Callable[[Sequence[TrialRecord]], series.Curve]
) -> Callable[[EntryRow], series.Curve]:
    # Errors are looked for in every trial: the ones that do not count have most of them.
    return lambda row: curve(row.trials if kind == "errors-time" else _used(row))


def _used(row: EntryRow) -> Sequence[TrialRecord]:
    """The trials that count, or all where none does: better a doubtful curve than none."""
    return [trial for trial in row.trials if trial.status == "ok"] or row.trials


def _percentiles(row: EntryRow) -> series.Curve:
    encoded = [
        trial.measurement.histograms["from_intended"]
        for trial in _used(row)
        if trial.measurement is not None and "from_intended" in trial.measurement.histograms
    ]
    found = histograms.pooled(encoded)
    if found is None:
        return []
    return [(nines, us / 1000) for nines, us in histograms.percentile_curve(found)]


def _warm_up_curve(row: EntryRow) -> series.Curve:
    """Percent of its end; time is on a logarithmic axis, which has no zero."""
    curve = series.warm_up(_used(row))
    return [(at, min(share, OVERSHOOT)) for at, share in curve if at > 0]


def _steady(row: EntryRow) -> series.Curve:
    """Where on its warm-up curve the entry was found steady; nothing if it mostly was not."""
    after = series.steady_after(_used(row))
    curve = _warm_up_curve(row)
    if after is None or not curve:
        return []
    return [min(curve, key=lambda point: abs(point[0] - after))]


def _per_row(
    section: Section, entries: Sequence[str], curve: Callable[[EntryRow], series.Curve]
) -> list[list[Any]]:
    rows = []
    for row in section.charted:
        found = curve(row)
        if found:
            xs, ys = zip(*found, strict=True)
            place = entries.index(row.entry)
            rows.append([place, [four_digits(x) for x in xs], [four_digits(y) for y in ys]])
    return rows
