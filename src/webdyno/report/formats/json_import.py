"""An exported run, read back: so that a run of another clone or machine can be compared with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from webdyno.catalog.reading.fault import first_fault
from webdyno.errors import UserError
from webdyno.printable import printable
from webdyno.regular_file import text_of
from webdyno.report.formats.exported import FORMAT, ExportedRun
from webdyno.report.formats.exported_trial import ExportedTrial
from webdyno.report.formats.impossible import impossible
from webdyno.store.agenda import PlanRecord
from webdyno.store.findings import ServerRecord
from webdyno.store.measurement import Measurement
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.stored_study import StoredStudy

MOST_BYTES = 200_000_000
"""Of an export: far more than the longest run has."""

_SAME = ExportedTrial.model_fields.keys() & TrialRecord.model_fields.keys()
_MEASURED = ExportedTrial.model_fields.keys() & Measurement.model_fields.keys()
_OF_RUN = {
    ExportedRun.model_fields[name].serialization_alias or name
    for name in ExportedRun.model_fields.keys() & RunRecord.model_fields.keys()
} - {"study", "trials", "plan", "servers"}
"""Keys that mean the same in a record."""


def read_export(path: Path) -> RunRecord:
    """The run in a file that `webdyno run --json` wrote, as far as the export holds it: series,
    histograms and logs stay where the run was made.

    Raises `UserError` where the file is none, of a format this version does not know, or has a
    figure that cannot be.
    """
    held = _export_in(path)
    try:
        StoredStudy.model_validate(held["study_manifest"])
    except ValidationError as error:
        fault = _fault(first_fault(error, StoredStudy))
        raise UserError(
            f"{path}: its study_manifest is wrong ({fault}); export it again with --json"
        ) from None
    return _record_of(held, path)


def _export_in(path: Path) -> dict[str, Any]:
    """The document in the file, which is an export of this format. Raises `UserError`."""
    try:
        held = _printable(json.loads(text_of(path, MOST_BYTES, ".json")))
    except (ValueError, RecursionError):
        raise UserError(f"{path}: not JSON; write one with `webdyno run --json`") from None
    if isinstance(held, dict) and "claims" in held and "exit_code" in held:
        raise UserError(
            f"{path}: an answer of `webdyno ab`, whose own exit code is 1 if B is worse, and not a "
            "run; write one with `webdyno run --json`"
        )
    if not isinstance(held, dict) or not isinstance(held.get("trials"), list):
        raise UserError(f"{path}: not an exported run; write one with `webdyno run --json`")
    if held.get("format") != FORMAT:
        raise UserError(
            f"{path}: has format {held.get('format')}, but this version reads {FORMAT}; export it "
            "again"
        )
    if "study_manifest" not in held:
        raise UserError(f"{path}: lacks its study, so it is too old; export the run again")
    if wrong := impossible(ExportedRun, held):
        raise UserError(f"{path}: {wrong}; export the run again")
    return held


def _printable(value: Any) -> Any:
    """`value` without what a terminal would obey in its texts: a file comes from anywhere.

    A scenario's parameters stay, since they are compared with those of stored runs; whoever shows
    them makes them fit to be shown.
    """
    if isinstance(value, str):
        return value if value.isprintable() else printable(value)
    if isinstance(value, list):
        return [_printable(one) for one in value]
    if isinstance(value, dict):
        return {
            _printable(key): value if key == "parameters" else _printable(value)
            for key, value in value.items()
        }
    return value


def _record_of(data: dict[str, Any], path: Path) -> RunRecord:
    """The record that the export in `path` holds. Raises `UserError` where it is not complete."""
    try:
        plan = data.get("plan") or {}
        known = {key: value for key, value in plan.items() if key in PlanRecord.model_fields}
        return RunRecord.model_validate(
            {
                **{key: data[key] for key in _OF_RUN if data.get(key) is not None},
                "plan": known or None,
                "servers": [_server(server) for server in data.get("servers", [])],
                "study": data["study_manifest"],
                "trials": [
                    _trial(trial, str(data.get("id", "")), index)
                    for index, trial in enumerate(data["trials"])
                ],
            }
        )
    except (ValidationError, KeyError, TypeError, AttributeError) as error:
        fault: object = error
        if isinstance(error, ValidationError):
            # An export has the figures of a measurement beside the trial's other keys.
            fault = first_fault(error, RunRecord).replace("measurement.", "", 1)
        raise UserError(
            f"{path}: not a complete exported run ({_fault(fault)}); export it again with --json"
        ) from None


def _fault(message: object) -> str:
    """What is wrong, without what an author of a manifest would do about it."""
    return str(message).partition("; ")[0]


def _server(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key in ServerRecord.model_fields}


def _trial(data: dict[str, Any], run_id: str, index: int) -> TrialRecord:
    measured = None
    if data.get("elapsed_s") is not None:
        measured = {key: data[key] for key in _MEASURED if key in data}
        known = data["cpu_us_per_request"].items()
        measured["cpu_us_per_request"] = {role: v for role, v in known if v is not None}
        if data.get("machines"):
            measured["generator"] = {"machines": data["machines"]}
    return TrialRecord.model_validate(
        {
            **{key: data[key] for key in _SAME if key in data},
            "run_id": run_id,
            "index": index,
            "measurement": measured,
            "build": {
                "seconds": data.get("build_seconds"),
                "digest": data.get("build_digest", ""),
                "artefact_bytes": data.get("artefact_bytes"),
                "source_lines": data.get("source_lines"),
            },
        }
    )
