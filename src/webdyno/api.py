"""The public facade: load a study, run it, and get trials and verdicts as objects and frames.

import webdyno

study = webdyno.load_study("quick", budget="2m", servers=["go/net-http", "node/http"])
result = webdyno.run_study(study)
result.trials()      # a data frame, one row a trial
result.ratios()      # a data frame, one row a compared pair
result.verdicts      # typed objects
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webdyno.catalog import quantity
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.study import StudyManifest
from webdyno.run import loop
from webdyno.run.asked import study_named
from webdyno.run.narrow import narrowed
from webdyno.run.resume import to_resume
from webdyno.runtime.home import Home
from webdyno.runtime.supervision import adopt_orphans, remove_private_folder
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.store.store import Store
from webdyno.store.verdicts import VerdictRecord
from webdyno.trial.plan import Listener, silent

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Run:
    """A finished (or interrupted) run. `record` is the whole of it."""

    record: RunRecord

    @property
    def verdicts(self) -> list[VerdictRecord]:
        """What the run concluded, one verdict for each scenario, load and metric."""
        return self.record.verdicts

    @property
    def trial_records(self) -> list[TrialRecord]:
        """Every trial, as typed objects."""
        return self.record.trials

    def trials(self) -> pandas.DataFrame:
        """One row a trial, the figures most asked for as columns."""
        from webdyno.report.frames import trials_frame

        return trials_frame(self.record)

    def ratios(self) -> pandas.DataFrame:
        """One row a compared pair: how much better `of` is than `to`, with its interval."""
        from webdyno.report.frames import ratios_frame

        return ratios_frame(self.record)

    def html(self, path: str | Path | None = None) -> str:
        """The report as one HTML page, written to `path` where given."""
        from webdyno.report.html import render_html

        page = render_html(self.record)
        if path is not None:
            Path(path).write_text(page, encoding="utf-8")
        return page

    def to_dict(self) -> dict[str, Any]:
        """The machine-readable result, as `webdyno run --json` writes it."""
        from webdyno.report.json_export import export

        return export(self.record)


def load_study(
    name: str,
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
    return narrowed(
        study_named(_catalog(content), name, servers or ()),
        budget=None if budget is None else quantity.duration(budget),
        servers=servers,
        scenarios=scenarios,
        blocks=blocks,
        method=method,
    )


def run_study(
    study: StudyManifest | str,
    *,
    listener: Listener = silent,
    content: str | Path | None = None,
    resume: str | None = None,
) -> Run:
    """Run a study on this machine. An interrupt ends it and gives what was measured so far.

    Raises `UserError` for content that is wrong.
    """
    chosen = load_study(study, content=content) if isinstance(study, str) else study
    home = Home.default()
    adopt_orphans()
    with _store(home) as store:
        earlier = to_resume(store, chosen, resume) if resume else None
        try:
            record = loop.run_study(
                chosen,
                _catalog(content),
                home,
                store,
                listener=listener,
                resume=earlier,
                command=f'webdyno.run_study("{chosen.name}")',
            )
        finally:
            remove_private_folder(home.temporary)
    return Run(record)


def load_run(id_: str = "latest") -> Run:
    """A stored run, by its id, the beginning of one, or `latest`."""
    with _store(Home.default()) as store:
        return Run(store.run(id_))


def _catalog(content: str | Path | None) -> Catalog:
    return Catalog() if content is None else Catalog.with_overlay(Path(content))


@contextlib.contextmanager
def _store(home: Home) -> Iterator[Store]:
    with contextlib.closing(Store.open(home.database)) as store:
        yield store
