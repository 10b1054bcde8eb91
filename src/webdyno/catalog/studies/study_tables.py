"""The tables of `study.toml`: what is entered, what it may use, what it is held against."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag, field_validator, model_validator

from webdyno.catalog.reading.manifest import Manifest, validating
from webdyno.catalog.scenarios.parameters import Parameters
from webdyno.catalog.studies.published import PublishedManifest
from webdyno.catalog.terms import quantity
from webdyno.catalog.terms.cpus import cpus_text, parse_cpus
from webdyno.catalog.terms.form import Name
from webdyno.catalog.terms.reference import ServerReference
from webdyno.errors import UserError


class ScenarioEntry(Manifest):
    """A scenario of a study, with parameters that differ from the scenario's defaults."""

    name: Name = Field(description="of the scenario")
    label: str = Field(default="", description="its name in reports; default: its name")
    parameters: Parameters = Field(
        default_factory=dict, description="overrides of the scenario's parameters"
    )
    loads: list[str] = Field(default_factory=list, description="names of its loads; default: all")

    @property
    def title(self) -> str:
        """What sets it apart from other entries of the same scenario."""
        return self.label or self.name


Looking = Literal["early", "late"]


class Blocks(Manifest):
    """How often every trial of the study is repeated."""

    min: int = Field(
        default=3, ge=1, le=10_000, description="minimum number, even if all is settled before"
    )
    max: int = Field(
        default=30, ge=1, le=10_000, description="maximum number, even if the budget allows more"
    )
    looks: Looking = Field(
        default="early",
        description="early: large differences are found after few blocks; late: most of the error "
        "rate is left for the last block that the budget allows, for small differences",
    )

    shared_starts: bool = Field(
        default=False,
        description="from the second block on, one start of a server serves all loads of its "
        "scenario that are made in turns; default: a start for each load",
    )

    @property
    def late(self) -> bool:
        """Whether most of the error rate is left for the last block."""
        return self.looks == "late"

    @model_validator(mode="after")
    def _ordered(self) -> Blocks:
        if self.max < self.min:
            raise ValueError("blocks.max must not be below blocks.min")
        return self


LEAST_MEMORY = 1_000_000
LEAST_CPUS = 0.01
"""A quota of the kernel's is at least 1 ms of its period, which is 100 ms."""


class Limits(Manifest):
    """What each server may use; if left out, the server's share of the machine."""

    cpus: float | None = Field(
        default=None, ge=LEAST_CPUS, le=65_536, description="cores; fractions are allowed"
    )
    memory: str = Field(default="", description="of the whole process tree, such as 8GB")

    @field_validator("memory")
    @classmethod
    def _memory_is_readable(cls, value: str) -> str:
        if value:
            with validating():
                if quantity.size(value) < LEAST_MEMORY:
                    raise UserError(f"'{value}' is too little for any server; write at least 1MB")
        return value


class PlacementKeys(Manifest):
    """CPUs of the roles, given by hand, as lists such as `0-3,8`; those left out are chosen."""

    server: str | None = Field(default=None, description="CPUs of each server")
    generator: str | None = Field(default=None, description="CPUs of the load generator")
    services: str | None = Field(default=None, description="CPUs of databases and other services")

    @field_validator("server", "generator", "services")
    @classmethod
    def _cpus_are_readable(cls, value: str | None) -> str | None:
        if value is None:
            return None
        with validating():
            return cpus_text(parse_cpus(value))

    def by_role(self) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The CPUs of the roles that have any."""
        texts = {"server": self.server, "generator": self.generator, "services": self.services}
        return tuple((role, parse_cpus(text)) for role, text in texts.items() if text)


class Published(Manifest):
    """A figure somebody published, shown beside ours."""

    server: ServerReference = Field(description="as in servers")
    scenario: str = Field(description="its name, or its label")
    metric: str = Field(description="any figure of a report, such as throughput_rps")
    value: float = Field(ge=0, description="in the metric's unit")
    ratio: bool = Field(
        default=False, description="only ratios were published; `value` is relative"
    )
    load: str = Field(default="", description="shown beside this load only; default: all")
    unlike: dict[str, str] = Field(
        default_factory=dict,
        description="by load: how it, or the work under it, differs from the published one; the "
        "ratio is then shown, but not judged",
    )
    note: str = Field(default="", description="what readers should know about it")


def _form(value: Any) -> str:
    if isinstance(value, str):
        return "name"
    return "file" if isinstance(value, dict | PublishedManifest) else "figures"


PublishedFigures = Annotated[
    Annotated[str, Tag("name")]
    | Annotated[list[Published], Tag("figures")]
    | Annotated[PublishedManifest, Tag("file")],
    Discriminator(_form),
]
"""Once a study is read, a name has become the file of that name."""


class Planning(Manifest):
    """How many machines your traffic needs, and what they cost at your price."""

    traffic: str = Field(description="requests per day, such as 25M/day")
    price: str = Field(
        description="price of a machine as large as the server's share of this one, such as 0.10/h"
    )
    currency: str = Field(default="USD", description="of the price")
    headroom: float = Field(default=0.0, ge=0, le=1000, description="spare capacity: 0.3 is 30%")

    @field_validator("traffic")
    @classmethod
    def _traffic_is_readable(cls, value: str) -> str:
        with validating():
            quantity.daily_views(value)
        return value

    @field_validator("price")
    @classmethod
    def _price_is_readable(cls, value: str) -> str:
        with validating():
            quantity.price(value)
        return value


class Cost(Manifest):
    """What one more of something costs, from entries of one scenario that differ in a parameter."""

    scenario: Name = Field(description="whose entries are compared")
    parameter: str = Field(description="the numeric parameter in which the entries differ")
    each: str = Field(description="name of one unit, such as middleware")
    steps: list[str] = Field(
        default_factory=list,
        description="what is added at 1, 2, 3 …: each step is shown; without it, one slope",
    )
