"""The JSON of a run beside what was published of it.

`published/` holds the schema as it was written by hand, and a run with the JSON that was made of it
then. The schema is now made from the classes that are exported.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from webdyno.report.formats import json_export, run_schema
from webdyno.report.formats.json_import import read_export
from webdyno.store.records import RunRecord

HERE = Path(__file__).parent / "published"
PUBLISHED = json.loads((HERE / "run.schema.json").read_text(encoding="utf-8"))
RECORDED = json.loads((HERE / "run.json").read_text(encoding="utf-8"))
ADDED = {
    f"run.trials[].cpu.{role}.{key}"
    for role in ("server", "generator")
    for key in ("run_delay_s", "busiest_thread_ready_share")
} | {
    "run.trials[].memory_bytes.peak_rss",
    "run.machines",
    "run.plan.everybody",
    "run.trials[].machines",
    "run.trials[].not_steady",
    "run.trials[].counts.client_limit",
    "run.trials[].shared_start",
    "run.trials[].evidence[].remedy",
}
"""Keys that came since."""

Schema = dict[str, Any]


def test_the_schema_is_the_one_that_the_classes_make() -> None:
    assert json_export.schema() == run_schema.schema(), (
        "write it anew: python -m webdyno.cli.schemas"
    )


def test_the_published_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(PUBLISHED)


@pytest.mark.parametrize(
    "schema", [lambda: PUBLISHED, run_schema.schema], ids=["published", "made"]
)
def test_what_is_exported_then_and_now_satisfies_both(schema: Callable[[], Schema]) -> None:
    now = json_export.export(RunRecord.model_validate(RECORDED["record"]))
    valid = jsonschema.Draft202012Validator(schema())
    valid.validate(now)
    valid.validate(RECORDED["export"])


def test_the_json_of_a_run_is_what_it_was_but_for_new_keys() -> None:
    now = json_export.export(RunRecord.model_validate(RECORDED["record"]))
    assert set(differences(RECORDED["export"], now, "run")) == ADDED


def test_an_export_that_is_read_back_exports_the_same(tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    path.write_text(json_export.dumps(RunRecord.model_validate(RECORDED["record"])))
    held = json.loads(path.read_text())
    assert list(differences(held, json_export.export(read_export(path)), "run")) == []


def differences(before: Any, now: Any, where: str) -> Iterator[str]:
    """Where `now` holds something else or more than `before`."""
    if isinstance(before, dict) and isinstance(now, dict):
        for key in before.keys() | now.keys():
            if key in before and key in now:
                yield from differences(before[key], now[key], f"{where}.{key}")
            else:
                yield f"{where}.{key}"
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for was, one in zip(before, now, strict=True):
            yield from differences(was, one, f"{where}[]")
    elif before != now:
        yield f"{where}: {before} is {now}"


def test_no_key_that_was_published_is_lost() -> None:
    lost = list(missing(PUBLISHED, PUBLISHED, run_schema.schema(), run_schema.schema(), "run"))
    assert lost == []


def missing(before: Schema, of: Schema, now: Schema, at: Schema, where: str) -> Iterator[str]:
    """Keys described or required by `of`, a part of the schema `before`, and not by `at`, the same
    part of `now`."""
    old, new = list(shapes(before, of)), list(shapes(now, at))
    for what in ("properties", "required"):
        kept = {key for shape in new for key in shape.get(what, ())}
        for shape in old:
            yield from (f"{where}.{key} ({what})" for key in shape.get(what, ()) if key not in kept)
    inner = {
        key: part
        for shape in new
        for key, part in shape.get("properties", {}).items()
        if isinstance(part, dict)
    }
    for shape in old:
        for key, part in shape.get("properties", {}).items():
            if key in inner and isinstance(part, dict):
                yield from missing(before, part, now, inner[key], f"{where}.{key}")
        for what in ("items", "additionalProperties"):
            parts = [one[what] for one in new if isinstance(one.get(what), dict)]
            if isinstance(shape.get(what), dict) and parts:
                yield from missing(before, shape[what], now, parts[0], f"{where}[]")


def shapes(root: Schema, part: Schema) -> Iterator[Schema]:
    """What a part of a schema may be, with references followed."""
    if "$ref" in part:
        yield from shapes(root, root["$defs"][part["$ref"].rpartition("/")[2]])
        return
    either = part.get("anyOf", part.get("oneOf", []))
    for one in either:
        yield from shapes(root, one)
    if not either or "properties" in part:
        yield part
