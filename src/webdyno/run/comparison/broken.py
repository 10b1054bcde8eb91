"""What worked in an older run and does not in a newer one: for which a gate fails by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from webdyno.catalog.catalog import Catalog
from webdyno.errors import UserError
from webdyno.run.record.unmeasured_cells import unmeasured_cells
from webdyno.store.cell import Place
from webdyno.store.document import described
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.unmeasured_cell import UnmeasuredCell
from webdyno.trial.assessment.of_the_lab import is_of_the_lab
from webdyno.trial.assessment.unanswered import is_unanswered

_BREAKS_MOST = 0.5
"""Share of a server's trials that could not be made from which it counts as broken; a single one
may be the machine's."""


@described
@dataclass(frozen=True)
class NotCompared:
    """A place that is not compared, and why."""

    entry: str
    """Its server, with the variant."""
    scenario: str
    """The work."""
    load: str
    """How its requests arrived."""
    reason: str
    """In a line."""
    broken: bool = False
    """Whether it worked in the older run and no more."""
    not_reached: bool = False
    """Whether it worked in the older run, and the newer ended before it was reached."""

    @property
    def place(self) -> Place:
        """Server, scenario and load."""
        return self.entry, self.scenario, self.load


def broken_at(
    place: Place, before: Sequence[TrialRecord], after: Sequence[TrialRecord], new: RunRecord
) -> NotCompared | None:
    """That a server which did its work in the older run does not in the newer; None where it does,
    or where it failed as often before.

    One trial whose proof failed, or whose answers were wrong or lost, is enough; but of those in
    which an answer only did not come in time, it takes two, unless no trial is better. One in which
    the load generator stood still or failed, or a service did not start, is none of its.
    """
    before, after = ([one for one in side if not is_of_the_lab(one)] for side in (before, after))
    if not any_ok(before):
        return None
    bad_before, bad = _failed(before), _failed(after)
    errors = [trial for trial in after if trial.status == "error"]
    if bad and len(bad) * len(before) <= len(bad_before) * len(after):
        return None
    if not bad and (not errors or len(errors) < _BREAKS_MOST * len(after)):
        return None
    first = (bad or errors)[0]
    why = f"{len(bad or errors)} of {len(after)} trials failed: {first.reason or first.status}"
    return NotCompared(*place, f"in {new.id} {why}", broken=True)


def _failed(trials: Sequence[TrialRecord]) -> list[TrialRecord]:
    """Those that are held against the server."""
    late = _late_once(trials)
    return [trial for trial in trials if trial.status == "failed" and trial is not late]


def _late_once(trials: Sequence[TrialRecord]) -> TrialRecord | None:
    """The only one of a server's trials in which an answer did not come in time, while another
    counts: on a starved machine that is chance. None where there is none, or more."""
    late = [one for one in trials if is_unanswered(one) and not is_of_the_lab(one)]
    return late[0] if len(late) == 1 and any_ok(trials) else None


def told_late(place: Place, trials: Sequence[TrialRecord], run: RunRecord) -> Iterator[str]:
    """That one trial failed which is not held against the server."""
    if (late := _late_once(trials)) is not None:
        entry, scenario, _ = place
        yield (
            f"{entry} ({scenario}): in one of its {len(trials)} trials in {run.id} an answer came "
            f"too late, and in no other: {late.reason}"
        )


def only_in_one(
    old: RunRecord,
    new: RunRecord,
    before: Mapping[Place, Sequence[TrialRecord]],
    after: Mapping[Place, Sequence[TrialRecord]],
) -> Iterator[NotCompared]:
    """What cannot be compared since only one run has it. What the newer run was asked for and has
    no trial of is broken, unless it ended before that; what its study leaves out was dropped by the
    user."""
    absent = {row.place: row for row in unmeasured_cells(new)}
    skipped = {left.server: left.reason for left in new.skipped}
    servers = set(new.study.servers)
    for place, trials in before.items():
        if place in after:
            continue
        row = absent.get(place)
        why = row.reason if row else skipped.get(trials[0].server) or skipped.get(place[0])
        if why is None and place[0] in servers and not _asked_otherwise(place, new):
            why = "it has no trial there"
        if why is None:
            yield NotCompared(*place, f"only in {old.id}: the study of {new.id} leaves it out")
        else:
            said = f"only in {old.id}: in {new.id} not measured: {why}"
            yield not_measured(place, said, row, worked=any_ok(trials))
    for place in after:
        if place not in before:
            yield NotCompared(*place, f"only in {new.id}: {old.id} has no trial of it")


def not_measured(
    place: Place, reason: str, row: UnmeasuredCell | None, *, worked: bool
) -> NotCompared:
    """A place without a trial in the newer run, whose `row` tells why. One that `worked` in the
    older is broken, unless the newer run ended before it."""
    late = row is not None and row.kind == "not-reached"
    return NotCompared(*place, reason, broken=worked and not late, not_reached=worked and late)


def missing_in(catalog: Catalog, references: Sequence[str]) -> dict[str, str]:
    """Which of `references` the catalog no longer has, each with what it says of that."""
    gone: dict[str, str] = {}
    for reference in references:
        try:
            catalog.server_variant(reference)
        except UserError as error:
            gone[reference] = str(error)
    return gone


def removed_rows(old: RunRecord, gone: Mapping[str, str]) -> list[UnmeasuredCell]:
    """Rows for servers that `old` measured and that are `gone` since, with what is said of that."""
    places = dict.fromkeys(t.place for t in old.trials if t.entry in gone)
    return [
        UnmeasuredCell(
            entry=entry, scenario=scenario, load=load, kind="removed", reason=gone[entry]
        )
        for entry, scenario, load in places
    ]


def _asked_otherwise(place: Place, run: RunRecord) -> bool:
    """Whether the run's study has another scenario or load instead."""
    _, scenario, load = place
    has = {trial.cell for trial in run.trials}
    has |= {row.cell for row in run.absent}
    return (scenario, load) not in has


def any_ok(trials: Sequence[TrialRecord]) -> bool:
    """Whether a server worked in any of its `trials`."""
    return any(trial.status == "ok" for trial in trials)
