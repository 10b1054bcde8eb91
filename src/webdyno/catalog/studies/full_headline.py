"""What a study's headline asks in full, and what is left of it in a narrower study."""

from __future__ import annotations

from dataclasses import dataclass

from webdyno.catalog.studies.headline import Headline
from webdyno.catalog.studies.study import StudyManifest


@dataclass(frozen=True)
class FullHeadline:
    """A study's headline with nothing left out. `named`: the study has a `[headline]`."""

    question: str
    scenario: str
    load: str
    metric: str
    servers: tuple[str, ...]
    named: bool


def full_headline(study: StudyManifest) -> FullHeadline:
    """The headline of `study`; its parts that the study's `method` leaves out are its first."""
    headline = study.headline or Headline()
    chosen = study.chosen_loads()
    cells = [
        (entry.title, load)
        for entry in study.entries()
        for load in chosen
        if not entry.loads or load.label() in entry.loads
    ]
    sound = [cell for cell in cells if cell[1].method == "sound"] or cells
    mine = [
        cell
        for cell in sound
        if headline.scenario in ("", cell[0]) and headline.load in ("", cell[1].label())
    ]
    scenario, load = (mine or sound)[0]
    metrics = study.metrics_of(load.label())
    return FullHeadline(
        question=headline.question or study.question,
        scenario=scenario,
        load=load.label(),
        metric=headline.metric if headline.metric in metrics else metrics[0],
        servers=tuple(headline.servers or study.servers),
        named=study.headline is not None and bool(mine),
    )


def narrowed_headline(
    study: StudyManifest, scenarios: set[str], servers: list[str]
) -> Headline | None:
    """The headline of `study` where only these `scenarios`, by title, and `servers` are left; None
    where it asks for what is gone."""
    headline = study.headline
    if headline is None:
        return None
    left = [server for server in headline.servers if server in servers]
    if full_headline(study).scenario not in scenarios or (headline.servers and len(left) < 2):
        return None
    return headline.model_copy(update={"servers": left})
