"""What a load generator can do, and what its figures are worth, as its own file declares it.

Studies are checked against this, and reports explain by it. The declarations stand in the files of
`webdyno.generators.plugins`, one for each generator.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from webdyno.plugins import Plugins

BUILT_IN = "engine"
"""The generator of a load that names none."""

OwnCells = tuple[str | None, ...]


@dataclass(frozen=True)
class OwnTable:
    """The table in which a tool's figures are usually told, shown as the tool printed it.

    `cells` makes a line of it from what `generator.table` of a measurement holds; None is a figure
    that is not there. `published` are the keys of a published row that stand in the same columns.
    """

    headings: tuple[str, ...]
    published: tuple[str, ...]
    cells: Callable[[Mapping[str, Any]], OwnCells]


@dataclass(frozen=True)
class Figures:
    """What a tool does to its own figures, as far as it bears on arithmetic.

    `tick_s`: latencies are cut off to whole ones, so that means lie up to one too low.
    `keeps_cookies`: a user sends back what it was given. `adds_slow`: made-up latencies correct
    for requests that were not sent, so that the mean obeys no law. `drops_late`: answers after the
    time-out count as requests but not in latencies.
    """

    tick_s: float = 0.0
    keeps_cookies: bool = True
    adds_slow: bool = False
    drops_late: bool = False


@dataclass(frozen=True)
class Abilities:
    """What a generator can do. The defaults are those of one of which nothing is known."""

    kinds: tuple[str, ...] = ("closed", "open", "iterations", "objective")
    """Kinds of load that it makes."""
    takes_turns: bool = False
    """Its load can stand still and go on (`GeneratorPlugin.sliced`), so that servers are loaded in
    turns."""
    tells_edges: bool = False
    """It calls a job's `edge` when its connections are open, and when what is measured is over."""
    holds_rates: bool = False
    """It keeps to a schedule of arrivals exactly enough to search for an objective."""
    keeps_answers: bool = False
    """It checks every answer, and gives some back whole for the audit."""
    only_status: bool = False
    """It looks at nothing of an answer but its status."""
    records: bool = False
    """It can write a line about each request, as a JTL."""
    websocket: bool = False
    """It can send messages over WebSocket."""
    figures: Figures = field(default=Figures())
    own_table: OwnTable | None = None


class Able(Protocol):
    """What declares abilities."""

    @property
    def abilities(self) -> Abilities:
        """What it can do."""
        ...


GENERATORS: Plugins[Able] = Plugins("webdyno.generators.plugins", "GENERATOR", "generator")
"""All load generators, by the name loads call them."""


def abilities_of(name: object) -> Abilities:
    """Of the generator called `name`, as a stored load has it: the built-in one where it names none
    (None or ""); nothing special of one that is not known here."""
    name = name or BUILT_IN
    return GENERATORS[str(name)].abilities if name in GENERATORS else Abilities()


def those_that(can: Callable[[Abilities], object]) -> list[str]:
    """Names of the generators whose abilities satisfy `can`."""
    return [name for name, one in GENERATORS.all().items() if can(one.abilities)]
