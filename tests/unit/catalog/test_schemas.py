"""The published schemas are those of today's models, and agree with them on real manifests."""

import functools
import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from webdyno.catalog import Catalog
from webdyno.catalog.schema import FOLDER, manifest_schemas

ROOT = Catalog().roots[0]
MANIFESTS = [
    *((path, "server") for path in sorted(ROOT.glob("servers/*/*/server.toml"))),
    *((path, "scenario") for path in sorted(ROOT.glob("scenarios/*/scenario.toml"))),
    *((path, "published") for path in sorted(ROOT.glob("studies/published/*.toml"))),
    *((path, "study") for path in sorted(ROOT.glob("studies/*.toml"))),
]


def test_schemas_on_disk_are_current() -> None:
    made = manifest_schemas()
    assert len(made) == 5
    for name, schema in made.items():
        on_disk = json.loads((FOLDER / name).read_text(encoding="utf-8"))
        assert on_disk == schema, f"{name}; run: python -m webdyno.catalog.schema"


@pytest.mark.parametrize(("path", "kind"), MANIFESTS, ids=lambda value: str(value)[-40:])
def test_an_editor_accepts_every_shipped_manifest(path: Path, kind: str) -> None:
    _validator(kind).validate(tomllib.loads(path.read_text()))


def test_an_editor_marks_an_unknown_key() -> None:
    path, kind = MANIFESTS[-1]
    manifest = {**tomllib.loads(path.read_text()), "budgte": "3m"}
    with pytest.raises(jsonschema.ValidationError, match="budgte"):
        _validator(kind).validate(manifest)


def _schema(kind: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((FOLDER / f"{kind}.schema.json").read_text())
    return schema


@functools.cache
def _validator(kind: str) -> jsonschema.protocols.Validator:
    """What an editor checks with. That the schema is one itself takes far longer than a manifest
    does, and is checked once."""
    schema = _schema(kind)
    made = jsonschema.validators.validator_for(schema)
    made.check_schema(schema)
    return made(schema)
