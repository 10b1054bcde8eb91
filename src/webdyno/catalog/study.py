"""`study.toml`: a question, as servers x scenarios x loads and a method."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from webdyno.catalog import quantity, sweep
from webdyno.catalog.load import Load, Seconds
from webdyno.catalog.manifest import Manifest, read_manifest
from webdyno.catalog.server import Name
from webdyno.errors import UserError

Metric = Literal[
    "throughput_rps",
    "p99_us",
    "p50_us",
    "cpu_us_per_request",
    "memory_peak_bytes",
    "threads_peak",
    "capacity_rps",
]

HIGHER_IS_BETTER: dict[str, bool] = {
    "throughput_rps": True,
    "p99_us": False,
    "p50_us": False,
    "cpu_us_per_request": False,
    "memory_peak_bytes": False,
    "threads_peak": False,
    "capacity_rps": True,
}

AT_AN_OBJECTIVE: tuple[Metric, ...] = (
    "cpu_us_per_request",
    "memory_peak_bytes",
    "threads_peak",
)
"""What says something of its own beside the capacity, measured at the rate that was found."""


class ScenarioEntry(Manifest):
    """A scenario of a study, with parameters that differ from the scenario's defaults."""

    name: Name = Field(description="of the scenario")
    label: str = Field(default="", description="how reports call it; its name if empty")
    parameters: dict[str, Any] = Field(
        default_factory=dict, description="values in place of the scenario's own"
    )
    loads: list[str] = Field(
        default_factory=list, description="names of the loads it is put under; all if empty"
    )

    @property
    def title(self) -> str:
        """What sets it apart from other entries of the same scenario."""
        return self.label or self.name


class WarmUp(Manifest):
    """Bounds of the warm-up; it ends as soon as the server is steady."""

    min: Seconds = Field(default=0.5, description="no warm-up is shorter")
    max: Seconds = Field(default=5.0, description="when a server counts as never steady")


class Blocks(Manifest):
    """How many times every trial of the study is repeated at least and at most."""

    min: int = Field(default=3, ge=1, description="of each trial, whatever is settled")
    max: int = Field(default=30, ge=1, description="even where the budget has room for more")

    @model_validator(mode="after")
    def _ordered(self) -> Blocks:
        if self.max < self.min:
            raise ValueError("blocks.max must not be below blocks.min")
        return self


class Limits(Manifest):
    """What each server may use; empty means the machine's share."""

    cpus: float | None = Field(default=None, gt=0, description="cores; parts of one, too")
    memory: str = Field(default="", description="of the whole process tree, such as 8GB")

    @field_validator("memory")
    @classmethod
    def _memory_is_readable(cls, value: str) -> str:
        if value:
            try:
                quantity.size(value)
            except UserError as error:
                raise ValueError(str(error)) from None
        return value


class Published(Manifest):
    """A figure somebody published, shown beside ours."""

    server: str = Field(description="as in servers")
    scenario: str = Field(description="its name, or its label")
    metric: str = Field(description="any figure of a report, such as throughput_rps")
    value: float = Field(description="in the metric's unit")
    ratio: bool = Field(
        default=False, description="only ratios were published: `value` is in units of another's"
    )
    load: str = Field(default="", description="only beside this load; beside all if empty")
    note: str = Field(default="", description="what a reader has to know of it")


class Planning(Manifest):
    """Turns what was measured into machines and money; traffic and price are the reader's own."""

    traffic: str = Field(description="requests of a day, such as 25M/day")
    price: str = Field(description="of a machine like this one's share, such as 0.10/h")
    currency: str = Field(default="USD", description="of the price")
    headroom: float = Field(default=0.0, ge=0, description="0.3: 30% more than the traffic")

    @field_validator("price")
    @classmethod
    def _price_is_readable(cls, value: str) -> str:
        try:
            quantity.price(value)
        except UserError as error:
            raise ValueError(str(error)) from None
        return value


class Cost(Manifest):
    """Asks what one more of something costs: entries of one scenario that differ in a parameter."""

    scenario: Name = Field(description="whose entries are compared")
    parameter: str = Field(description="the parameter, a number, in which the entries differ")
    each: str = Field(description="what one of it is called, such as middleware")
    steps: list[str] = Field(
        default_factory=list,
        description="what is added at 1, 2, 3 of it: then each step is told, else one slope",
    )


class PublishedAggregate(Manifest):
    """A row of JMeter's aggregate table as somebody published it, shown beside ours."""

    server: str
    scenario: str
    load: str = ""
    samples: int
    average_ms: int
    median_ms: int
    line_90_ms: int
    line_95_ms: int
    line_99_ms: int
    min_ms: int
    max_ms: int
    error_share: float = Field(ge=0, le=1)
    throughput_rps: float
    kb_per_s: float


class StudyManifest(Manifest):
    """A study."""

    name: Name = Field(description="that of the file, without .toml")
    title: str = Field(description="the heading of reports")
    question: str = Field(description="what the study is to settle, in a sentence")
    servers: list[str] = Field(min_length=1, description="language/name or language/name@variant")
    scenarios: list[str | ScenarioEntry] = Field(
        min_length=1, description="names, or tables where more than the name is to be said"
    )
    loads: list[Load] = Field(min_length=1, description="how requests arrive, each by its kind")
    control: str = Field(default="", description="entered twice: what the machine can resolve")
    budget: Seconds = Field(default=300.0, description="time for the trials, builds not counted")
    method: Literal["sound", "as-published", "both"] = Field(
        default="sound", description="which of the loads a run makes"
    )
    metrics: list[Metric] = Field(
        default=["throughput_rps"], min_length=1, description="what is ranked; the first one leads"
    )
    margin: float = Field(
        default=0.03, gt=0, lt=1, description="servers within this share count as equal"
    )
    confidence: float = Field(
        default=0.95, gt=0.5, lt=1, description="of all claims of a verdict together"
    )
    warmup: WarmUp = Field(default=WarmUp(), description="bounds of the warm-up")
    blocks: Blocks = Field(default=Blocks(), description="bounds of the repetition")
    limits: Limits = Field(default=Limits(), description="what each server may use")
    planning: Planning | None = Field(
        default=None, description="asks for machines and money at the objective's loads"
    )
    build_times: bool = Field(
        default=False,
        description="measure cold, clean and incremental builds of each server before the trials",
    )
    sentinel: bool = Field(
        default=True, description="measure a fixed small server in every block: the machine itself"
    )
    source: str = Field(default="", description="the write-up that this study repeats")
    published: list[Published] = Field(
        default_factory=list, description="figures that are shown beside ours"
    )
    published_aggregate: list[PublishedAggregate] = Field(
        default_factory=list, description="rows of JMeter's aggregate table, shown beside ours"
    )
    costs: list[Cost] = Field(
        default_factory=list, description="asks what one more of something costs a request"
    )

    @model_validator(mode="before")
    @classmethod
    def _sweeps(cls, data: Any) -> Any:
        return sweep.expanded(data)

    @model_validator(mode="after")
    def _consistent(self) -> StudyManifest:
        labels = [load.label() for load in self.loads]
        if len(set(labels)) != len(labels):
            raise ValueError("two loads have the same name; give each its own 'name'")
        titles = [entry.title for entry in self.entries()]
        if twice := next((title for title in titles if titles.count(title) > 1), None):
            raise ValueError(f"scenario '{twice}' is entered twice; give each its own 'label'")
        for entry in self.entries():
            if unknown := next((name for name in entry.loads if name not in labels), None):
                known = ", ".join(labels)
                raise ValueError(
                    f"scenario '{entry.title}' names load '{unknown}'; there are {known}"
                )
        if len(set(self.servers)) != len(self.servers):
            raise ValueError("a server is named twice; the A/A pair is made by 'control'")
        if self.control and self.control not in self.servers:
            raise ValueError(f"control '{self.control}' must be one of 'servers'")
        if not self.chosen_loads():
            raise ValueError(f"no load has method '{self.method}'; add one, or choose another")
        for cost in self.costs:
            self._check_cost(cost)
        return self

    def _check_cost(self, cost: Cost) -> None:
        at = self.levels(cost).values()
        where = f"costs: scenario '{cost.scenario}', parameter '{cost.parameter}'"
        if len(set(at)) < 2:
            raise ValueError(f"{where}: two entries must give it different numbers, to compare")
        if cost.steps and not all(level == int(level) <= len(cost.steps) for level in at):
            raise ValueError(f"{where}: 'steps' must name what is added up to {max(at):g}")

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

    def metrics_of(self, load: str) -> list[Metric]:
        """What the load called `load` is judged by: one with an objective by its capacity, and
        only such a one."""
        searched = {one.label() for one in self.loads if one.kind == "objective"}
        if load in searched:
            return ["capacity_rps", *(m for m in self.metrics if m in AT_AN_OBJECTIVE)]
        return [m for m in self.metrics if m != "capacity_rps"] or ["throughput_rps"]

    def entries(self) -> list[ScenarioEntry]:
        """The scenarios, each as an entry with its parameters."""
        return [
            entry if isinstance(entry, ScenarioEntry) else ScenarioEntry(name=entry)
            for entry in self.scenarios
        ]


def read_study(path: Path) -> StudyManifest:
    """Read a study. Raises `UserError` where it is wrong or contradicts its file name."""
    manifest = read_manifest(path, StudyManifest)
    if manifest.name != path.stem:
        raise UserError(f"{path}: key 'name' is '{manifest.name}'; it must equal the file name")
    return manifest
