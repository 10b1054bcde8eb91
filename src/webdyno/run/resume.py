"""Going on with a run that was killed."""

from __future__ import annotations

from webdyno.catalog.study import StudyManifest
from webdyno.errors import UserError
from webdyno.run import observe
from webdyno.store.records import RunRecord
from webdyno.store.store import Store


def to_resume(store: Store, study: StudyManifest, id_: str) -> RunRecord:
    """The run `id_` (or the newest unfinished one, for `latest`) to go on with.

    Raises `UserError` where it is finished, or asks another question than `study` does today.
    """
    if id_ == "latest":
        open_runs = [run for run in store.runs(study.name) if run.status != "finished"]
        if not open_runs:
            raise UserError(
                f"no unfinished run of study '{study.name}'; start one without --resume"
            )
        id_ = open_runs[0].id
    run = store.run(id_)
    if run.status == "finished":
        raise UserError(f"run {run.id} is finished; `webdyno report {run.id}` shows it")
    ignored = {"budget"}
    then = {key: value for key, value in run.study.items() if key not in ignored}
    today = {k: v for k, v in study.model_dump(mode="json").items() if k not in ignored}
    if then != today:
        changed = next(key for key in today if then.get(key) != today[key])
        raise UserError(f"run {run.id}: the study's '{changed}' has changed since; start a new run")
    if run.machine.get("fingerprint") != observe.machine(noise=False)["fingerprint"]:
        raise UserError(f"run {run.id} was made on another machine; start a new run here")
    run.status = "running"
    return run
