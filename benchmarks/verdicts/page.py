"""The comparison as Markdown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from benchmarks.verdicts.compare import Compared, Counts
from benchmarks.verdicts.long_load import LongLoad
from benchmarks.verdicts.ratio import Interval, level_from


def page(heading: str, pairs: Sequence[Compared], lives: Sequence[Mapping[str, LongLoad]]) -> str:
    """The whole page: `pairs`, how many of them hold, and the long loads behind the truth."""
    return "\n".join([f"# {heading}", "", *table(pairs), "", *summary(pairs), "", *_loads(lives)])


def table(pairs: Sequence[Compared]) -> list[str]:
    """One row a pair."""
    rows = [
        "| server | beside | the run says | ratio | true ratio | the truth is |",
        "|---|---|---|---|---|---|",
    ]
    for pair in pairs:
        place = pair.place + ("" if pair.holds is not False else f", not {pair.outcome}")
        cells = [pair.server, pair.to, pair.outcome, _ratio(pair.said), _ratio(pair.truth), place]
        rows.append(f"| {' | '.join(cells)} |")
    return rows


def summary(pairs: Sequence[Compared]) -> list[str]:
    """The shares, of all pairs that have an interval and of those that are settled."""
    settled = [pair for pair in pairs if pair.settled]
    wrong = [pair for pair in settled if pair.holds is False]
    return [
        f"- {len(settled)} of {len(pairs)} pairs settled; {len(wrong)} with a false word",
        f"- of all pairs with an interval: {_share(pairs)}",
        f"- of the settled ones: {_share(settled)}",
    ]


def _share(pairs: Sequence[Compared]) -> str:
    counts = Counts.of(pairs)
    if not counts.with_interval:
        return "none"
    shares = [f"{n} of {counts.with_interval}" for n in (counts.inside, counts.not_outside)]
    return (
        f"{shares[0]} hold the true ratio ({counts.inside / counts.with_interval:.0%}); "
        f"{shares[1]} where the truth's own uncertainty is allowed for "
        f"({counts.not_outside / counts.with_interval:.0%})"
    )


def _loads(groups: Sequence[Mapping[str, LongLoad]]) -> list[str]:
    rows = [
        "| server | answers/s in every 8 s of its long load | counted from turn | errors |",
        "|---|---|---|---|",
    ]
    for load in (load for group in groups for load in group.values()):
        told = load.failed or ", ".join(f"{rate:,.0f}" for rate in load.series)
        since = f"{level_from(load.rates) + 1} of {len(load.rates)}" if load.rates else ""
        rows.append(f"| {load.server} | {told} | {since} | {load.errors:,} |")
    return rows


def _ratio(interval: Interval | None) -> str:
    if interval is None:
        return ""
    high = f"{interval.high:.3f}" if math.isfinite(interval.high) else "∞"
    return f"{interval.ratio:.3f} [{interval.low:.3f}, {high}]"
