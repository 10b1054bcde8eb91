"""Servers that were still warming, and servers that differ from themselves: told once, by name."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from support.output_schemas import validate
from webdyno.report import summary
from webdyno.report.charts.picture import render_picture
from webdyno.report.formats import terminal
from webdyno.report.formats.html import render_html
from webdyno.report.formats.json_export import export
from webdyno.report.formats.markdown import render_markdown
from webdyno.report.layout import Column, broken, wrapped
from webdyno.report.tables import time_spent
from webdyno.report.text import cautions, headline, sentences
from webdyno.store.records import FlagRecord, RunRecord
from webdyno.store.verdicts import NotRanked, RestlessRecord, WarmupSummary

COLD = "java/servlet"
WHY = "after 2.2 s of warm-up its runtime was still compiling (40% of its CPU time)"


@pytest.fixture
def cold(run: RunRecord) -> RunRecord:
    """A run in which every trial of one server was that of a cold one."""
    left = NotRanked(
        entry=COLD,
        reason=f"not settled: still warming in 3 of 3 trials: {WHY}",
        kind="still-warming",
    )
    flag = FlagRecord(code="never-steady", message=f"{WHY}; the trial settles nothing")
    verdicts = [
        verdict.model_copy(
            update={
                "groups": [kept for g in verdict.groups if (kept := [e for e in g if e != COLD])],
                "ratios": [one for one in verdict.ratios if COLD not in {one.of, one.to}],
                "not_ranked": [one for one in verdict.not_ranked if one.entry != COLD] + [left],
                "warmups": {COLD: WarmupSummary(trials=3, never=3)},
                "settled": False,
            }
        )
        for verdict in run.verdicts
    ]
    trials = [
        trial.model_copy(update={"flags": [flag], "not_steady": WHY})
        if trial.entry == COLD
        else trial
        for trial in run.trials
    ]
    return run.model_copy(update={"verdicts": verdicts, "trials": trials})


def printed(run: RunRecord, width: int = 80) -> str:
    """What the terminal shows."""
    file = io.StringIO()
    terminal.show(run, Console(file=file, width=width))
    return file.getvalue()


def test_its_row_has_the_figure_and_no_place(cold: RunRecord) -> None:
    section = summary.sections(cold)[0]
    (row,) = section.warming
    assert (row.entry, row.place, row.standing) == (COLD, "–", "still warming")
    assert row.medians["throughput_rps"]
    assert row not in section.unranked
    line = next(line for line in printed(cold).splitlines() if line.startswith(f"–  {COLD}"))
    assert f"{row.medians['throughput_rps']:,.0f}" in line
    assert "still warming" in line


def test_the_terminal_tells_the_reason_once_a_section(cold: RunRecord) -> None:
    text = " ".join(printed(cold).split())
    assert f"not settled {COLD}: still warming in 3 of 3 trials: {WHY}; raise warmup.max" in text
    assert text.count("of its CPU time") == len(summary.sections(cold))
    assert f"not ranked {COLD}" not in text
    assert not [
        said for said in cautions.cautions(cold) if "steady" in said or "Not settled" in said
    ]


def test_the_headline_names_it_without_the_reason(cold: RunRecord) -> None:
    one = cold.model_copy(update={"verdicts": cold.verdicts[:1]})
    said = headline.opening(one).headline
    assert f"{COLD} is not settled: still warming" in said
    assert "compiling" not in said
    assert "not ranked" not in sentences.sentence(cold.verdicts[0]).partition(COLD)[2][:40]


@pytest.mark.slow
def test_html_markdown_and_picture_tell_it(cold: RunRecord) -> None:
    page = render_html(cold)
    assert "Not settled: still warming when measured" in page
    assert (
        f'<span class="sub warn">still warming in 3 of 3 trials: {WHY}; <span class="keep">raise'
        in page
    )
    assert "not settled: still warming in 3 of 3 trials" in render_markdown(cold)
    assert "still warming" in render_picture(cold)


def test_more_blocks_may_help_where_some_trials_were_warm(cold: RunRecord) -> None:
    first = next(trial for trial in cold.trials if trial.entry == COLD)
    warm = first.warmup.model_copy(update={"steady": True}) if first.warmup else None
    trials = [
        trial.model_copy(update={"warmup": warm, "not_steady": ""}) if trial is first else trial
        for trial in cold.trials
    ]
    rows = [
        row
        for section in summary.sections(cold.model_copy(update={"trials": trials}))
        for row in section.warming
    ]
    assert sorted(row.remedy for row in rows) == [
        "raise --budget, or warmup.max",
        "raise warmup.max",
    ]


@pytest.mark.slow
def test_a_restless_server_is_named_with_its_figures(run: RunRecord) -> None:
    restless = [RestlessRecord(entry=COLD, spread=0.341, usual=0.062)]
    first = run.verdicts[0].model_copy(update={"restless": restless})
    odd = run.model_copy(update={"verdicts": [first, *run.verdicts[1:]]})
    said = (
        f"{COLD} varied by 34% between its own trials in json, where 6% is usual; look at "
        "its trials before you trust its place."
    )
    assert said in cautions.cautions(odd)
    assert said in " ".join(printed(odd).split())
    assert said in render_html(odd)
    assert said in render_markdown(odd)
    held = export(odd)
    assert held["verdicts"][0]["restless"] == [{"entry": COLD, "spread": 0.341, "usual": 0.062}]
    validate("run", held)


def test_what_warming_up_took_is_told_by_server(run: RunRecord) -> None:
    said = time_spent.warm_ups(run)
    assert said.startswith("4.2 s per trial for java/servlet, ")
    assert "(control)" not in said
    assert f"warm-up {said}" in " ".join(printed(run, 200).split())
    assert said in render_html(run)
    assert time_spent.warm_ups(run.model_copy(update={"trials": []})) == ""


def test_a_trial_tells_what_its_warm_up_took(run: RunRecord) -> None:
    first = run.trials[0]
    assert first.warmup is not None
    warmup = first.warmup.model_copy(
        update={
            "seconds": 2.2,
            "steady": False,
            "kind": "never",
            "reason": "its runtime was still compiling",
            "answers": 41234,
            "cpu_s": 2.0,
            "compiler_s": 0.8,
        }
    )
    trials = [first.model_copy(update={"warmup": warmup}), *run.trials[1:]]
    page = render_html(run.model_copy(update={"trials": trials}))
    assert (
        "2.2 s, never steady: its runtime was still compiling; 41,234 answers; 2.00 s of CPU "
        "time, 0.80 s of it by compilers"
    ) in page


@pytest.mark.parametrize(
    ("name", "room", "expected"),
    [
        ("kotlin/spring-boot-coroutines", 20, ["kotlin/spring-boot-", "coroutines"]),
        ("node/express@cluster", 14, ["node/express", "@cluster"]),
        ("go/net-http", 14, ["go/net-http"]),
        ("x" * 30, 14, ["x" * 30]),
    ],
)
def test_names_are_broken_where_a_reader_would(name: str, room: int, expected: list[str]) -> None:
    assert wrapped(broken(name, Column("", names=True)), room) == expected
