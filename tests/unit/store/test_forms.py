"""Results as they were stored by every version so far are read, shown and kept.

`forms.jsonl` holds one made-up run, with a trial that counts and one that failed, in each form that
records have had, by the commit that brought it. Before a release,
`python tests/unit/store/record_form.py NAME` adds today's.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text

from webdyno.report.formats.json_export import dumps
from webdyno.store.sql import migrate
from webdyno.store.store import Store

FORMS = [json.loads(line) for line in Path(__file__).with_name("forms.jsonl").open()]
SCRIPTS = Path(migrate.__file__).parent / "migrations"


def revisions() -> list[str]:
    """Of the schema, the oldest first."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    found = ScriptDirectory.from_config(config).walk_revisions()
    return [script.revision for script in found][::-1]


def stored(path: Path, revision: str, run: dict[str, Any]) -> None:
    """Store `run` as a Webdyno whose schema was `revision` did."""
    engine = create_engine(f"sqlite:///{path}")
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
        document = {key: value for key, value in run.items() if key != "trials"}
        connection.execute(
            text("INSERT INTO run VALUES (:id, 'quick', :status, :started, :document)"),
            {**run, "document": json.dumps(document)},
        )
        for trial in run["trials"]:
            connection.execute(
                text(
                    "INSERT INTO trial VALUES (:run_id, :index, :server, :variant, :scenario,"
                    " :load, :block, :status, NULL, :document)"
                ),
                {**trial, "document": json.dumps(trial)},
            )
    engine.dispose()


@pytest.mark.parametrize("revision", revisions())
@pytest.mark.parametrize("form", FORMS, ids=[form["form"] for form in FORMS])
def test_results_of_every_form_are_read_and_shown(
    form: dict[str, Any], revision: str, tmp_path: Path
) -> None:
    path, run = tmp_path / "results.sqlite", form["run"]
    stored(path, revision, run)
    store = Store.open(path)
    found = store.run("latest")
    assert [run.id for run in store.runs()] == [found.id]
    store.close()
    again = found.model_dump(mode="json", by_alias=True)
    # Whatever was stored is there, with its own value.
    assert differences(run, again) == []
    exported = json.loads(dumps(found))
    assert len(exported["trials"]) == len(run["trials"])


def differences(old: Any, new: Any, at: str = "run") -> list[str]:
    """Where `new` lacks something of `old`, or holds another value."""
    if isinstance(old, dict):
        return [
            d for key, value in old.items() for d in differences(value, new.get(key), f"{at}.{key}")
        ]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = enumerate(zip(old, new, strict=True))
        return [d for index, (a, b) in pairs for d in differences(a, b, f"{at}[{index}]")]
    return [] if old == new else [f"{at}: {old!r} became {new!r}"]
