"""Going on with a run that was killed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from webdyno.catalog.catalog import Catalog
from webdyno.catalog.reading.manifest import parse_manifest
from webdyno.catalog.studies.study import StudyManifest
from webdyno.catalog.studies.study_tables import Blocks
from webdyno.errors import UserError
from webdyno.run.bench import observe
from webdyno.run.bench.adapted_study import adapted_study
from webdyno.run.bench.bench import HERE, Bench
from webdyno.run.record.identity import NOT_COMPARABLE
from webdyno.run.record.passing_notes import lasting_notes
from webdyno.run.record.writer import refuse_if_written
from webdyno.store.records import RunRecord, now
from webdyno.store.store import Store


def study_of(store: Store, id_: str, catalog: Catalog) -> StudyManifest:
    """The study of the run `id_` as it was begun; for `latest`, of the newest unfinished run of
    servers in `catalog`. Raises `UserError` where there is none."""
    if id_ != "latest":
        return _study(store.run(id_))
    for listed in store.listed():
        # Others need not be read, nor be of a version that can be.
        if listed.status != "finished" and _all_known(run := store.run(listed.id), catalog):
            return _study(run)
    raise UserError("no run is unfinished; start one without --resume")


def _study(run: RunRecord) -> StudyManifest:
    return parse_manifest(run.study.as_stored(), StudyManifest, f"the study of run {run.id}")


def _all_known(run: RunRecord, catalog: Catalog) -> bool:
    """Whether this run's servers are the catalog's, and not versions that were compared."""
    try:
        for reference in run.study.servers:
            catalog.server_variant(reference)
    except UserError:
        return False
    return True


def to_resume(
    store: Store,
    study: StudyManifest,
    id_: str,
    catalog: Catalog,
    bench: Bench = HERE,
    longer: bool = False,
) -> RunRecord:
    """The run `id_` (or the newest unfinished one, for `latest`) to go on with by `bench`.

    `longer` also takes one that is finished: its budget ended before there were blocks enough to
    look at.

    Raises `UserError` where it is finished or under way, or asks another question than `study` does
    today, or was made on another machine or by another version of Webdyno.
    """
    if id_ == "latest":
        id_ = _unfinished(store, [study.name])[0]
    run = store.run(id_)
    if not longer:
        _refuse_finished(run)
    refuse_if_written(run)
    study, _ = adapted_study(study, catalog, bench)
    ignored = {"budget", "title", "question", "source", "published"}
    then = {key: value for key, value in run.study.as_stored().items() if key not in ignored}
    today = {k: v for k, v in study.model_dump(mode="json").items() if k not in ignored}
    # A key that a newer version knows is None in what an older one stored.
    changed = next((key for key in {**then, **today} if then.get(key) != today.get(key)), None)
    if changed is not None:
        raise UserError(f"run {run.id}: the study's '{changed}' has changed since; start a new run")
    _refuse_made_elsewhere(run, bench)
    return resumed(run, anew=longer)


def refuse_early(store: Store, id_: str, studies: Sequence[str], blocks: Blocks) -> None:
    """Refuse what `to_resume` would refuse of the run `id_` whatever its servers are, before these
    are built: one that is finished or under way, that was made elsewhere, or that makes another
    number of blocks than `blocks`. Of `latest`, where this holds of all unfinished runs of
    `studies`.

    Raises `UserError`.
    """
    ids = _unfinished(store, studies) if id_ == "latest" else [id_]
    refusals = [refusal for one in ids if (refusal := _refusal(store, one, blocks))]
    if len(refusals) == len(ids):
        raise refusals[0]


def _unfinished(store: Store, studies: Sequence[str]) -> list[str]:
    """The ids of the unfinished runs of `studies`, of each the newest first. Raises `UserError`
    where there is none."""
    ids = [one.id for study in studies for one in store.listed(study) if one.status != "finished"]
    if not ids:
        raise UserError(f"no unfinished run of study '{studies[0]}'; start one without --resume")
    return ids


def _refusal(store: Store, id_: str, blocks: Blocks) -> UserError | None:
    try:
        _refuse_run(store.run(id_), blocks)
    except UserError as error:
        return error
    return None


def _refuse_run(run: RunRecord, blocks: Blocks) -> None:
    _refuse_finished(run)
    refuse_if_written(run)
    _refuse_made_elsewhere(run, HERE)
    then = _study(run).blocks
    if (then.min, then.max) != (blocks.min, blocks.max):
        made, other = f"{then.min} to {then.max}", ""
        if then.min == then.max:
            made, other = f"{then.max}", f"give --blocks {then.max}, or "
        raise UserError(
            f"run {run.id} makes {made} blocks, not {blocks.max}; {other}start a new run without "
            "--resume"
        )


def _refuse_finished(run: RunRecord) -> None:
    if run.status == "finished":
        raise UserError(f"run {run.id} is finished; `webdyno report {run.id}` shows it")


def _refuse_made_elsewhere(run: RunRecord, bench: Bench) -> None:
    """Refuse a run of another machine, of another version of Webdyno, or of machines that are not
    those of `bench`."""
    if run.machine.fingerprint != bench.machine(noise=False).fingerprint:
        raise UserError(f"run {run.id} was made on another machine; start a new run here")
    here = observe.versions()["webdyno"]
    if (made_by := run.versions.get("webdyno", here)) != here:
        raise UserError(
            f"run {run.id} was made by Webdyno {made_by}, and this is {here}; {NOT_COMPARABLE}"
        )
    if run.machines.several != bench.machines().several:
        how = "with --machines" if run.machines.several else "without --machines"
        raise UserError(f"run {run.id} was made {how}; resume it the same way, or start a new run")


def resumed(run: RunRecord, anew: bool = False) -> RunRecord:
    """`run` as one that goes on; what has passed since its last sign of life was a pause. `anew`:
    by another plan, as no look was taken by its own."""
    if anew:
        run.plan, run.planned_blocks = None, None
    run.notes = lasting_notes(run.notes, planned_anew=anew)
    went_on = now()
    run.paused_s = round(run.paused_s + (went_on - _last_seen(run)).total_seconds(), 3)
    run.taken_up = went_on
    run.status, run.finished = "running", None
    return run


def _last_seen(run: RunRecord) -> datetime:
    """When it ended or, where it was killed, when its last trial did, or it last went on."""
    if run.finished is not None:
        return run.finished
    began = run.started + timedelta(seconds=sum(run.step_seconds.values()))
    went_on = began if run.taken_up is None else run.taken_up
    return max([began, went_on, *(trial.finished for trial in run.trials)])
