"""How long loads are made: what a description says, else what its budget allows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from webdyno.ab.flags import Flags, refuse_short_budget
from webdyno.ab.request.pair_request import PairRequest
from webdyno.ab.study.lengths import (
    LEAST_START_S,
    LONGEST_S,
    SHORTEST_S,
    Lengths,
    lengths_of,
    too_short,
)
from webdyno.ab.study.pairing import Pairing
from webdyno.catalog.descriptions.description import Description
from webdyno.catalog.servers.server import Server
from webdyno.errors import UserError
from webdyno.run.budget.estimates import FURTHER_S


def described(**changes: Any) -> Description:
    return Description.model_validate({"name": "shop", "requests": ["GET /"], **changes})


@pytest.fixture
def servers(pair: Pairing) -> list[Server]:
    """Both versions, in a language that is warm as soon as it has worked for a second."""
    return list(pair.catalog.pair.values())


def test_what_a_description_says_is_kept(servers: list[Server]) -> None:
    both = described(load={"duration": "2s", "steady_duration": "4s"})
    assert lengths_of(both, servers) == Lengths(2.0, 4.0)
    assert lengths_of(described(load={"duration": "2s"}), servers) == Lengths(2.0, 2.0)
    assert lengths_of(described(load={"steady_duration": "4s"})) == Lengths(SHORTEST_S, 4.0)


@pytest.mark.parametrize(
    ("changes", "loads", "starts"),
    [
        ({"budget": "3m"}, 2, 1),
        ({"budget": "5m"}, 2, 1),
        ({"budget": "10m"}, 2, 1),
        # The full load alone has it all where both would be too short.
        ({"budget": "2m"}, 1, 1),
        # A database goes on working while its service is frozen: a start for each load.
        ({"budget": "5m", "services": {"postgresql": {"seed": ["rows.sql"]}}}, 2, 2),
        # One user at a time cannot take turns, so that this load has a start of its own.
        (
            {"budget": "9m", "requests": ["GET /", "GET /a"], "load": {"kinds": ["full", "alone"]}},
            2,
            2,
        ),
    ],
)
def test_loads_fill_the_budget(
    changes: dict[str, Any], loads: int, starts: int, servers: list[Server]
) -> None:
    asked = described(**changes)
    found = lengths_of(asked, servers)
    assert SHORTEST_S <= found.steady_s <= found.full_s < LONGEST_S
    second_s = found.full_s if "kinds" in changes.get("load", {}) else found.steady_s
    made_s = found.full_s + (loads - 1) * second_s
    each_s = starts * LEAST_START_S + (loads - starts) * FURTHER_S + made_s
    # The first block has a start for each load.
    first_s = (loads - starts) * (LEAST_START_S - FURTHER_S)
    blocks = (asked.budget / 3 - first_s) / each_s
    assert blocks == pytest.approx(round(blocks), abs=0.1)
    assert 3 <= round(blocks) <= 10


def test_a_length_that_is_given_takes_its_part_of_the_time(servers: list[Server]) -> None:
    as_it_suits = lengths_of(described(budget="5m"), servers)
    long = lengths_of(described(budget="5m", load={"steady_duration": "8s"}), servers)
    short = lengths_of(described(budget="5m", load={"steady_duration": "1s"}), servers)
    assert (long.steady_s, short.steady_s) == (8.0, 1.0)
    for given in (long, short):
        assert SHORTEST_S <= given.full_s <= LONGEST_S
        # As the lengths that suit do, they fill the budget with whole repetitions, three or more.
        each_s = LEAST_START_S + FURTHER_S + given.full_s + given.steady_s
        blocks = (100 - LEAST_START_S + FURTHER_S) / each_s
        assert blocks == pytest.approx(round(blocks), abs=0.1)
        assert round(blocks) >= 3
    assert as_it_suits.steady_s == SHORTEST_S


def test_the_full_load_has_most_of_the_time(servers: list[Server]) -> None:
    five, ten = (lengths_of(described(budget=budget), servers) for budget in ("5m", "10m"))
    assert five.steady_s == SHORTEST_S < five.full_s
    assert ten.full_s == pytest.approx(2 * ten.steady_s, abs=0.1)
    asked = ["GET /", "GET /a"]
    three = lengths_of(described(budget="20m", requests=asked), servers)
    assert SHORTEST_S < three.steady_s < three.full_s
    kinds = {"kinds": ["full", "alone"]}
    without = lengths_of(described(budget="20m", requests=asked, load=kinds), servers)
    assert without.full_s == without.steady_s == LONGEST_S


def test_long_budgets_buy_starts_and_short_ones_the_shortest_loads(servers: list[Server]) -> None:
    assert lengths_of(described(budget="1h"), servers) == Lengths(LONGEST_S, LONGEST_S)
    assert lengths_of(described(budget="10s"), servers) == Lengths(SHORTEST_S, SHORTEST_S)
    # Services that run already are measured in turns from the beginning to the end.
    assert lengths_of(described(budget="1h")) == Lengths(SHORTEST_S, SHORTEST_S)


def test_running_services_are_loaded_for_shorter_where_the_budget_is_short() -> None:
    short = lengths_of(described(budget="30s", load={"kinds": ["full", "steady"]}))
    # Three entries, two loads, three repetitions: half of the budget.
    assert 18 * short.full_s == pytest.approx(15.0)
    assert lengths_of(described(budget="5m")).full_s == SHORTEST_S


def test_a_budget_that_holds_no_repetition_is_refused() -> None:
    refuse_short_budget("budget", 30.0)
    with pytest.raises(UserError, match=r"^budget: 29 s is too short to compare two versions"):
        refuse_short_budget("budget", 29.0)
    # Of a flag, before what takes long to load.
    asked = PairRequest(Path(), flags=Flags(budget_s=20.0))
    with pytest.raises(UserError, match=r"^--budget: 20 s is too short .* at least 30 s \(5m is"):
        asked.check()


@pytest.mark.parametrize(
    ("budget", "load", "told"),
    [
        ("30s", {}, True),
        ("84s", {}, True),
        ("85s", {}, False),
        ("64s", {"duration": "600ms"}, False),
        ("84s", {"kinds": ["steady"], "steady_duration": "4s"}, True),
        ("94s", {"kinds": ["steady"], "duration": "1m", "steady_duration": "4s"}, False),
    ],
)
def test_a_budget_without_time_for_the_fewest_blocks_is_told(
    budget: str, load: dict[str, Any], told: bool, servers: list[Server]
) -> None:
    said = too_short(described(budget=budget, load=load), servers)
    ends = (
        "before the 3 blocks that any answer needs, and the trials that it begins may take longer; "
        "give --budget 2m"
    )
    assert said.endswith(ends) == told
    assert bool(said) == told
