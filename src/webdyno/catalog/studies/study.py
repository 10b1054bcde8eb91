"""`study.toml`: a question, as servers x scenarios x loads and a method."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, field_validator, model_validator

from webdyno.catalog.loads import load_bounds, sweep
from webdyno.catalog.loads.load import Load, Open, Seconds
from webdyno.catalog.loads.warm_up import WarmUpKeys
from webdyno.catalog.reading.fault import Loc
from webdyno.catalog.reading.manifest import Manifest, read_manifest
from webdyno.catalog.studies.headline import Headline
from webdyno.catalog.studies.published import PublishedManifest, read_published
from webdyno.catalog.studies.study_tables import (
    Blocks,
    Cost,
    Limits,
    PlacementKeys,
    Planning,
    PublishedFigures,
    ScenarioEntry,
)
from webdyno.catalog.terms.form import NAME, Name
from webdyno.catalog.terms.metric import METRICS, judged_by
from webdyno.catalog.terms.one_of import OneOf
from webdyno.catalog.terms.reference import ServerReference
from webdyno.errors import UserError

MetricName = Annotated[str, OneOf(METRICS)]


def _form(value: Any) -> str:
    return "name" if isinstance(value, str) else "table"


def _first_few(names: list[str]) -> list[str]:
    more = len(names) - 3
    return [*names[:3], f"… {more} more"] if more > 1 else names


Entered = Annotated[
    Annotated[str, Tag("name")] | Annotated[ScenarioEntry, Tag("table")], Discriminator(_form)
]


class StudyManifest(Manifest):
    """A study."""

    name: Name = Field(description="the file's name without .toml")
    title: str = Field(description="heading of the report")
    question: str = Field(description="what the study asks, in a sentence")
    headline: Headline | None = Field(
        default=None, description="the question to answer first; see below"
    )
    servers: list[ServerReference] = Field(
        min_length=1, description="language/name or language/name@variant"
    )
    scenarios: list[Entered] = Field(
        min_length=1, description="names, or tables if more than the name is set"
    )
    loads: list[Load] = Field(min_length=1, description="how requests arrive")
    all_cores: bool = Field(
        default=False,
        description="where a server has more than one core, enter the variant that uses them all "
        "beside each server that does not",
    )
    control: ServerReference = Field(
        default="", description="this server is entered twice, to show what the machine can resolve"
    )
    budget: Seconds = Field(default=300.0, description="time for the trials; builds are extra")
    method: Literal["sound", "as-published", "both"] = Field(
        default="sound", description="which of the loads to run"
    )
    metrics: list[MetricName] = Field(
        default_factory=lambda: [METRICS.leading],
        min_length=1,
        description="what to rank by; the first one leads",
        # A schema does not show what a factory makes.
        json_schema_extra=lambda schema: schema.update(default=[METRICS.leading]),
    )
    margin: float = Field(
        default=0.03, gt=0, lt=1, description="servers within this share count as equal"
    )
    confidence: float = Field(
        default=0.95, gt=0.5, lt=1, description="for all claims of a verdict together"
    )
    confidences: dict[str, dict[MetricName, float]] = Field(
        default_factory=dict,
        description="by load and metric: the confidence of that verdict, in place of `confidence` "
        "(which still applies to costs, scaling and `compare`)",
    )
    warmup: WarmUpKeys = Field(
        default=WarmUpKeys(),
        description="bounds of the warm-up; default: those of each server's language",
    )
    blocks: Blocks = Field(default=Blocks(), description="how often trials are repeated")
    limits: Limits = Field(default=Limits(), description="what each server may use")
    placement: PlacementKeys = Field(
        default=PlacementKeys(), description="CPUs of the roles, if set by hand"
    )
    planning: Planning | None = Field(
        default=None, description="traffic and price, for machines and money at the objective"
    )
    build_times: bool = Field(
        default=False,
        description="time cold, clean and incremental builds before the trials",
    )
    sentinel: bool = Field(
        default=True,
        description="measure a small fixed server in every block, to watch the machine itself",
    )
    source: str = Field(default="", description="address of the write-up that this study repeats")
    published: PublishedFigures = Field(
        default_factory=list,
        description="figures shown beside ours: the name of a file in `published/` beside the "
        "study, which `webdyno claims` examines, or tables of single ones",
    )
    costs: list[Cost] = Field(
        default_factory=list, description="what one more of something costs per request"
    )

    def __repr_args__(self) -> list[tuple[str | None, Any]]:
        """In a notebook: what is asked, not every key of every load."""
        return [
            ("name", self.name),
            ("servers", _first_few(self.servers)),
            ("scenarios", _first_few([entry.title for entry in self.entries()])),
            ("loads", _first_few([load.label() for load in self.loads])),
            ("budget", self.budget),
        ]

    @model_validator(mode="before")
    @classmethod
    def _sweeps(cls, data: Any) -> Any:
        if isinstance(data, dict):
            # Of runs stored by older versions; reports still show it.
            data = {key: value for key, value in data.items() if key != "published_aggregate"}
        return sweep.expanded(data)

    @classmethod
    def as_written(cls, data: Any, loc: Loc) -> Loc:
        """See `Manifest.as_written`; sweeps are replaced by their loads."""
        return sweep.as_written(data, loc)

    @field_validator("metrics")
    @classmethod
    def _metrics_differ(cls, value: list[MetricName]) -> list[MetricName]:
        if twice := next((name for name in value if value.count(name) > 1), None):
            raise ValueError(f"'{twice}' is listed twice; list it once")
        return value

    @model_validator(mode="after")
    def _consistent(self) -> StudyManifest:
        labels = [load.label() for load in self.loads]
        if len(set(labels)) != len(labels):
            raise ValueError("two loads have the same name; give each its own 'name'")
        for load in self.loads:
            if isinstance(load, Open):
                try:
                    load_bounds.whole(load.parsed())
                except UserError as error:
                    raise ValueError(f"load '{load.label()}': {error}") from None
        titles = [entry.title for entry in self.entries()]
        if twice := next((title for title in titles if titles.count(title) > 1), None):
            raise ValueError(f"scenario '{twice}' is entered twice; give each its own 'label'")
        for entry in self.entries():
            if unknown := next((name for name in entry.loads if name not in labels), None):
                known = ", ".join(labels)
                raise ValueError(
                    f"scenario '{entry.title}' names load '{unknown}'; choose from {known}"
                )
        if len(set(self.servers)) != len(self.servers):
            raise ValueError("a server is listed twice; for an A/A control set 'control'")
        if self.control and self.control not in self.servers:
            raise ValueError(f"control '{self.control}' must be one of 'servers'")
        if not self.chosen_loads():
            raise ValueError(f"no load has method '{self.method}'; add one, or choose another")
        for name, by_metric in self.confidences.items():
            self._check_confidences(name, by_metric, labels)
        for cost in self.costs:
            self._check_cost(cost)
        self._check_headline()
        return self

    @staticmethod
    def _check_confidences(
        load: str, by_metric: dict[MetricName, float], labels: list[str]
    ) -> None:
        if load not in labels:
            raise ValueError(f"confidences: load '{load}' is not one of {', '.join(labels)}")
        for metric, confidence in by_metric.items():
            if not 0.5 < confidence < 1:
                raise ValueError(
                    f"confidences: that of {metric} under '{load}' is {confidence:g}; it must lie "
                    "between 0.5 and 1"
                )

    def _check_cost(self, cost: Cost) -> None:
        at = self.levels(cost).values()
        where = f"costs: scenario '{cost.scenario}', parameter '{cost.parameter}'"
        if len(set(at)) < 2:
            raise ValueError(f"{where}: at least two entries must set it to different numbers")
        if cost.steps and not all(level == int(level) <= len(cost.steps) for level in at):
            raise ValueError(f"{where}: 'steps' must name every step up to {max(at):g}")

    def _check_headline(self) -> None:
        """Raise `ValueError` where the headline names what the study does not have."""
        headline = self.headline
        if headline is None:
            return
        known: list[tuple[str, str, list[str]]] = [
            ("scenario", headline.scenario, [entry.title for entry in self.entries()]),
            ("load", headline.load, [load.label() for load in self.loads]),
            *(("servers", server, self.servers) for server in headline.servers),
        ]
        if headline.metric:
            loads = [headline.load] if headline.load else [load.label() for load in self.loads]
            judged = list(dict.fromkeys(m for load in loads for m in self.metrics_of(load)))
            known.append(("metric", headline.metric, [str(metric) for metric in judged]))
        for key, value, names in known:
            if value and value not in names:
                raise ValueError(f"headline: {key} '{value}' is not one of {', '.join(names)}")
        entry = next((one for one in self.entries() if one.title == headline.scenario), None)
        if entry and headline.load and entry.loads and headline.load not in entry.loads:
            raise ValueError(
                f"headline: scenario '{entry.title}' does not use load '{headline.load}', only "
                f"under {', '.join(entry.loads)}"
            )

    def levels(self, cost: Cost) -> dict[str, float]:
        """The value of the cost's parameter in each entry that gives it one, by the title."""
        return {
            entry.title: float(value)
            for entry in self.entries()
            if entry.name == cost.scenario
            and isinstance(value := entry.parameters.get(cost.parameter), int | float)
            and not isinstance(value, bool)
        }

    def chosen_loads(self) -> list[Load]:
        """The loads that `method` asks for."""
        return [load for load in self.loads if self.method in ("both", load.method)]

    def metrics_of(self, load: str) -> list[MetricName]:
        """What the load called `load` is judged by; see `catalog.terms.metric.judged_by`."""
        return judged_by(self.metrics, next((o.kind for o in self.loads if o.label() == load), ""))

    def confidence_of(self, load: str, metric: str) -> float:
        """How sure the verdict by `metric` under `load` is to be."""
        return self.confidences.get(load, {}).get(metric, self.confidence)

    def entries(self) -> list[ScenarioEntry]:
        """The scenarios, each as an entry with its parameters."""
        return [
            entry if isinstance(entry, ScenarioEntry) else ScenarioEntry(name=entry)
            for entry in self.scenarios
        ]


def read_study(path: Path) -> StudyManifest:
    """Read a study. Raises `UserError` where it is wrong, contradicts its file name, or plans by
    what it does not measure."""
    manifest = read_manifest(path, StudyManifest)
    if manifest.name != path.stem:
        raise UserError(f"{path}: key 'name' is '{manifest.name}'; it must equal the file name")
    if manifest.planning and not any(load.kind == "objective" for load in manifest.loads):
        raise UserError(
            f"{path}: key 'planning': machines are counted by the rate at an objective, and no "
            "load has kind 'objective'; add one, or leave 'planning' out"
        )
    if isinstance(manifest.published, str):
        figures = _named(path, manifest.published)
        return manifest.model_copy(update={"published": figures})
    return manifest


def _named(study: Path, name: str) -> PublishedManifest:
    # Only a name: a path could lead out of the folder.
    if re.fullmatch(NAME, name) is None:
        raise UserError(
            f"{study}: key 'published': '{name!s:.80}' is not a name of figures; name a file of "
            "the folder published/, without .toml"
        )
    path = study.parent / "published" / f"{name}.toml"
    if not path.is_file():
        raise UserError(
            f"{study}: key 'published': no such file: {path}; add it, or correct the key"
        )
    return read_published(path)
