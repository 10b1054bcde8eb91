"""How the history of a study is told: in a terminal, on a page and as data."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from support.output_schemas import validated
from support.searched_trials import a_study as of_a_search
from support.searched_trials import a_trial as searched
from support.small_run import a_run, with_changes
from support.small_study import a_study
from unit.run.comparison.test_history import STARTED, runs
from webdyno.report.formats import history as shown
from webdyno.run.comparison.history import history_of
from webdyno.run.comparison.history_document import MACHINE
from webdyno.store.document import written
from webdyno.store.stored_study import StoredStudy


def test_every_format_tells_the_change(capsys: pytest.CaptureFixture[str]) -> None:
    history = history_of(runs(), "throughput_rps")
    data = validated("history", written(history))
    assert data["places"][2]["changes"][0]["run"] == "run-06"
    page = shown.render_html(history)
    assert page.count("stroke-dasharray") == 1
    assert "go 1.25 → 1.26" in page
    shown.show(history)
    said = capsys.readouterr().out
    assert "changed: go/chi, json, closed-8: fell by" in said
    assert "|" in said


def test_few_runs_are_said_to_be_few() -> None:
    assert any("too few" in line for line in shown.lines(history_of(runs(3), "throughput_rps")))


def test_one_run_is_said_to_be_too_few() -> None:
    said = shown.lines(history_of(runs(1), "throughput_rps"))
    assert "1 run is too few to find one; ten are needed" in said


def test_the_page_counts_its_runs() -> None:
    assert " over 1 run</h1>" in shown.render_html(history_of(runs(1), "throughput_rps"))


def test_the_highest_rate_that_was_tried_is_shown_as_a_bound(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = [
        a_run(
            f"run-{day}",
            with_changes(
                [
                    searched("go/gin", block, 3_000.0, "at-least" if day else "met")
                    for block in range(4)
                ],
                bottleneck="server-bound",
            ),
            started=STARTED + timedelta(days=day),
            study=StoredStudy.of(of_a_search()),
        )
        for day in range(2)
    ]
    history = history_of(found, "capacity_rps")
    place = next(place for place in history.places if place.entry == "go/gin")
    assert [(point.value, point.at_least) for point in place.points] == [
        (pytest.approx(3_000.0), False),
        (pytest.approx(3_000.0), True),
    ]
    shown.show(history)
    printed = capsys.readouterr().out
    assert printed.count("≥ 3,000") == 1
    assert "≥: the highest rate that was tried" in printed
    assert "≥ 3,000" in shown.render_html(history)
    assert validated("history", written(history))["places"][0]["points"][1]["at_least"]


def test_the_machines_figures_are_called_what_they_are() -> None:
    study = a_study(metrics=["throughput_rps", "cpu_us_per_request"]).model_dump(mode="json")
    page = shown.render_html(history_of(runs(1, study=study), "cpu_us_per_request"))
    heading = r'<h3>([^,<]*).*?<th role="columnheader" class="n">([^<]*)'
    told = dict(re.findall(heading, page, re.DOTALL))
    assert told["go/chi"].startswith("CPU")
    assert told[MACHINE] == "Speed"
