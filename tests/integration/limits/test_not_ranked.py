"""A run in which the generator is the limit of one server: that one is shown, and not ranked."""

from __future__ import annotations

import shutil
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from support.quiet import first_in_line, first_undisturbed
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.report.formats.html import render_html
from webdyno.report.formats.markdown import render_markdown
from webdyno.report.formats.terminal import render
from webdyno.run.run_study import run_study
from webdyno.run.settings import RunEnvironment
from webdyno.runtime.home import Home
from webdyno.store.records import RunRecord
from webdyno.store.store import Store

ROOT = Path(__file__).parents[3]
FAST, SLOW = "python/bound@sleeps", "python/bound@crawls"
EXPRESSIONS, TIMES = 300, 7
"""So many are looked for in each answer, so often, that the generator is full long before a server
that answers 256 connections after 2 ms each; one that answers 100 a second leaves it idle."""


def content(folder: Path) -> Catalog:
    """The test's servers, and a `hello` whose answers are a lot of work to check."""
    shutil.copytree(ROOT / "tests" / "servers", folder / "servers")
    heavy = folder / "scenarios" / "hello"
    shutil.copytree(ROOT / "scenarios" / "hello", heavy)
    text = (heavy / "scenario.toml").read_text()
    checks = ", ".join(
        f"{{ kind = 'matches', pattern = '(?i)(h.?l{{1,9}}.{{0,{n}}}[a-z ]{{1,60}}d)' }}"
        for _ in range(TIMES)
        for n in range(1, EXPRESSIONS)
    )
    (heavy / "scenario.toml").write_text(f"{text[: text.rindex(']')]}{checks}\n]\n")
    return Catalog.with_overlay(folder)


def a_run(catalog: Catalog, folder: Path) -> RunRecord:
    study = StudyManifest.model_validate(
        {
            "name": "bound",
            "title": "bound",
            "question": "Is a rate of the generator's own ranked?",
            "servers": [FAST, SLOW],
            "scenarios": ["hello"],
            "loads": [{"kind": "closed", "connections": 256, "threads": 1, "duration": "3s"}],
            # Until steady, since else it settles nothing; its work is little.
            "warmup": {"min": 0.3, "max": 10, "answers": 0},
            "blocks": {"min": 1, "max": 1},
            "budget": "120s",
            "sentinel": False,
        }
    )
    store = Store.open(folder / "store.sqlite")
    try:
        return run_study(study, RunEnvironment(catalog, Home(folder / "home"), store))
    finally:
        store.close()


@pytest.mark.long
def test_a_server_that_the_generator_could_not_fill_is_not_ranked(tmp_path: Path) -> None:
    catalog = content(tmp_path / "content")
    wanted = {FAST: "generator-bound", SLOW: "waiting"}

    def limits(run: RunRecord) -> dict[str, str]:
        return {trial.entry: trial.bottleneck for trial in run.trials}

    with first_in_line():
        # Twice at most: a run takes half a minute where others use the cores.
        run, disturbed = first_undisturbed(
            lambda: a_run(catalog, tmp_path), lambda run: limits(run) == wanted, 2
        )
    assert [trial.status for trial in run.trials] == ["ok"] * 2, [t.reason for t in run.trials]
    if disturbed and "machine-noise" in limits(run).values():
        pytest.skip("others used the cores in every run")
    assert limits(run) == wanted

    (verdict,) = run.verdicts
    (left,) = verdict.not_ranked
    assert left.entry == FAST
    assert left.reason.startswith("generator-bound in 1 of 1 trials")
    # Though its figure is the higher one.
    rates = {t.entry: t.measurement.throughput_rps for t in run.trials if t.measurement}
    assert rates[FAST] > rates[SLOW]

    console = Console(width=100, record=True, file=StringIO())
    console.print(render(run, 100))
    shown = " ".join(console.export_text().split())
    assert f"not ranked {FAST}" in shown
    assert "generator-bound in 1 of 1 trials" in render_markdown(run)
    assert "generator-bound in 1 of 1 trials" in render_html(run)
