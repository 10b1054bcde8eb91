"""A run as plain data, for programs: published as `schemas/run.schema.json`."""

from __future__ import annotations

import json
from importlib import resources
from typing import TYPE_CHECKING, Any

from webdyno.report.formats.exported import FORMAT, ExportedRun

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord

__all__ = ["FORMAT", "dumps", "export", "schema"]


def export(run: RunRecord) -> dict[str, Any]:
    """`run` as a JSON-ready mapping that satisfies the schema: a number that is none, or infinite,
    is null."""
    held: dict[str, Any] = json.loads(ExportedRun.of(run).model_dump_json(by_alias=True))
    return held


def dumps(run: RunRecord) -> str:
    """`export(run)` as text, for a file."""
    return json.dumps(export(run), indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what `export` returns."""
    text = resources.files("webdyno").joinpath("schemas/run.schema.json").read_text("utf-8")
    held: dict[str, Any] = json.loads(text)
    return held
