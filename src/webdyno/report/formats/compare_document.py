"""Two runs compared, as JSON; the schema schemas/compare.schema.json is made from these classes."""

from __future__ import annotations

from webdyno.report.formats.comparison import RowOutcome, outcome
from webdyno.run.comparison.broken import NotCompared
from webdyno.run.comparison.compare import ComparedRow, Comparison
from webdyno.run.comparison.outcome import ComparisonOutcome
from webdyno.store.document import Document
from webdyno.store.record import Count, Record


class ComparedRowTold(Record):
    """A server under one scenario and load by one metric, in both runs."""

    entry: str
    """The server, with its variant."""
    scenario: str
    """The work."""
    load: str
    """How its requests arrived."""
    metric: str
    """Such as `throughput_rps`, requests per second, or `p99_us`, microseconds."""
    old: float | None
    """Median of the older run's figures, in the metric's unit; null without any."""
    new: float | None
    """Median of the newer run's figures, in the metric's unit; null without any."""
    ratio: float | None
    """How much better the newer run is: above 1 is better, whichever way the metric is up; null
    where too few trials were made."""
    low: float | None
    """Lower end of its interval."""
    high: float | None
    """Upper end of its interval; null as well where nothing bounds it."""
    outcome: RowOutcome
    """regression: worse by more than the margin, for certain; equal: the difference is within the
    margin, for certain; not separated: the interval holds 1; not settled: see `unsure`."""
    unsure: str
    """Why it settles nothing, whatever its interval; else empty."""
    trials: tuple[Count, Count]
    """Trials that count, of the older and of the newer run."""
    note: str
    """What else differs between the two; else empty."""

    @classmethod
    def of(cls, row: ComparedRow) -> ComparedRowTold:
        """Of a row."""
        change = row.change
        return cls.model_construct(
            entry=row.entry,
            scenario=row.scenario,
            load=row.load,
            metric=row.metric,
            old=row.old,
            new=row.new,
            ratio=change.estimate if change else None,
            low=change.low if change else None,
            high=change.high if change else None,
            outcome=outcome(row),
            unsure=row.unsure,
            trials=row.trials,
            note=row.note,
        )


class CompareDocument(Document):
    """What `compare` and `gate` write of two runs."""

    old: str
    """Id of the older run."""
    new: str
    """Id of the newer run."""
    margin: float
    """By how much a figure may become worse, as a share: 0.03 is 3%."""
    confidence: float
    """With which all intervals hold together."""
    paired: bool
    """Whether both versions were up at once, in one run: the newer."""
    outcome: ComparisonOutcome
    """The worst of all: worse if anything regressed or broke, not settled if a server was not
    reached or could not be compared or a figure has no interval to go by."""
    regressions: Count
    """Rows that are certainly worse by more than the margin."""
    broken: Count
    """Places that worked in the older run and no more."""
    not_reached: Count
    """Places that worked in the older run and that the newer did not reach before it ended."""
    limited_in_both: Count
    """Places that are not compared since the load generator or the network limited them in the
    newer run as in the older: they do not count against the outcome."""
    machine_drift: float | None
    """How many times as fast the machine was in the newer run, by the sentinels; null without
    them."""
    rows: list[ComparedRowTold]
    """What both runs have."""
    not_compared: list[NotCompared]
    """What only one of them has, or what cannot be compared."""
    cautions: list[str]
    """What casts doubt on all of it, a line each."""

    @classmethod
    def of(cls, comparison: Comparison) -> CompareDocument:
        """Of a comparison."""
        return cls(
            old=comparison.old.id,
            new=comparison.new.id,
            margin=comparison.margin,
            confidence=comparison.confidence,
            paired=comparison.paired,
            outcome=comparison.outcome,
            regressions=len(comparison.regressions),
            broken=len(comparison.broken),
            not_reached=len(comparison.not_reached),
            limited_in_both=len(comparison.limited_in_both),
            machine_drift=comparison.drift.ratio if comparison.drift else None,
            rows=[ComparedRowTold.of(row) for row in comparison.rows],
            not_compared=comparison.refused,
            cautions=comparison.cautions,
        )
