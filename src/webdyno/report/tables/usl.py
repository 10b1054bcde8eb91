"""How servers scale: the universal scalability law in words and a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.report.numbers import MISSING, percent, scale_for
from webdyno.words import listed

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord
    from webdyno.store.usl import RangeRecord, UslEntry, UslRecord

MISFIT = 0.1
"""From here on the law is called a poor description of the server."""


@dataclass(frozen=True)
class UslRow:
    """One server's figures as text, each with its interval."""

    entry: str
    one: tuple[str, str]
    contention: tuple[str, str]
    coherency: tuple[str, str]
    peak: tuple[str, str]
    misfit: str
    note: str


@dataclass(frozen=True)
class UslView:
    """One record as the page shows it; without rows, `reason` says why, and `scenario` names all
    that were not fitted for that reason."""

    record: UslRecord
    title: str
    scenario: str
    note: str
    reason: str
    chart: str
    rows: tuple[UslRow, ...]
    left_out: tuple[tuple[str, str], ...]

    @property
    def entries(self) -> tuple[str, ...]:
        """The servers that have a curve."""
        return tuple(row.entry for row in self.rows)


def views(run: RunRecord) -> list[UslView]:
    """What the page shows: each record that was fitted, and each reason why others were not."""
    alike: dict[object, list[UslRecord]] = {}
    for place, record in enumerate(run.scalability):
        key = (record.over, record.reason) if record.reason else place
        alike.setdefault(key, []).append(record)
    return [_view(records, place) for place, records in enumerate(alike.values())]


def lines(run: RunRecord) -> list[tuple[str, str]]:
    """The fits for a terminal: a label, and a sentence."""
    texts = []
    for view in views(run):
        where = f"{view.scenario}, {view.title.lower()}"
        if view.reason:
            texts.append(("scaling", f"{where}: not fitted: {view.reason}"))
        for row in view.rows:
            told = (
                f"contention {row.contention[0]} {row.contention[1]}, "
                f"coherency {row.coherency[0]} {row.coherency[1]}, "
                f"peak at {row.peak[0]} {row.peak[1]}"
            )
            texts.append(("scaling", f"{where}: {row.entry}: {told}{_noted(row)}"))
        texts += [("scaling", f"{where}: {name}: not fitted: {why}") for name, why in view.left_out]
    return texts


def _view(records: list[UslRecord], place: int) -> UslView:
    record = records[0]
    fitted = [one for one in record.entries if one.curve]
    return UslView(
        record=record,
        title=f"Scaling over {record.over}",
        scenario=listed(one.scenario for one in records),
        note=(
            "The universal scalability law, X(n) = λ n / (1 + σ(n - 1) + κ n(n - 1)), fitted "
            f"within blocks, with {percent(record.confidence)} intervals. Contention σ is the "
            "share of the work that only one can do at a time; coherency κ is the cost of each "
            "pair, which bends the curve down."
        ),
        reason=record.reason,
        chart=f"scaling-{place}",
        rows=tuple(_row(one, record.over) for one in fitted),
        left_out=tuple((one.entry, one.reason) for one in record.entries if not one.curve),
    )


def _row(one: UslEntry, over: str) -> UslRow:
    assert one.one_rps and one.sigma and one.kappa and one.peak_at and one.misfit is not None  # noqa: PT018
    rate = scale_for("rate", [one.one_rps.estimate])
    notes = []
    if one.peak_at.estimate is None:
        notes.append("no peak in sight")
    elif one.extrapolated:
        most = max(n for n, _ in one.points)
        notes.append(f"the peak is extrapolated: nothing was measured beyond {most:g} {over}")
    if one.misfit > MISFIT:
        notes.append(f"the law fits badly: up to {percent(one.misfit)} off")
    return UslRow(
        entry=one.entry,
        one=(rate.with_unit(one.one_rps.estimate), _ends(one.one_rps, f"{{:,.{rate.decimals}f}}")),
        contention=(_figure(one.sigma.estimate, "{:.3g}"), _ends(one.sigma, "{:.3g}")),
        coherency=(_figure(one.kappa.estimate, "{:.2g}"), _ends(one.kappa, "{:.2g}")),
        peak=(_figure(one.peak_at.estimate, "{:,.0f}"), _ends(one.peak_at, "{:,.0f}")),
        misfit=percent(one.misfit),
        note="; ".join(notes),
    )


def _noted(row: UslRow) -> str:
    return f" ({row.note})" if row.note else ""


def _figure(value: float | None, form: str) -> str:
    return MISSING if value is None else form.format(value)


def _ends(fitted: RangeRecord, form: str) -> str:
    high = "∞" if fitted.high is None else form.format(fitted.high)
    return f"[{form.format(fitted.low)}, {high}]"
