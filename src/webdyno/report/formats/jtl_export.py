"""The requests of a run's trials as JTL files, which JMeter opens."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from webdyno.catalog.loads.abilities import BUILT_IN, abilities_of, those_that
from webdyno.errors import UserError
from webdyno.store.trial import jtl_name
from webdyno.words import listed

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord, TrialRecord


def export(run: RunRecord, folder: Path) -> Iterator[str]:
    """Copy the JTL of each trial of `run` into `folder`; a line about each, and what has none.

    Raises `UserError` where no trial has one, or where the folder cannot be written.
    """
    found = {trial.index: jtl_of(run, trial) for trial in run.trials}
    kept = {index: path for index, path in found.items() if path is not None}
    if not kept:
        raise UserError(
            f"run {run.id} recorded no individual requests; run it with --jtl, or set record = "
            f"true in its loads (only {listed(those_that(lambda can: can.records))} report them)"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in kept.values():
            shutil.copyfile(path, folder / path.name)
            yield str(folder / path.name)
    except OSError as error:
        raise UserError(
            f"{folder}: cannot be written ({error.strerror}); name another folder"
        ) from None
    for trial in run.trials:
        if trial.index not in kept:
            name = f"{trial.entry} {trial.scenario} {trial.load}"
            yield f"trial {trial.index}, {name}: {_why_not(run, trial)}"


def jtl_of(run: RunRecord, trial: TrialRecord) -> Path | None:
    """The file of a trial's requests; None where it kept none."""
    if not run.folder or not trial.log:
        return None
    stem = Path(trial.log).stem
    path = Path(run.folder) / "jtl" / jtl_name(stem, trial.load)
    return path if path.is_file() else None


def _why_not(run: RunRecord, trial: TrialRecord) -> str:
    load = run.study.load(trial.load)
    generator = (load.generator if load else "") or BUILT_IN
    if not abilities_of(generator).records:
        return f"no JTL: {generator} reports no individual requests"
    if load and load.kind == "objective":
        return "no JTL: a search makes many loads, not one"
    return "no JTL: its requests were not recorded"
