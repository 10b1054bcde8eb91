"""A server that was proven to lie: told first, everywhere, with neither place nor figure."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from support.output_schemas import validate
from webdyno.capacity.cost import bills
from webdyno.catalog import StudyManifest
from webdyno.report import summary
from webdyno.report.charts import points
from webdyno.report.charts.picture import render_picture
from webdyno.report.formats import terminal
from webdyno.report.formats.html import render_html
from webdyno.report.formats.json_export import export
from webdyno.report.formats.markdown import render_markdown
from webdyno.report.tables import aggregate, memory
from webdyno.report.text import cautions, headline
from webdyno.run.judgement.judge import judge
from webdyno.store.records import RunRecord
from webdyno.store.search import SearchRecord

LIAR = "node/fastify"
LIE = "not proven: no answer is repeated, in 100 so far: (1, 2) came more than once"


@pytest.fixture
def lied(run: RunRecord) -> RunRecord:
    """A run in which one server lied in one of its trials of one scenario."""
    changed = False
    trials = []
    for trial in run.trials:
        if trial.entry == LIAR and trial.scenario == "json" and not changed:
            changed = True
            trial = trial.model_copy(update={"status": "failed", "reason": LIE, "lie": LIE})
        trials.append(trial)
    made = run.model_copy(update={"trials": trials})
    study = StudyManifest.model_validate(
        {
            "name": "mine",
            "title": "Mine",
            "question": "Which?",
            "servers": made.study.servers,
            "control": made.study.control,
            "scenarios": ["json", "sha256"],
            "loads": made.study.as_stored()["loads"],
        }
    )
    return made.model_copy(update={"verdicts": judge(study, trials)})


def test_its_row_is_disqualified_and_has_no_figure(lied: RunRecord) -> None:
    json, sha256 = summary.sections(lied)
    (row,) = [row for row in json.unranked if row.disqualified]
    assert row is json.unranked[0]
    assert (row.entry, row.place, row.standing, row.medians) == (LIAR, "–", "disqualified", {})
    assert row.reason == f"disqualified: {LIE}; seen in 1 of 3 trials"
    # What it did in another scenario is not touched.
    assert LIAR in {row.entry for row in sha256.ranked}
    assert not any(row.disqualified for row in sha256.rows)


@pytest.mark.slow
def test_every_form_leads_with_the_reason(lied: RunRecord) -> None:
    said = f"{LIAR} in json is disqualified: {LIE}; seen in 1 of 3 trials."
    assert cautions.cautions(lied)[0] == said
    one = lied.model_copy(update={"verdicts": lied.verdicts[:1]})
    opening = headline.opening(one)
    assert f"{LIAR} is disqualified" in opening.headline
    file = io.StringIO()
    terminal.show(lied, Console(file=file, width=100))
    text = " ".join(file.getvalue().split())
    assert f"not ranked {LIAR}: disqualified: {LIE}" in text
    assert LIE in " ".join(render_markdown(lied).replace("\\", "").split())
    # In a row of its own: it would be eight lines in the column of the name.
    assert f'class="why"><span class="sub warn">disqualified: {LIE}' in render_html(lied)
    assert "disqualified" not in render_picture(lied).partition("<svg")[0]


def test_the_export_holds_it(lied: RunRecord) -> None:
    held = export(lied)
    validate("run", held)
    assert [trial["lie"] for trial in held["trials"] if trial["lie"]] == [LIE]
    (left,) = [one for one in held["verdicts"][0]["not_ranked"] if one["kind"] == "disqualified"]
    assert left["entry"] == LIAR


def test_no_chart_and_no_table_beside_has_a_figure_of_it(lied: RunRecord) -> None:
    json, sha256 = summary.sections(lied)
    entries = [row.entry for row in json.rows]
    place = entries.index(LIAR)
    drawn, elsewhere = (points.of_section(section, entries) for section in (json, sha256))
    assert place not in {row[0] for row in drawn["latency"]["rows"]}
    assert place in {row[0] for row in elsewhere["latency"]["rows"]}
    assert LIAR not in memory.by_entry(lied, "json")
    assert LIAR in memory.by_entry(lied, "sha256")
    shown = {
        view.title.partition(" ")[0]: any(LIAR in row[0] for row in view.ours)
        for view in aggregate.views(lied, all_loads=True)
    }
    assert shown == {"json": False, "sha256": True}


def test_it_has_no_price(lied: RunRecord) -> None:
    search = SearchRecord(
        objective="p99 < 100ms", quantile=0.99, limit_s=0.1, errors_share=0.001, tolerance=0.05,
        probe_rps=500.0, kind="met", capacity_rps=400.0, low_rps=390.0, high_rps=410.0,
    )  # fmt: skip
    searched = [trial.model_copy(update={"search": search}) for trial in lied.trials]
    lied = lied.model_copy(update={"trials": searched})
    found = bills(lied, peak_rps=2000.0, price_per_hour=0.1)
    priced = {bill.scenario: {line.entry for line in bill.lines} for bill in found}
    assert LIAR not in priced["json"]
    assert LIAR in priced["sha256"]
