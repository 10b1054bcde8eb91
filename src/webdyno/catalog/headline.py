"""The question that a run answers first, and alone where there is no time for more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import Field

from webdyno.catalog.manifest import Manifest

if TYPE_CHECKING:
    from webdyno.catalog.study import StudyManifest


class Headline(Manifest):
    """The question that a run answers first. What is left out is the study's first: its scenario,
    its sound load, its metric; all servers."""

    question: str = Field(default="", description="in a sentence; the study's own if empty")
    scenario: str = Field(default="", description="its name, or its label")
    load: str = Field(default="", description="a load's name")
    metric: str = Field(default="", description="one that the load is judged by")
    servers: list[str] = Field(
        default_factory=list, description="the answer is about these; all if empty"
    )


@dataclass(frozen=True)
class AskedHeadline:
    """A study's headline with nothing left out. `named`: the study has a `[headline]`."""

    question: str
    scenario: str
    load: str
    metric: str
    servers: tuple[str, ...]
    named: bool


def asked(study: StudyManifest) -> AskedHeadline:
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
    return AskedHeadline(
        question=headline.question or study.question,
        scenario=scenario,
        load=load.label(),
        metric=headline.metric if headline.metric in metrics else metrics[0],
        servers=tuple(headline.servers or study.servers),
        named=study.headline is not None and bool(mine),
    )


def check(study: StudyManifest) -> None:
    """Raise `ValueError` where the headline names what the study does not have."""
    headline = study.headline
    if headline is None:
        return
    known: list[tuple[str, str, list[str]]] = [
        ("scenario", headline.scenario, [entry.title for entry in study.entries()]),
        ("load", headline.load, [load.label() for load in study.loads]),
        *(("servers", server, study.servers) for server in headline.servers),
    ]
    if headline.metric:
        loads = [headline.load] if headline.load else [load.label() for load in study.loads]
        judged = list(dict.fromkeys(m for load in loads for m in study.metrics_of(load)))
        known.append(("metric", headline.metric, [str(metric) for metric in judged]))
    for key, value, names in known:
        if value and value not in names:
            raise ValueError(f"headline: {key} '{value}' is not one of {', '.join(names)}")
    entry = next((one for one in study.entries() if one.title == headline.scenario), None)
    if entry and headline.load and entry.loads and headline.load not in entry.loads:
        raise ValueError(
            f"headline: scenario '{entry.title}' is not put under load '{headline.load}', only "
            f"under {', '.join(entry.loads)}"
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
    if asked(study).scenario not in scenarios or (headline.servers and len(left) < 2):
        return None
    return headline.model_copy(update={"servers": left})
