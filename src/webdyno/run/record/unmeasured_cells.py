"""Who was asked for and has no trial: a study's servers x scenarios x loads, less its trials."""

from __future__ import annotations

from collections.abc import Sequence

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.study.plan import cells_of
from webdyno.store.records import RunRecord, Skipped
from webdyno.store.unmeasured_cell import UnmeasuredCell

_NOT_REACHED = {
    "finished": "the time budget ended first",
    "interrupted": "the run was interrupted first",
    "failed": "the run failed first",
    "running": "not measured yet",
}
"""By the run's status, why something that could be measured was not."""


def requested_cells(
    study: StudyManifest, catalog: Catalog, skipped: Sequence[Skipped]
) -> list[UnmeasuredCell]:
    """All that `study` asks for, each with why it has no trial until it has one.

    The A/A control has no row of its own: it is the same server once more.
    """
    left_out = {left.server: left for left in skipped}
    cells: list[UnmeasuredCell] = []
    for cell in cells_of(study, catalog):
        for reference in study.servers:
            server_variant = catalog.server_variant(reference)
            id_ = server_variant.server.build_id
            place = {
                "entry": server_variant.label,
                "scenario": cell.title,
                "load": cell.load.label(),
            }
            left = left_out.get(server_variant.label) or left_out.get(id_)
            if cell.scenario.id not in server_variant.server.manifest.scenarios:
                reason = f"does not implement {cell.scenario.id}"
                cells.append(UnmeasuredCell(**place, kind="not-implemented", reason=reason))
            elif left is not None:
                cells.append(
                    UnmeasuredCell(**place, kind=left.kind or "build-failed", reason=left.reason)
                )
            else:
                cells.append(
                    UnmeasuredCell(**place, kind="not-reached", reason=_NOT_REACHED["running"])
                )
    return cells


def unmeasured_cells(run: RunRecord) -> list[UnmeasuredCell]:
    """What `run` was asked for and has not measured so far."""
    measured = {trial.place for trial in run.trials}
    return [
        row.model_copy(update={"reason": _NOT_REACHED[run.status]})
        if row.kind == "not-reached"
        else row
        for row in run.absent
        if row.place not in measured
    ]
