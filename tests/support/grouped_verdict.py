"""Verdicts by their groups, without trials."""

from __future__ import annotations

from webdyno.store.records import RunRecord
from webdyno.store.verdicts import RatioRecord, VerdictRecord


def verdict(
    groups: list[list[str]],
    *,
    outcome: str = "equal",
    metric: str = "throughput_rps",
    **more: object,
) -> VerdictRecord:
    """A verdict in which each group is 1.5 times as good as the next."""
    names = [name for group in groups for name in group]
    place = {name: i for i, group in enumerate(groups) for name in group}
    ratios = []
    for i, of in enumerate(names):
        for to in names[i + 1 :]:
            apart = place[to] - place[of]
            estimate = 1.5**apart
            ratios.append(
                RatioRecord(
                    of=of,
                    to=to,
                    estimate=estimate,
                    low=estimate * 0.98,
                    high=estimate * 1.02,
                    outcome="faster" if apart else outcome,
                )
            )
    fields = {"scenario": "json", "load": "closed-64", "blocks": 5, "settled": True} | more
    return VerdictRecord.model_validate(
        {"metric": metric, "entries": names, "groups": groups, "ratios": ratios, **fields}
    )


def with_verdicts(run: RunRecord, *verdicts: VerdictRecord) -> RunRecord:
    """`run` with other verdicts."""
    return run.model_copy(update={"verdicts": list(verdicts)})
