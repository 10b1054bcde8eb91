"""The JSON Schema of an exported run, made from its classes.

`python -m webdyno.cli.schemas` writes it beside the package's others.
"""

from __future__ import annotations

from typing import Any

from webdyno.catalog.schema import FOLDER
from webdyno.report.formats.exported import ExportedRun
from webdyno.store.document_schema import Untitled, opened

SCHEMA = FOLDER / "run.schema.json"

_PROMISED = {
    "BuildTimesRecord": ["cold_s", "clean_s", "incremental_s"],
    "DifferenceRecord": ["why"],
    "SearchStep": ["late_share", "errors_share"],
    "StackStep": ["low_ns", "high_ns"],
    "EntryCost": ["each_ns", "low_ns", "high_ns", "steps"],
    "RequestRecord": ["latency_us"],
    "UslRecord": ["reason", "entries"],
    "UslEntry": ["reason", "points", "curve"],
    "FittedLoadRecord": ["given"],
    "SearchRecord": ["steps"],
    "SetupRecord": ["server_cpus", "generator_cpus", "turns"],
    "Warmup": ["steady_after_s"],
    "WarmupSummary": ["steady_after_s"],
}
"""Keys that records may lack, such as those of older versions, and exports of this format never."""


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of an exported run."""
    made = ExportedRun.model_json_schema(mode="serialization", schema_generator=Untitled)
    for name, keys in _PROMISED.items():
        described = made["$defs"][name]
        described["required"] = [*described.get("required", []), *keys]
    return {
        "$schema": Untitled.schema_dialect,
        "$id": "urn:webdyno:schema:run",
        **opened(made),
    }
