"""Loads: how requests arrive. One class a kind, told apart by `kind`."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import (
    BeforeValidator,
    Field,
    WithJsonSchema,
    model_validator,
)

from webdyno.catalog.loads import load_bounds
from webdyno.catalog.loads.abilities import BUILT_IN, GENERATORS, Abilities, those_that
from webdyno.catalog.loads.load_bounds import MOST_COUNT, LoadPhases, LoadSeconds
from webdyno.catalog.reading.manifest import Manifest, validating
from webdyno.catalog.terms import quantity
from webdyno.catalog.terms.one_of import OneOf


def _seconds(value: Any) -> float:
    with validating():
        return quantity.duration(value)


Seconds = Annotated[
    float,
    BeforeValidator(_seconds),
    WithJsonSchema({"type": ["string", "number"], "examples": ["500ms", "10s", "2m"]}),
]
"""Seconds, written `500ms`, `10s` or `2m` in a manifest."""


def _one_or_more(most: int) -> WithJsonSchema:
    """In a file one number or several; a study makes a load of each (see `catalog.loads.sweep`)."""
    number = {"type": "integer", "minimum": 1, "maximum": most}
    return WithJsonSchema({"anyOf": [number, {"type": "array", "items": number, "minItems": 1}]})


Arrivals = Literal["uniform", "poisson"]
"""Of an open load: evenly spaced, or at random."""

LoadMethod = Literal["sound", "as-published"]
GeneratorName = Annotated[str, OneOf(GENERATORS)]


class LoadBase(Manifest):
    """The keys of every load.

    An `as-published` load repeats what a write-up did, flaws included: once, in the study's
    order, without warm-up. A `sound` one is measured in randomised blocks.
    """

    name: str = Field(default="", description="its name in reports; if empty, made from the kind")
    method: LoadMethod = Field(
        default="sound", description="sound: in blocks; as-published: once, as a write-up did"
    )
    generator: GeneratorName = Field(default=BUILT_IN, description="the load generator")
    cookies: bool | None = Field(
        default=None, description="whether users keep cookies; if left out, as the scenario says"
    )
    visits: int | None = Field(
        default=None,
        ge=1,
        le=MOST_COUNT,
        description="requests per user, before a new user without cookies replaces it",
    )
    threads: int | None = Field(
        default=None,
        ge=1,
        le=1024,
        description="generator threads; default: one per core, or one as published",
    )
    record: bool = Field(default=False, description="record every request, as a JTL")
    timeout: LoadSeconds = Field(default=10.0, description="an answer after this time is an error")
    cores: Annotated[int | None, Field(ge=1), _one_or_more(1024)] = Field(
        default=None,
        description="cores of the server; default: all it may have; a list: a closed load of each",
    )

    @property
    def in_turns(self) -> bool:
        """Whether the servers are loaded in turns."""
        return False

    @property
    def abilities(self) -> Abilities:
        """What its generator can do."""
        return GENERATORS[self.generator].abilities

    def settled(self, generator_cores: int, server_cpus: int) -> Self:
        """The load on cores of which there are so many, under the same name: what is left open is
        filled in."""
        threads = self.threads or (1 if self.method == "as-published" else generator_cores)
        return self.model_copy(update={"threads": threads})


TURN_S = 0.1
"""The usual `slice`: longer than what standing still costs, shorter than most of what a machine
does beside."""


class Divisible(LoadBase):
    """A load that can be made in slices, so that the servers under it take turns."""

    slice: Annotated[Seconds, Field(ge=0.02, le=1.0)] | None = Field(
        default=None,
        description="length of the turns that servers take until each was loaded for the "
        "load's duration; default: one server after the other",
    )

    @property
    def in_turns(self) -> bool:
        """Whether the servers are loaded in turns."""
        return self.slice is not None

    @model_validator(mode="after")
    def _slices_are_possible(self) -> Self:
        if self.slice is not None and not (self.abilities.takes_turns and self.method == "sound"):
            able = " or ".join(f"'{name}'" for name in those_that(lambda can: can.takes_turns))
            raise ValueError(f"slice needs method sound and generator {able}; leave it out")
        if self.slice is not None and self.record:
            raise ValueError("slice and record cannot be combined; leave one out")
        return self


LEAST_CONNECTIONS, CONNECTIONS_A_CPU = 32, 16
"""Connections of a closed load that leaves them open: enough for each of the server's CPUs to have
the next request waiting while it works on one, and never fewer than the least."""


class Closed(Divisible):
    """Each connection sends its next request when the last one is answered."""

    kind: Literal["closed"]
    connections: Annotated[int | None, Field(ge=1, le=1_000_000), _one_or_more(1_000_000)] = Field(
        default=None,
        description="connections, or a list for a load of each; default: 16 per CPU of the server, "
        "at least 32",
    )
    duration: LoadSeconds = Field(description="length of the measurement")

    def label(self) -> str:
        """`name`, or one made from the figures."""
        return self.name or (f"closed-{self.connections}" if self.connections else "closed")

    def settled(self, generator_cores: int, server_cpus: int) -> Self:
        """See `LoadBase.settled`; the connections, too, where they were left open."""
        grown = max(LEAST_CONNECTIONS, CONNECTIONS_A_CPU * server_cpus)
        made = super().settled(generator_cores, server_cpus)
        # Under its own name, which an unnamed load has from what it left open.
        changes = {"connections": self.connections or grown, "name": self.label()}
        return made.model_copy(update=changes)

    @property
    def settled_connections(self) -> int:
        """Of a load that is settled."""
        assert self.connections is not None, "settled before it is made"
        return self.connections

    def seconds(self) -> float:
        """How long it loads."""
        return self.duration


class Open(Divisible):
    """Requests arrive on a schedule, whether or not earlier ones were answered."""

    kind: Literal["open"]
    phases: LoadPhases = Field(min_length=1, description="such as 150/s:60s or 100/s..400/s:30s")
    arrivals: Arrivals = Field(
        default="poisson", description="poisson: at random; uniform: evenly spaced"
    )
    connections: int = Field(
        default=256, ge=1, le=1_000_000, description="maximum number of requests in flight"
    )
    scale: Literal["", "auto", "half"] = Field(
        default="",
        description="auto: lower all rates to what the slowest server can handle; half: to half of "
        "its maximum",
    )
    shortest: LoadSeconds | None = Field(
        default=None, description="phases may be shortened to this if the budget is small"
    )

    def label(self) -> str:
        """`name`, or one made from the figures."""
        return self.name or "open-" + ",".join(self.phases)

    def parsed(self) -> list[quantity.Phase]:
        """The phases as numbers."""
        return [quantity.phase(text) for text in self.phases]

    def seconds(self) -> float:
        """How long it loads."""
        return sum(phase.duration_s for phase in self.parsed())


class Iterations(LoadBase):
    """Each of `users` sends `iterations` requests, one after the other, and stops."""

    kind: Literal["iterations"]
    users: int = Field(ge=1, le=1_000_000, description="each with its own connection")
    iterations: int = Field(ge=1, le=MOST_COUNT, description="requests per user")

    def label(self) -> str:
        """`name`, or one made from the figures."""
        return self.name or f"iterations-{self.users}x{self.iterations}"

    def seconds(self) -> float | None:
        """Unknown beforehand: it ends when the work is done."""
        return None


LEAST_STEPS = 6
"""Steps of a search that goes as well as it can, the confirming one counted twice."""


class Objective(LoadBase):
    """A search for the highest rate of arrivals at which the server meets an objective.

    Each trial searches without restarting the server: open loads of `step` each, until the rate is
    known to `tolerance` on either side, then a longer one to confirm it.
    """

    kind: Literal["objective"]
    objective: str = Field(description="what must hold, such as p99 < 100ms or p99.9 < 1s")
    errors: str = Field(default="< 0.1%", description="share of requests that may fail")
    arrivals: Arrivals = Field(
        default="poisson", description="poisson: at random; uniform: evenly spaced"
    )
    connections: int = Field(
        default=256, ge=1, le=1_000_000, description="maximum number of requests in flight"
    )
    step: LoadSeconds = Field(
        default=2.0, ge=1.0, description="length of a step; made longer if needed"
    )
    tolerance: float = Field(
        default=0.05, ge=0.01, le=0.5, description="precision of the rate: 0.05 is 5%"
    )
    max_rate: str = Field(default="", description="highest rate to try, such as 20k/s")

    @model_validator(mode="after")
    def _readable_and_sound(self) -> Objective:
        with validating():
            quantity.objective(self.objective)
            quantity.share_at_most(self.errors)
            if self.max_rate:
                load_bounds.rate(self.max_rate)
        if self.method != "sound":
            raise ValueError("an objective needs a warm-up, so method sound; leave 'method' out")
        if not self.abilities.holds_rates:
            able = " and ".join(those_that(lambda can: can.holds_rates))
            raise ValueError(f"only {able} holds rates exactly; leave 'generator' out")
        return self

    def label(self) -> str:
        """`name`, or the objective."""
        return self.name or self.objective

    def at(self, rate_rps: float, seconds: float) -> Open:
        """One step of the search as a load of its own."""
        return Open(
            kind="open",
            phases=[f"{rate_rps:.4f}/s:{seconds:g}s"],
            arrivals=self.arrivals,
            connections=self.connections,
            cookies=self.cookies,
            visits=self.visits,
            threads=self.threads,
            timeout=self.patience_s(),
        )

    def patience_s(self) -> float:
        """How long an answer is waited for: one that is ten times too late is no answer."""
        limit_s = quantity.objective(self.objective).limit_s
        return min(self.timeout, max(2.0, 10 * limit_s))

    def seconds(self) -> float | None:
        """What the shortest search takes: it ends when the rate is known."""
        return LEAST_STEPS * self.step


Load = Annotated[Closed | Open | Iterations | Objective, Field(discriminator="kind")]
