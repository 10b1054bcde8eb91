"""The run that a gate makes: its baseline's study once more, beside the servers of then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webdyno.errors import UserError

if TYPE_CHECKING:
    from webdyno.catalog.studies.study import StudyManifest
    from webdyno.store.records import RunRecord
    from webdyno.store.store import Store

GATE_BLOCKS = 5
"""Blocks of a run that is made for a gate, at least: fewer would only find large regressions."""


@dataclass(frozen=True)
class NewRun:
    """What was typed of a run to be made now; None stands for an option that was not given."""

    servers: str | None = None
    blocks: int | None = None
    budget_s: float | None = None
    unpaired: bool = False
    resume: str | None = None


def run_now(before: RunRecord, options: NewRun, store: Store) -> tuple[RunRecord, str]:
    """The baseline's study once more, with a fixed number of blocks: it is looked at once. Beside
    the servers of then, or with the reason why these could not be had. Raises `UserError`."""
    from webdyno.ab.baselines.paired_study import PairedStudy, pairs_of
    from webdyno.catalog.studies.made_names import of_gate
    from webdyno.cli import context
    from webdyno.cli.failures import resumable
    from webdyno.report.live.views import view_for
    from webdyno.run.comparison.broken import missing_in, removed_rows
    from webdyno.run.record.resume import refuse_early, to_resume
    from webdyno.run.run_study import run_study
    from webdyno.run.settings import RunEnvironment, RunSettings
    from webdyno.run.study.narrow import narrowed
    from webdyno.runtime.processes.private_folder import private_folder
    from webdyno.trial.events import Noted

    study = study_to_gate(before, options)
    catalog, home = context.catalog(), context.home()
    gone = {} if options.servers is not None else missing_in(catalog, study.servers)
    there = [reference for reference in study.servers if reference not in gone]
    if not there:
        raise UserError(
            f"run {before.id}: none of its servers exists any more ({', '.join(gone.values())}); "
            "name another baseline"
        )
    # All that can be refused is refused before anything is built.
    for reference in there:
        catalog.server_variant(reference)
    for entry in study.entries():
        catalog.scenario(entry.name)
    if gone:
        study = narrowed(study, servers=there)
    if options.resume is not None:
        refuse_early(store, options.resume, (study.name, of_gate(study.name)), study.blocks)
    with view_for() as view:
        pairs: PairedStudy | str = "--unpaired was given"
        if not options.unpaired:
            into = private_folder(home.temporary) / "gate"
            pairs = pairs_of(before, study, catalog, home.builds, into, view.event)
        if isinstance(pairs, PairedStudy):
            study, catalog = pairs.study, pairs.catalog
            if options.budget_s is None:
                # Both sides, and the control.
                study = narrowed(study, budget=study.budget * (2 + 1 / len(there)))
            for label, told in pairs.origins.items():
                view.event(Noted(text=f"beside its baseline: {label}, {told}"))
        else:
            view.event(Noted(text=f"measured at another time: {pairs}"))
        resume = options.resume
        earlier = None if resume is None else to_resume(store, study, resume, catalog)
        with resumable():
            record = run_study(
                study,
                RunEnvironment(catalog, home, store, view.event),
                RunSettings(resume=earlier, whole=True),
            )
    if isinstance(pairs, PairedStudy):
        record.baseline = before.id
    if gone:
        record.absent += removed_rows(before, gone)
    store.save_run(record)
    return record, "" if isinstance(pairs, PairedStudy) else pairs


def study_to_gate(before: RunRecord, options: NewRun) -> StudyManifest:
    """The study of `before`, with the blocks, servers and budget that are wanted. Raises
    `UserError` for servers that are not among its own."""
    from webdyno.catalog.reading.manifest import parse_manifest
    from webdyno.catalog.studies.study import StudyManifest
    from webdyno.catalog.terms.reference import without_default
    from webdyno.cli.name_lists import names
    from webdyno.run.study.narrow import narrowed

    made = 1 + max((trial.block for trial in before.trials), default=0)
    blocks = options.blocks or max(made, GATE_BLOCKS)
    where = f"the study of run {before.id}"
    study = parse_manifest(before.study.as_stored(), StudyManifest, where)
    number = {**study.blocks.model_dump(), "min": blocks, "max": blocks}
    study = parse_manifest({**study.model_dump(), "blocks": number}, StudyManifest, where)
    servers = None if options.servers is None else names(options.servers, "--servers")
    for one in servers or ():
        if without_default(one) not in study.servers:
            raise UserError(
                f"--servers {one}: not among the servers of run {before.id}; choose from "
                f"{', '.join(study.servers)}"
            )
    return narrowed(study, budget=options.budget_s, servers=servers)
