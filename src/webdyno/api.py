"""The public facade: load a study, run it, and get trials and verdicts as objects and frames.

import webdyno

study = webdyno.load_study("quick", budget="2m", servers=["go/net-http", "node/http"])
result = webdyno.run_study(study)    # shows progress, in a notebook and in a terminal
result               # the answer and the ranking, as a notebook shows them
result.trials()      # a data frame, one row per trial
result.ratios()      # a data frame, one row per compared pair
result.verdicts      # typed objects
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from webdyno.api_arguments import count_of, name_of, names_of
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.studies.study import StudyManifest
from webdyno.catalog.terms import quantity
from webdyno.cli.context import reading_store
from webdyno.cli.output import check_writable, write
from webdyno.run import run_study as study_run
from webdyno.run.record.resume import to_resume
from webdyno.run.settings import RunEnvironment, RunSettings
from webdyno.run.study.named_study import study_named
from webdyno.run.study.narrow import narrowed
from webdyno.runtime.home import Home
from webdyno.runtime.processes.private_folder import remove_private_folder
from webdyno.runtime.processes.supervision import adopt_orphans
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.store import Store
from webdyno.store.verdicts import VerdictRecord
from webdyno.trial.events import Event, Listener, silent
from webdyno.trial.proof.prove import verifier_class

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True, repr=False)
class Run:
    """A finished (or interrupted) run. `record` is the whole of it."""

    record: RunRecord

    def __repr__(self) -> str:
        return repr(self.record).replace(type(self.record).__name__, type(self).__name__, 1)

    def _repr_html_(self) -> str:
        """The answer and the ranking, for a notebook."""
        from webdyno.report.formats.notebook import run_html

        return run_html(self.record)

    @property
    def verdicts(self) -> list[VerdictRecord]:
        """What the run concluded, one verdict for each scenario, load and metric."""
        _show_records()
        return self.record.verdicts

    @property
    def trial_records(self) -> list[TrialRecord]:
        """Every trial, as typed objects."""
        _show_records()
        return self.record.trials

    def trials(self) -> pandas.DataFrame:
        """One row per trial, with the most used figures as columns. An empty frame says why."""
        from webdyno.report.formats.frames import trials_frame

        return trials_frame(self.record)

    def ratios(self) -> pandas.DataFrame:
        """One row per compared pair: how much better `of` is than `to`, with its interval. An empty
        frame says why."""
        from webdyno.report.formats.frames import ratios_frame

        return ratios_frame(self.record)

    @overload
    def html(self, path: None = None) -> str: ...
    @overload
    def html(self, path: str | Path) -> None: ...
    def html(self, path: str | Path | None = None) -> str | None:
        """Write the report to `path`, as one HTML page; without a path, give the page itself.

        Raises `UserError` where it cannot be written.
        """
        from webdyno.report.formats.html import render_html

        if path is None:
            return render_html(self.record)
        file = Path(name_of("path", path, "report.html"))
        check_writable(file)
        write(file, render_html(self.record))
        return None  # A notebook would show the page's source.

    def to_dict(self) -> dict[str, Any]:
        """The machine-readable result, as `webdyno run --json` writes it."""
        from webdyno.report.formats.json_export import export

        return export(self.record)


def load_study(
    name: str | Path,
    *,
    budget: str | float | None = None,
    servers: Sequence[str] | None = None,
    scenarios: Sequence[str] | None = None,
    blocks: int | None = None,
    method: str | None = None,
    content: str | Path | None = None,
) -> StudyManifest:
    """A study of the catalog (or the file at a path, or one of a scenario), with what is given
    changed.

    Raises `UserError` where there is none, or where it is wrong.
    """
    asked = name_of("study", name, "quick")
    servers = names_of("servers", servers, "node/http")
    scenarios = names_of("scenarios", scenarios, "json")
    blocks = count_of("blocks", blocks)
    catalog = _catalog(content)
    study = narrowed(
        study_named(catalog, asked, servers or ()),
        budget=None if budget is None else quantity.budget(budget),
        servers=servers,
        scenarios=scenarios,
        blocks=blocks,
        method=method,
    )
    for reference in study.servers:
        catalog.server_variant(reference)
    for entry in study.entries():
        verifier_class(catalog.scenario(entry.name), entry.parameters)
    return study


def run_study(
    study: StudyManifest | str | Path,
    *,
    listener: Listener | None = None,
    content: str | Path | None = None,
    resume: str | None = None,
    progress: bool | None = None,
) -> Run:
    """Run a study on this machine. An interrupt ends it and returns what was measured so far.

    `progress` shows how far the run is: in place in a notebook or a terminal, else as lines on
    stderr; by default, unless a `listener` takes the run's events. Raises `UserError` for content
    that is wrong.
    """
    chosen = study
    if not isinstance(chosen, StudyManifest):
        chosen = load_study(chosen, content=content)
    if resume is not None:
        resume = name_of("resume", resume, "latest")
    home = Home.default()
    adopt_orphans()
    shown = listener is None if progress is None else progress
    with _store(home) as store, _watched(listener or silent, shown) as events:
        catalog = _catalog(content)
        earlier = None if resume is None else to_resume(store, chosen, resume, catalog)
        try:
            record = study_run.run_study(
                chosen,
                RunEnvironment(catalog, home, store, events),
                RunSettings(resume=earlier, command=f'webdyno.run_study("{chosen.name}")'),
            )
        finally:
            remove_private_folder(home.temporary)
    return Run(record)


def load_run(id_: str = "latest") -> Run:
    """A stored run, by its id, the beginning of one, or `latest`. Raises `UserError` where there is
    none."""
    asked = name_of("run", id_, "latest")
    with contextlib.closing(reading_store()) as store:
        return Run(store.run(asked))


@contextlib.contextmanager
def _watched(listener: Listener, shown: bool) -> Iterator[Listener]:
    """A listener that passes events to `listener` and, where `shown`, to a view of the run."""
    if not shown:
        yield listener
        return
    from webdyno.report.live.notebook import view_here

    with contextlib.closing(view_here()) as view:

        def both(event: Event) -> None:
            view.event(event)
            listener(event)

        yield both


def _show_records() -> None:
    """Have notebooks show verdicts and trials as tables."""
    import webdyno.report.formats.notebook  # noqa: F401


def _catalog(content: str | Path | None) -> Catalog:
    if content is None:
        return Catalog()
    return Catalog.with_overlay(Path(name_of("content", content, "mine")))


@contextlib.contextmanager
def _store(home: Home) -> Iterator[Store]:
    with contextlib.closing(Store.open(home.database)) as store:
        yield store
