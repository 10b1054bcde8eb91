"""The study of a stored run, as far as what was made of its results asks for it."""

from __future__ import annotations

import copy
from typing import Any, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    field_validator,
    model_serializer,
    model_validator,
)

from webdyno.catalog.loads.warm_up import WarmUpKeys
from webdyno.catalog.studies.study import StudyManifest
from webdyno.catalog.studies.study_tables import Planning, Published, ScenarioEntry
from webdyno.catalog.terms.metric import judged_by
from webdyno.catalog.terms.reference import ServerReference


class Stored(BaseModel):
    """Keys that older and newer versions have beside these are passed over, and those that an older
    version did not write have the value that it went by."""

    model_config = ConfigDict(extra="ignore", frozen=True, use_attribute_docstrings=True)


class StoredWhole(Stored):
    """Written again as it was read, with what this version does not know of it."""

    _as_read: dict[str, Any] = PrivateAttr(default_factory=dict)

    @model_validator(mode="wrap")
    @classmethod
    def _read(cls, data: Any, read: ModelWrapValidatorHandler[Self]) -> Self:
        if not isinstance(data, dict):
            return read(data)
        found = read(cls._values_of(data))
        # Whoever gave it may change it.
        found._as_read = copy.deepcopy(data)
        return found

    @classmethod
    def _values_of(cls, data: dict[str, Any]) -> dict[str, Any]:
        """What of `data` is a value."""
        return data

    @model_serializer(mode="plain")
    def as_stored(self) -> dict[str, Any]:
        """All that the version which made the run wrote, by its own keys."""
        return dict(self._as_read)


class StoredLoad(Stored):
    """A load of any kind: what a kind does not have is left empty."""

    name: str = ""
    kind: str = ""
    method: str = "sound"
    generator: str = ""
    """Empty for the built-in one."""
    connections: int | None = None
    duration: float | None = None
    slice: float | None = None
    phases: list[str] = Field(default_factory=list)
    arrivals: str = "poisson"
    scale: str = ""
    users: int = 0
    iterations: int = 0
    objective: str = ""
    errors: str = "< 0.1%"
    step: float = 2.0
    cookies: bool | None = None
    visits: int | None = None

    @property
    def as_published(self) -> bool:
        """Whether it repeats what a write-up did."""
        return self.method == "as-published"

    def label(self) -> str:
        """What trials call it (see `catalog.loads.load`): its name, or its figures."""
        match self.kind:
            case _ if self.name:
                return self.name
            case "closed":
                return f"closed-{self.connections}" if self.connections else "closed"
            case "iterations":
                return f"iterations-{self.users}x{self.iterations}"
            case "objective":
                return self.objective
        return f"{self.kind}-{','.join(self.phases)}"


class StoredScenario(ScenarioEntry, extra="ignore"):
    """A scenario with the parameters that the study gives it."""

    name: str


class StoredPlanning(Planning, extra="ignore"):
    """Traffic and price, as written."""


class StoredWarmUp(WarmUpKeys, extra="ignore"):
    """Its bounds; None where the study leaves one to each language."""


class PublishedFigure(Published, extra="ignore"):
    """A figure that somebody published, in its metric's unit."""


class StoredStudy(StoredWhole):
    """A study as a run stored it. Unlike a manifest it is not refused for what today's version
    would not run."""

    name: str = ""
    title: str = ""
    question: str = ""
    servers: list[ServerReference] = Field(default_factory=list)
    scenarios: list[StoredScenario] = Field(default_factory=list)
    loads: list[StoredLoad] = Field(default_factory=list)
    control: ServerReference = ""
    method: str = "sound"
    metrics: list[str] = Field(default_factory=list)
    margin: float = 0.03
    confidence: float = 0.95
    warmup: StoredWarmUp | None = None
    planning: StoredPlanning | None = None
    published: dict[str, Any] | list[PublishedFigure] | None = None
    """A whole file of figures, or single ones."""
    source: str = ""
    """Of the write-up that it repeats."""
    published_aggregate: list[dict[str, Any]] = Field(default_factory=list)
    """Rows of JMeter's table, in runs of before there were files of figures."""

    @classmethod
    def of(cls, study: StudyManifest) -> Self:
        """As a run of `study` stores it."""
        return cls.model_validate(study.model_dump(mode="json"))

    @field_validator("scenarios", mode="before")
    @classmethod
    def _named(cls, value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return [{"name": entry} if isinstance(entry, str) else entry for entry in value]

    def load(self, label: str) -> StoredLoad | None:
        """The load that trials call `label`; None where the study does not tell."""
        found = next((load for load in self.loads if load.label() == label), None)
        # A load without a name may have been labelled otherwise by an older version; where there
        # is but one, it is this one.
        return found or (self.loads[0] if len(self.loads) == 1 else None)

    def kind_of(self, label: str) -> str:
        """The kind of the load that trials call `label`, which an unnamed one begins with."""
        load = self.load(label)
        return (load.kind if load else "") or label.partition("-")[0]

    def metrics_of(self, label: str) -> list[str]:
        """What the load that trials call `label` is judged by."""
        return judged_by(self.metrics, self.kind_of(label))

    @property
    def judged(self) -> list[str]:
        """What any of its loads is judged by, the leading metric first."""
        found = [metric for load in self.loads for metric in self.metrics_of(load.label())]
        return list(dict.fromkeys(found)) or self.metrics

    def is_published(self, label: str) -> bool:
        """Whether the load that trials call `label` repeats what a write-up did."""
        load = self.load(label)
        return load is not None and load.as_published
