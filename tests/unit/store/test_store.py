"""The store: what was stored is found again, also after a kill, also by part of an id."""

import json
import math
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy.exc import OperationalError

from webdyno.errors import UserError
from webdyno.store.hardware import StoredMachine
from webdyno.store.records import FittedLoadRecord, RunRecord, TrialRecord, now
from webdyno.store.sql import migrate
from webdyno.store.sql.database import SharedLock
from webdyno.store.store import Store
from webdyno.store.stored_study import StoredStudy
from webdyno.store.verdicts import VerdictRecord


def a_run(id_: str) -> RunRecord:
    return RunRecord(
        id=id_, study=StoredStudy(name="quick"), command="./webdyno run", started=now()
    )


def a_trial(run_id: str, index: int) -> TrialRecord:
    return TrialRecord(
        run_id=run_id, index=index, server="go/chi", scenario="json", load="closed-8", block=0,
        order=index, status="ok", started=now(), finished=now(),
    )  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "results.sqlite"


def test_a_run_and_its_trials_come_back_as_they_were(path: Path) -> None:
    store = Store.open(path)
    run = a_run("20260101-a")
    store.save_run(run)
    trials = [a_trial(run.id, index) for index in (1, 0)]
    for trial in trials:
        store.add_trial(trial)
    store.close()
    again = Store.open(path).run("latest")
    assert again.trials == trials[::-1]
    assert again.model_copy(update={"trials": []}) == run


def test_how_loads_were_fitted_is_stored_under_the_key_that_it_always_had(path: Path) -> None:
    record = FittedLoadRecord(scenario="json", load="ramp", rate_factor=0.5, time_factor=1.0)
    store = Store.open(path)
    store.save_run(a_run("r").model_copy(update={"fitted_loads": [record]}))
    store.close()
    assert Store.open(path).run("r").fitted_loads == [record]
    with sqlite3.connect(path) as database:
        (document,) = database.execute("SELECT document FROM run").fetchone()
    assert json.loads(document)["scalings"][0]["rate_factor"] == 0.5
    assert "fitted_loads" not in document


def test_a_trial_measured_again_replaces_the_first(path: Path) -> None:
    store = Store.open(path)
    store.save_run(a_run("r"))
    store.add_trial(a_trial("r", 0))
    store.add_trial(a_trial("r", 0).model_copy(update={"status": "failed"}))
    assert [trial.status for trial in store.run("r").trials] == ["failed"]


def test_a_run_is_found_by_the_beginning_of_its_id(path: Path) -> None:
    store = Store.open(path)
    for id_ in ("aa-1", "aa-2", "b%-3"):
        store.save_run(a_run(id_))
    assert store.run("aa-1").id == "aa-1"
    assert store.run("b%").id == "b%-3"
    with pytest.raises(UserError, match="matches 2 runs"):
        store.run("aa")
    with pytest.raises(UserError, match="no run 'zz'"):
        store.run("zz")
    with pytest.raises(UserError, match="no run '%'"):
        store.run("%")


def test_the_latest_may_be_of_one_study(path: Path) -> None:
    store = Store.open(path)
    store.save_run(a_run("one"))
    store.save_run(a_run("two").model_copy(update={"study": StoredStudy(name="json")}))
    assert store.run("latest").id == "two"
    assert store.run("latest", "quick").id == "one"
    assert store.run("latest", "json").id == "two"
    with pytest.raises(UserError, match="no run of the study 'page' is stored yet"):
        store.run("latest", "page")


def test_the_newest_revision_is_the_one_on_disk() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_current_head() == migrate.HEAD


def test_a_database_of_a_newer_webdyno_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store.open(path).close()
    monkeypatch.setattr(migrate, "HEAD", "0000")
    with pytest.raises(UserError, match="made by a newer Webdyno"):
        Store.open(path)


@pytest.mark.parametrize(
    ("where", "remedy"),
    [
        ("nonsense://x", "name another in WEBDYNO_STORE"),
        ("sqlite:////proc/version/x.sqlite", "name another in WEBDYNO_STORE"),
        # Of the state folder: builds and runs could not be written there either.
        ("/proc/version/x.sqlite", "name a folder that you may write to in WEBDYNO_HOME"),
    ],
)
def test_a_store_that_cannot_be_opened_is_one_line(where: str, remedy: str) -> None:
    with pytest.raises(UserError, match=f"cannot be opened: .*{remedy}$") as caught:
        Store.open(where)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "where",
    ["nonsense://me:secret@host/x", "nonsense://:secret@host", "nonsense://me:p@secret@host/x"],
)
def test_the_password_of_a_store_is_not_shown(where: str) -> None:
    with pytest.raises(UserError, match="cannot be opened") as caught:
        Store.open(where)
    assert "secret" not in str(caught.value)
    assert "host" in str(caught.value)


def test_a_file_that_is_no_database_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("this is not a database, but it is long enough to look at" * 40)
    with pytest.raises(UserError, match="cannot be opened"):
        Store.open(path)


def rewritten(path: Path, table: str, change: Callable[[dict[str, Any]], None]) -> None:
    """What another version would have stored in the rows of `table`."""
    with sqlite3.connect(path) as database:
        for rowid, text in database.execute(f"SELECT rowid, document FROM {table}").fetchall():
            document = json.loads(text)
            change(document)
            changed = json.dumps(document), rowid
            database.execute(f"UPDATE {table} SET document = ? WHERE rowid = ?", changed)


def test_what_a_newer_version_added_to_its_records_does_not_hide_them(path: Path) -> None:
    store = Store.open(path)
    store.save_run(a_run("r"))
    store.add_trial(a_trial("r", 0))
    rewritten(path, "run", lambda document: document.update(weather="fine"))
    rewritten(path, "trial", lambda document: document["build"].update(colour="green"))
    assert [run.id for run in store.runs()] == ["r"]
    assert store.run("r").trials == [a_trial("r", 0).model_copy(update=_times(store))]


def _times(store: Store) -> dict[str, Any]:
    (trial,) = store.run("r").trials
    return {"started": trial.started, "finished": trial.finished}


def test_what_a_newer_version_changed_is_refused_in_one_line(path: Path) -> None:
    store = Store.open(path)
    store.save_run(a_run("r").model_copy(update={"versions": {"webdyno": "9.1"}}))
    rewritten(path, "run", lambda document: document.update(status="pondering"))
    with pytest.raises(UserError, match=r"run r: made by Webdyno 9\.1, whose 'status'"):
        store.run("r")


def test_a_run_that_cannot_be_read_does_not_hide_the_others_in_a_list(path: Path) -> None:
    store = Store.open(path)
    for id_ in ("old", "newer"):
        store.save_run(a_run(id_))
    store.add_trial(a_trial("old", 0))
    rewritten(path, "run", lambda document: document.update(started="soon"))
    assert {(run.id, run.study, run.trials) for run in store.listed()} == {
        ("old", "quick", 1),
        ("newer", "quick", 0),
    }


def test_a_database_that_is_damaged_is_one_line(path: Path) -> None:
    store = Store.open(path)
    for number in range(5):
        store.save_run(a_run(f"run-{number}"))
    store.close()
    with sqlite3.connect(path) as database:  # Opening it needs none of the runs' pages.
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'run'"
        ((page,),) = database.execute(query)
        ((size,),) = database.execute("PRAGMA page_size")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    with pytest.raises(UserError, match=r"results\.sqlite.*malformed.*restore it from a copy"):
        Store.open(path).runs()


@pytest.mark.parametrize("said", ["disk I/O error", "database or disk is full"])
def test_a_store_on_a_full_disk_says_what_to_do(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_engine: object) -> None:
        raise OperationalError("", {}, sqlite3.OperationalError(said))

    monkeypatch.setattr("webdyno.store.store.upgrade", fails)
    with pytest.raises(UserError, match=f"{said}; its disk may be full: make room there"):
        Store.open(tmp_path / "runs.sqlite")


def test_what_is_infinite_or_no_number_is_stored_as_json_and_comes_back(path: Path) -> None:
    store, run, trial = Store.open(path), a_run("r"), a_trial("r", 0)
    verdict = VerdictRecord(
        scenario="json", load="p99 < 1s", metric="capacity_rps", entries=["go/chi"], groups=[],
        ratios=[], medians={"go/chi": math.nan}, intervals={"go/chi": (2931.9, math.inf)},
    )  # fmt: skip
    store.save_run(
        run.model_copy(
            update={
                "verdicts": [verdict],
                "machine": StoredMachine.model_validate({"rate": math.inf}),
            }
        )
    )
    seconds = {"load": math.inf, "proof": -math.inf, "stop": math.nan}
    store.add_trial(trial.model_copy(update={"step_seconds": seconds}))
    found = store.run("r")
    (read,) = found.verdicts
    assert read.intervals == verdict.intervals
    assert math.isnan(read.medians["go/chi"])
    assert str(found.trials[0].step_seconds) == str(seconds)
    store.close()
    with sqlite3.connect(path) as connection:
        for table in ("run", "trial"):
            assert connection.execute(f"SELECT json_valid(document) FROM {table}").fetchall() == [
                (1,)
            ]


def test_nothing_is_written_where_another_machine_has_the_run(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, ours = Store.open(path), [True]
    monkeypatch.setattr(SharedLock, "take", lambda _: ours[0])
    with store.writing("r"):
        store.save_run(a_run("r"))
        ours[0] = False
        with pytest.raises(UserError, match=r"run r: .* another machine has resumed the run"):
            store.add_trial(a_trial("r", 0))
    assert store.run("r").trials == []
    store.save_run(a_run("another"))
    store.close()
