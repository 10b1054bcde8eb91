"""How long trials took in earlier runs: what the plan of the next one is made from."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest

from support.synthetic_run import build_run
from webdyno.errors import UserError
from webdyno.store.store import Store


def test_good_trials_of_this_machine_tell_what_they_took(tmp_path: Path) -> None:
    run = build_run(blocks=2, seconds=2)
    store = Store.open(tmp_path / "store.db")
    store.save_run(run)
    for trial in run.trials:
        ended = trial.started + timedelta(seconds=20)
        steps = {"warm-up": 4.0, "measure": 10.0}
        changes = {"finished": ended, "away_seconds": 2.0, "step_seconds": steps, "run_id": run.id}
        store.add_trial(trial.model_copy(update=changes))
    fingerprint = run.machine.fingerprint
    found = store.timings(["go/net-http", "node/express"], fingerprint)
    good = [t for t in run.trials if t.server in ("go/net-http", "node/express")]
    assert len(found) == sum(trial.status == "ok" for trial in good) < len(good)
    # The control is the server that it is; a variant is another.
    assert {one.entry for one in found} == {"go/net-http", "node/express", "node/express@cluster"}
    assert {(one.load_s, one.beside_s) for one in found} == {(10.0, 8.0)}
    assert not store.timings(["go/net-http"], "another machine")
    # What shared another's start says nothing of what a start takes.
    (node, *_) = [trial for trial in good if trial.entry == "node/express@cluster"]
    store.add_trial(node.model_copy(update={"shared_start": True, "index": 900, "run_id": run.id}))
    assert len(store.timings(["go/net-http", "node/express"], fingerprint)) == len(found)
    store.close()


def test_runs_whose_documents_earlier_versions_wrote_as_no_json_tell_it_too(
    tmp_path: Path,
) -> None:
    run = build_run(blocks=1, seconds=2)
    store = Store.open(tmp_path / "store.db")
    store.save_run(run)
    for trial in run.trials:
        store.add_trial(trial.model_copy(update={"run_id": run.id}))
    asked = (["go/net-http", "node/express"], run.machine.fingerprint)
    usual = store.timings(*asked)
    with sqlite3.connect(tmp_path / "store.db") as connection:
        for table in ("run", "trial"):
            held = "'{\"old\": [-Infinity, Infinity, NaN],' || substr(document, 2)"
            connection.execute(f"UPDATE {table} SET document = {held}")
    connection.close()
    assert store.timings(*asked) == usual != []
    store.close()


def test_a_store_that_cannot_be_read_is_said_to_be(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "store.db")
    with sqlite3.connect(tmp_path / "store.db") as connection:
        connection.execute("DROP TABLE trial")
    connection.close()
    with pytest.raises(UserError, match="no such table"):
        store.timings(["go/net-http"], "a machine")
    store.close()
