"""`webdyno history`: which runs it takes, and what it says of those that it does not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.study_with import study_with
from unit.run.comparison.test_history import runs
from unit.store.test_store import rewritten
from webdyno.cli.main import main
from webdyno.report.formats.json_export import dumps
from webdyno.run.record.writer import sole_writer
from webdyno.store.records import RunRecord
from webdyno.store.store import Store


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WEBDYNO_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("WEBDYNO_STORE", raising=False)
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path / "home"


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    opened = Store.open(home / "webdyno.sqlite")
    yield opened
    opened.close()


def kept(store: Store, run: RunRecord, home: Path, status: str = "finished") -> RunRecord:
    run = run.model_copy(update={"status": status, "folder": str(home / "runs" / run.id)})
    store.save_run(run)
    for index, trial in enumerate(run.trials):
        store.add_trial(trial.model_copy(update={"run_id": run.id, "index": index}))
    return run


def exported(path: Path, run: RunRecord) -> str:
    path.write_text(dumps(run.model_copy(update={"status": "finished"})))
    return str(path)


def said(*arguments: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["history", *arguments]) == 0
    return capsys.readouterr().out


def test_a_run_that_is_given_twice_counts_once(
    store: Store, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = runs(2)
    kept(store, first, home)
    old, new = exported(tmp_path / "a.json", first), exported(tmp_path / "b.json", second)
    told = said("mine", "--file", new, "--file", new, "--file", old, capsys=capsys)
    assert "over 2 runs" in told
    assert f"left out: {new}: run run-01 is in another file as well, and counts once" in told
    assert f"left out: {old}: run run-00 is stored here as well, and counts once" in told


def test_files_of_other_studies_are_named(
    store: Store, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = runs(2)
    other = exported(
        tmp_path / "b.json",
        second.model_copy(update={"study": study_with(second.study, {"name": "b"})}),
    )
    reason = f"{other}: a run of study 'b', not of 'mine'"
    assert main(["history", "mine", "--file", other]) == 2
    assert f"no runs of study 'mine' ({reason})" in capsys.readouterr().err
    kept(store, first, home)
    assert f"left out: {reason}" in said("mine", "--file", other, capsys=capsys)


def test_the_comparisons_of_a_service_are_pointed_to(
    store: Store, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (run,) = runs(1)
    kept(store, run.model_copy(update={"study": study_with(run.study, {"name": "ab-shop"})}), home)
    for study, remedy in (
        ("shop", "`webdyno history ab-shop` shows what `webdyno ab` compared"),
        ("other", "`webdyno list runs` lists the stored runs"),
    ):
        assert main(["history", study]) == 2
        assert f"no runs of study '{study}'; {remedy}" in capsys.readouterr().err


@pytest.mark.slow
def test_runs_that_have_not_ended_are_named_with_the_remedy(
    store: Store, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, killed, going = runs(3)
    kept(store, first, home)
    kept(store, killed, home, "running")
    going = kept(store, going, home, "running")
    half = tmp_path / "half.json"
    half.write_text(dumps(runs(4)[3].model_copy(update={"status": "running"})))
    with sole_writer(going, store):
        told = said("mine", "--file", str(half), capsys=capsys)
        assert main(["list", "runs"]) == 0
        listed = capsys.readouterr().out
    resume = "unfinished; finish it (`webdyno run --resume run-01`)"
    assert f"left out: run-01: {resume}" in told
    assert "left out: run-02: under way; ask again when it has ended" in told
    assert f"left out: {half}: its run had not ended; export it again when it has" in told
    status = {row.split()[0]: row.split()[-2] for row in listed.splitlines() if "run-" in row}
    assert status == {"run-00": "finished", "run-01": "unfinished", "run-02": "running"}


def test_a_study_that_is_called_as_those_of_ab_goes_on_as_its_own_command_can(
    store: Store, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, own, compared = (
        run.model_copy(
            update={"study": study_with(run.study, {"name": "ab-mine"}), "command": command}
        )
        for run, command in zip(
            runs(3), ("", "./webdyno run ab-mine", "./webdyno ab main"), strict=True
        )
    )
    kept(store, first, home)
    kept(store, own, home, "running")
    kept(store, compared, home, "running")
    told = said("ab-mine", capsys=capsys)
    assert "left out: run-01: unfinished; finish it (`webdyno run --resume run-01`)" in told
    assert "left out: run-02: unfinished; repeat its command, since a comparison cannot" in told


def test_a_run_that_only_another_version_can_read_is_named(
    store: Store, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for run in runs(2):
        kept(store, run, home)
    other = runs(3)[2].model_copy(update={"study": study_with(runs(1)[0].study, {"name": "other"})})
    kept(store, other, home)
    unreadable = {"run-00", "run-02"}
    rewritten(
        home / "webdyno.sqlite",
        "run",
        lambda held: held["id"] in unreadable and held.update(status="pondering"),
    )
    told = said("mine", capsys=capsys)
    assert "left out: run-00: made by Webdyno 1, whose 'status' this version" in told
    assert "run-02" not in told
