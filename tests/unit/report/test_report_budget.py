"""What a report says of a run that had little time: its headline, and no rank without blocks."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console

from support.output_schemas import validate
from support.synthetic_run import build_run
from webdyno.catalog import StudyManifest
from webdyno.report import summary
from webdyno.report.charts.picture import render_picture
from webdyno.report.formats import json_export, json_import, terminal
from webdyno.report.formats.html import render_html
from webdyno.report.formats.markdown import render_markdown
from webdyno.report.text import answer, cautions, headline, planned, sentences
from webdyno.report.text.planned import budget_option
from webdyno.report.too_few_blocks import too_few_blocks
from webdyno.run.judgement.judge import judge
from webdyno.store.agenda import PlannedCell, PlanRecord
from webdyno.store.records import RunRecord
from webdyno.store.store import Store
from webdyno.store.stored_study import StoredLoad, StoredStudy

pytestmark = pytest.mark.slow

FORBIDDEN = ("told apart", "reference", "tied", "tie<", "(tie)", "first place")
"""No word of these is said of what was measured once or twice."""


def judged(blocks: int, **changes: object) -> RunRecord:
    """A synthetic run with the verdicts that the statistics draw from its trials."""
    run = build_run(blocks=blocks)
    study = StudyManifest.model_validate(run.study.as_stored())
    for trial in run.trials:
        trial.warmup = None  # One of its servers is never steady, and would settle nothing.
    return run.model_copy(update={"verdicts": judge(study, run.trials), **changes})


def a_plan(**changes: object) -> PlanRecord:
    fields: dict[str, object] = {
        "question": "Who hashes the fastest?", "scenario": "sha256", "load": "closed-64",
        "metric": "throughput_rps", "servers": ["go/net-http", "node/http"], "named": True,
        "budget_s": 360.0, "all_s": 3100.0, "entries": ["go/net-http", "node/http"],
        "cells": [
            PlannedCell(
                scenario="sha256", load="closed-64", blocks=3, planned=True,
                seconds={"go/net-http": 10.0, "node/http": 10.0},
            ),
            PlannedCell(scenario="json", load="closed-64", blocks=3, planned=False),
            PlannedCell(scenario="json", load="wrk", published=True, blocks=1, planned=False),
        ],
    }  # fmt: skip
    return PlanRecord.model_validate({**fields, **changes})


def shown(run: RunRecord, width: int = 140) -> str:
    console = Console(file=io.StringIO(), width=width)
    terminal.show(run, console)
    file = console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


@pytest.mark.parametrize(("blocks", "words"), [(1, "one block"), (2, "two blocks")])
def test_too_few_blocks_are_no_tie_in_any_format(blocks: int, words: str) -> None:
    run = judged(blocks)
    said = f"{words}; three are needed"
    assert all(too_few_blocks(verdict) == said for verdict in run.verdicts)
    page = render_html(run).partition('<script type="application/json"')[0]
    page = re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL)
    # The method is told in general, whatever this run could do.
    page = page.partition('<section id="method">')[0]
    for text in (shown(run), render_markdown(run), page, render_picture(run)):
        assert said in text
        assert not [word for word in FORBIDDEN if word in text], text[:1500]
    for section in summary.sections(run):
        assert section.ranked
        assert {row.rank for row in section.rows} == {None}
        assert {row.place for row in section.rows} == {"–"}
        assert {row.standing for row in section.rows} == {"–"}
        # Their figures are shown, the better ones first.
        rates = [row.medians["throughput_rps"] or 0.0 for row in section.ranked]
        assert rates == sorted(rates, reverse=True)
    assert not any("Not settled" in text for text in cautions.cautions(run))


@pytest.mark.parametrize("blocks", [1, 2])
def test_json_has_a_word_of_its_own_for_them(blocks: int, tmp_path: Path) -> None:
    run = judged(blocks)
    written = json.loads(json_export.dumps(run))
    validate("run", written)
    for verdict in written["verdicts"]:
        assert verdict["groups"] == []
        assert not verdict["settled"]
        assert (verdict["blocks"], verdict["blocks_needed"]) == (blocks, 3)
        assert verdict["ratios"]
        assert {ratio["outcome"] for ratio in verdict["ratios"]} == {"too few blocks"}
        assert {ratio["high"] for ratio in verdict["ratios"]} == {None}
    # What cannot be bounded survives a file and the store.
    path = tmp_path / "run.json"
    path.write_text(json_export.dumps(run))
    assert json_import.read_export(path).verdicts == run.verdicts
    store = Store.open(tmp_path / "store.db")
    store.save_run(run)
    assert store.run(run.id).verdicts == run.verdicts
    store.close()


def test_three_blocks_are_ranked() -> None:
    run = judged(3)
    assert not any(verdict.too_few for verdict in run.verdicts)
    assert all(verdict.groups for verdict in run.verdicts)
    assert re.search(r"blocks?; three are needed", shown(run)) is None


def test_the_report_opens_with_the_headline_its_ratio_and_its_interval() -> None:
    run = judged(5, plan=a_plan())
    said = headline.opening(run)
    assert re.fullmatch(
        r"Who hashes the fastest\? go/net-http is faster than the next best, node/http, by "
        r"1\.\d\dx \[1\.\d\d, 1\.\d\d\]\.",
        said.headline,
    )
    assert [scope for scope, _ in said.parts] == ["json", "sha256"]
    for text in (shown(run, 400), render_markdown(run), render_html(run)):
        assert "Who hashes the fastest?" in text
        assert "The whole study takes about 52 min (--budget 52m)." in text.replace("\\", "")


def test_what_is_missing_for_an_answer_is_told_with_what_it_takes() -> None:
    # Trials of some seconds, of two servers among others, in one block.
    said = headline.opening(judged(1, plan=a_plan())).headline
    assert re.fullmatch(
        r"Who hashes the fastest\? Not answered \(one block; three are needed\); allow about "
        r"\d+ min \(--budget \d+m\)\.",
        said,
    )
    nothing = judged(1, plan=a_plan(), trials=[], verdicts=[])
    assert headline.opening(nothing).headline == (
        "Who hashes the fastest? Not answered (none of its trials finished); allow about "
        "2 min (--budget 2m)."
    )


def test_cells_without_repetition_do_not_count_among_the_answers() -> None:
    run = judged(5)
    one = judged(1).verdicts[0].model_copy(update={"load": "published"})
    held = run.model_copy(update={"verdicts": [*run.verdicts, one]})
    assert "told apart" not in answer.answer(held).headline
    assert answer.answer(held).headline == answer.answer(run).headline
    assert sentences.sentence(one).startswith("One block; three are needed")


def test_the_plan_in_words() -> None:
    study = StoredStudy(loads=[StoredLoad(name="closed-64", duration=5.0)])
    shorter = a_plan(lengths_s={"closed-64": 2.0}, left_out=["node/http"])
    assert planned.sentences(shorter, study) == [
        "3 blocks of 2 servers planned for 6 min: Who hashes the fastest?",
        "Not within this budget: json under closed-64 and the published load wrk (json).",
        "No time for node/http.",
        "Each trial of closed-64 is measured for 2 s instead of 5 s.",
        "The whole study takes about 52 min (--budget 52m).",
    ]
    cells = [cell.model_copy(update={"planned": True}) for cell in a_plan().cells]
    assert planned.sentences(a_plan(cells=cells, budget_s=3600.0)) == [
        "In 1 h 0 min: all 3 combinations of scenario and load, 3 blocks each in about 52 min; "
        "more while time is left."
    ]
    quick = a_plan(budget_s=20.0, all_s=18.2, cells=a_plan().cells[:1])
    assert "about 19 s" in planned.sentences(quick)[0]  # not a minute, which the budget is not
    assert budget_option(61) == "2m"
    # The headline is begun even where the budget does not carry it.
    over = quick.model_copy(update={"budget_s": 5.0})
    assert planned.sentences(over)[0] == (
        "In 5 s: as much as there is time for of 3 blocks, which take about 19 s."
    )


def test_a_report_tells_what_there_was_time_for_in_the_end() -> None:
    run = judged(5, plan=a_plan())
    # There was time for json, too, which was not planned.
    told = headline.opening(run).rest
    assert told[1] == "Not within this budget: the published load wrk (json)."
    # That was told when the run began.
    assert not [text for text in told if "planned for" in text]


def test_the_plan_is_in_the_export(tmp_path: Path) -> None:
    run = judged(3, plan=a_plan())
    written = json.loads(json_export.dumps(run))
    validate("run", written)
    assert written["plan"]["words"][0].startswith("3 blocks of 2 servers planned for 6 min")
    assert written["plan"]["everything"] is False
    path = tmp_path / "run.json"
    path.write_text(json_export.dumps(run))
    assert json_import.read_export(path).plan == run.plan


def test_a_shortened_load_is_described_as_it_was_made() -> None:
    run = judged(3, plan=a_plan(lengths_s={"closed-64": 2.0}))
    assert "64 connections for 2 s" in shown(run)


@pytest.mark.parametrize(
    ("budget_s", "said"),
    [
        (200.0, "In 3 min 20 s: 5 blocks of everything, as time permits."),
        (
            20.0,
            "In 20 s: as much as there is time for of 5 blocks of everything, about 3 min "
            "(--budget 3m); a trial that was begun is finished.",
        ),
    ],
)
def test_a_gate_says_beforehand_that_its_budget_is_too_short(budget_s: float, said: str) -> None:
    cell = PlannedCell(
        scenario="json", load="closed-8", blocks=5, planned=True, seconds={"node/http": 10}
    )
    plan = PlanRecord(
        question="?", scenario="json", load="closed-8", metric="throughput_rps", servers=[],
        budget_s=budget_s, all_s=170, cells=[cell], entries=["node/http"], whole=True,
    )  # fmt: skip
    assert planned.sentences(plan)[0] == said
