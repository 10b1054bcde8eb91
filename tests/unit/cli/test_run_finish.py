"""What is left of a run whose report cannot be made, and outputs that are refused beforehand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.synthetic_run import build_run
from webdyno.catalog.studies.study_tables import Planning
from webdyno.cli.finish_run import finish
from webdyno.cli.output import check_writable
from webdyno.errors import UserError
from webdyno.report.formats import html, terminal
from webdyno.store.records import RunRecord


@pytest.fixture
def record(tmp_path: Path) -> RunRecord:
    return build_run(blocks=2, seconds=2).model_copy(update={"folder": str(tmp_path)})


def test_results_are_shown_and_kept_where_the_report_fails(
    record: RunRecord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    def broken(_run: RunRecord) -> str:
        raise KeyError("a\nchart")

    monkeypatch.setattr(html, "render_html", broken)
    monkeypatch.delenv("WEBDYNO_DEBUG", raising=False)
    out = tmp_path / "out.json"
    assert finish(record, out, None) == 1
    said = capsys.readouterr()
    assert "node/express" in said.out
    assert len(said.err.strip().splitlines()) == 1
    assert f"`webdyno report {record.id}`" in said.err
    assert json.loads(out.read_text())["id"] == record.id
    assert not (tmp_path / "report.html").exists()


def test_all_is_written_though_nobody_reads_the_results(
    record: RunRecord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(_run: RunRecord, report: str) -> None:
        raise SystemExit(1)  # As Rich ends where it finds the pipe broken.

    monkeypatch.setattr(terminal, "show", gone)
    monkeypatch.setattr(html, "render_html", lambda _run: "page")
    out = tmp_path / "out.json"
    with pytest.raises(SystemExit):
        finish(record, out, None)
    assert json.loads(out.read_text())["id"] == record.id
    assert (tmp_path / "report.html").read_text() == "page"


@pytest.mark.slow
def test_all_is_written_where_nothing_fails(record: RunRecord, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert finish(record, None, page) == 0
    assert page.read_text() == (tmp_path / "report.html").read_text()
    assert (tmp_path / "run.json").is_file()


def test_what_cannot_be_written_is_refused_beforehand(tmp_path: Path) -> None:
    check_writable(tmp_path / "new.json")
    assert not list(tmp_path.iterdir())
    kept = tmp_path / "old.json"
    kept.write_text("old")
    check_writable(kept)
    assert kept.read_text() == "old"
    for path, said in [
        (tmp_path / "none" / "a.json", "its folder does not exist"),
        (tmp_path, "is a folder"),
        (Path("/proc/webdyno.json"), "cannot be written"),
    ]:
        with pytest.raises(UserError, match=said):
            check_writable(path)


def test_two_outputs_do_not_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    (tmp_path / "link").symlink_to(path)
    check_writable(path, None, tmp_path / "b.json")
    check_writable(Path("/dev/null"), Path("/dev/null"))
    for other in (path, tmp_path / "link", tmp_path / "." / "a.json"):
        with pytest.raises(UserError, match="named for two outputs"):
            check_writable(path, other)


@pytest.mark.parametrize("traffic", ["lots", "0/day", "5", "-1M/day"])
def test_an_unreadable_traffic_is_refused_with_its_study(traffic: str) -> None:
    with pytest.raises(ValueError, match="is not a number of page views"):
        Planning(traffic=traffic, price="0.1/h")
