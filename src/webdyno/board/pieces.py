"""The pieces of a board among the stored runs, and what of them still holds today."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from webdyno.board.link import Interval
from webdyno.run.judgement.unrankable import why_unrankable
from webdyno.run.preparation.own_code import OWN
from webdyno.run.preparation.sources import WARM_UP
from webdyno.store.records import GrownRecord, RunRecord

PREFIX = "board-"
"""What the name of a piece's study begins with, before that of its scenario."""


@dataclass(frozen=True)
class EntrySources:
    """What an entry's trials were made of: the digests of its source and of its scenario's, the
    versions of tools, runtimes and databases, and a digest of how it is warmed up, which is empty
    where the records do not tell."""

    server: str
    scenario: str
    versions: Mapping[str, str]
    warm_up: str = ""

    def changed(self, earlier: EntrySources) -> str:
        """What is different from `earlier`, in a word or two; empty for nothing."""
        if self.server != earlier.server:
            return "its source changed"
        if self.scenario != earlier.scenario:
            return "the scenario changed"
        if self.warm_up and earlier.warm_up and self.warm_up != earlier.warm_up:
            return "its warm-up changed"
        moved = [
            name for name, one in self.versions.items() if earlier.versions.get(name, one) != one
        ]
        return f"{moved[0]} changed" if moved else ""


@dataclass(frozen=True)
class PieceConditions:
    """What all pieces of a board have to have in common."""

    machine: str
    kernel: str
    webdyno: str
    placement: str
    load: Mapping[str, Any]
    measured_with: Mapping[str, str] = field(default_factory=dict)
    """Digests of what Webdyno measures and judges with, as `run.preparation.own_code` gives them;
    each is empty where a run's records do not tell it."""

    def changed(self, earlier: PieceConditions) -> str:
        """What is different from `earlier`; empty for nothing."""
        words = {"webdyno": "Webdyno", "machine": "the machine", "kernel": "the kernel"}
        words |= {"placement": "the placement", "load": "the load"}
        words |= {"measured_with": "Webdyno's measuring code"}
        return next(
            (f"{name} changed" for key, name in words.items()
             if getattr(self, key) != getattr(earlier, key)),
            "",
        )  # fmt: skip


@dataclass(frozen=True)
class Piece:
    """What a run of the board said. `left_out` are entries that got no place, with the reason;
    `open` those of them that were still warming, had too little time, or of which too few trials
    counted, so that it is no last word; `too_few` that its time ended before there were blocks
    enough to say anything."""

    run: str
    scenario: str
    reference: str
    started: datetime
    status: str
    conditions: PieceConditions
    made: Mapping[str, EntrySources]
    links: Mapping[tuple[str, str], Interval]
    medians: Mapping[str, float] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    open: frozenset[str] = frozenset()
    no_time: frozenset[str] = frozenset()
    """Entries for which there was no time, or not enough."""
    too_few: bool = False
    usual: str = ""
    """The placement that it began with, where its generator was given more cores."""
    grown: GrownRecord | None = None
    """How its generator was given more; None where it was not."""
    judged: bool = False
    """Whether any pair was judged, also where no link came of it."""

    @property
    def cut_short(self) -> bool:
        """Whether it was interrupted or killed."""
        return self.status in ("interrupted", "running")


def piece_of(run: RunRecord) -> Piece | None:
    """The piece that `run` is; None where it is none, or has no trial."""
    servers, loads = run.study.servers, run.study.as_stored().get("loads")
    scenario = run.board if run.board is not None else _by_name(run.study.name)
    if not scenario or not run.trials or not servers or not loads:
        return None
    made = {
        trial.entry: EntrySources(
            trial.sources.get("server", ""),
            trial.sources.get("scenario", ""),
            trial.versions,
            trial.sources.get(WARM_UP, ""),
        )
        for trial in run.trials
    }
    verdict = run.verdicts[0] if run.verdicts else None
    enough = verdict is not None and not verdict.too_few
    ratios = [one for one in verdict.ratios if one.is_bounded] if verdict and enough else []
    # Two that shared too few blocks to be told apart are not linked: their interval says next to
    # nothing, and so would a place that rests on it.
    known = [ratio for ratio in ratios if ratio.outcome != "too few blocks"]
    grown = run.grown[-1] if run.grown else None
    no_time = frozenset(run.plan.without_time if run.plan else ())
    left = verdict.not_ranked if verdict and enough else []
    return Piece(
        run=run.id,
        scenario=scenario,
        reference=servers[0],
        started=run.started,
        status=run.status,
        conditions=PieceConditions(
            machine=run.machine.fingerprint,
            kernel=run.versions.get("kernel", ""),
            webdyno=run.versions.get("webdyno", ""),
            placement=grown.placement if grown else run.placement,
            load=loads[0],
            measured_with=_measured_with(run),
        ),
        made=made,
        links={(ratio.of, ratio.to): Interval(ratio.low, ratio.high) for ratio in known},
        judged=bool(ratios),
        medians=verdict.medians if verdict else {},
        left_out={one.entry: one.reason for one in left},
        open=frozenset(
            one.entry
            for one in left
            if one.kind == "still-warming"
            or (one.entry in no_time and _all_ok(run, one.entry))
            # Most of its trials counted, only too few.
            or (one.kind == "" and not why_unrankable(one.entry, run.trials))
        ),
        no_time=no_time,
        usual=run.placement,
        grown=grown,
        too_few=not enough and verdict is not None and not (run.plan and run.plan.left_out),
    )


def _by_name(study: str) -> str:
    """The scenario that the study's name tells, for runs of versions whose records did not; empty
    where it is no piece's."""
    return study.removeprefix(PREFIX) if study.startswith(PREFIX) else ""


def _all_ok(run: RunRecord, entry: str) -> bool:
    """Whether no trial of `entry` failed: only time was too short for more of them."""
    return all(trial.status == "ok" for trial in run.trials if trial.entry == entry)


def _measured_with(run: RunRecord) -> dict[str, str]:
    """What all trials of `run` were measured with; digests that changed while it was interrupted
    are those of nothing."""
    noted = [{kind: trial.sources.get(kind, "") for kind in OWN} for trial in run.trials]
    return {k: d if all(one[k] == d for one in noted) else "" for k, d in noted[0].items()}


@dataclass(frozen=True)
class CurrentSources:
    """What a piece of a scenario would be made of now, by entry."""

    conditions: PieceConditions
    made: Mapping[str, EntrySources]
    grown: GrownRecord | None = None
    """What the generator has beyond its usual cores, as a piece found that it needs them."""
    usual: str = ""
    """The placement without that; empty where `grown` is None."""

    def as_wide_as(self, pieces: Iterable[Piece]) -> CurrentSources:
        """The same with the generator of the widest of `pieces` that were made under these
        conditions otherwise: what had a smaller one does not compare with them."""
        usual = self.usual or self.conditions.placement
        wide = [
            piece.grown
            for piece in pieces
            if piece.grown is not None
            and piece.usual == usual
            and not replace(piece.conditions, placement=self.conditions.placement).changed(
                self.conditions
            )
        ]
        if not wide:
            return self
        widest = max(wide, key=lambda grown: grown.generator_cores)
        conditions = replace(self.conditions, placement=widest.placement)
        return replace(self, conditions=conditions, grown=widest, usual=usual)

    def changed(self, piece: Piece, entry: str) -> str:
        """Why what `piece` says of `entry` holds no more; empty where it does."""
        if entry not in self.made:
            return "it was removed"
        if reason := self.conditions.changed(piece.conditions):
            return reason
        return self.made[entry].changed(piece.made[entry])

    def holds(self, piece: Piece) -> list[str]:
        """Entries of which `piece` still speaks."""
        return [one for one in piece.made if not self.changed(piece, one)]


def pair_intervals(
    pieces: Sequence[Piece], today: CurrentSources
) -> dict[tuple[str, str], list[Interval]]:
    """The intervals of each pair, in one order, from pieces that hold for both."""
    intervals: dict[tuple[str, str], list[Interval]] = {}
    for piece in pieces:
        valid = set(today.holds(piece))
        for (of, to), interval in piece.links.items():
            if of in valid and to in valid:
                first, second = sorted((of, to))
                turned = interval if of == first else interval.turned()
                intervals.setdefault((first, second), []).append(turned)
    return intervals
