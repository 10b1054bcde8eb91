"""JSON Schemas of the manifests, for editors. `python -m webdyno.catalog.schema` writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from webdyno.catalog.descriptions.description import Description
from webdyno.catalog.scenarios.scenario import ScenarioManifest
from webdyno.catalog.servers.server_manifest import ServerManifest
from webdyno.catalog.studies.published import PublishedManifest
from webdyno.catalog.studies.study import StudyManifest

FOLDER = Path(__file__).resolve().parent.parent / "schemas"
_MODELS: dict[str, type[BaseModel]] = {
    "server": ServerManifest,
    "scenario": ScenarioManifest,
    "study": StudyManifest,
    "published": PublishedManifest,
    "webdyno": Description,
}


def manifest_schemas() -> dict[str, dict[str, Any]]:
    """The schema of each manifest, by the name of its file under `schemas/`."""
    return {
        f"{name}.schema.json": {
            "$schema": GenerateJsonSchema.schema_dialect,
            **model.model_json_schema(mode="validation"),
        }
        for name, model in _MODELS.items()
    }


def write_schemas(schemas: Mapping[str, dict[str, Any]]) -> None:
    """Write each beside the package's others; they are by the names of their files."""
    for name, schema in schemas.items():
        text = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
        (FOLDER / name).write_text(text, encoding="utf-8")


def main() -> None:
    """Write the schemas of the manifests."""
    write_schemas(manifest_schemas())


if __name__ == "__main__":
    main()
