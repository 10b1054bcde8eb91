"""How evenly answers were spread over connections, and what is said of it."""

from __future__ import annotations

import pytest

from support.engine_output import CLOSED, engine_output, parsed_output
from webdyno.cli.hit.warnings import warnings
from webdyno.generators.spread import Spread
from webdyno.trial.assessment.evenness import evenness_flags

EVEN = Spread(connections=64, answers_each=1000.0, starved=0, evenness=1.0)
TEN_ARE_SERVED = Spread(connections=64, answers_each=1000.0, starved=54, evenness=10 / 64)
SOME_MORE = Spread(connections=64, answers_each=1000.0, starved=0, evenness=0.3)


def codes(spread: Spread | None, elapsed_s: float = 10.0, **kinds: int) -> list[str]:
    """What a trial is flagged with for it, after seeing that `hit` warns of the same."""
    output = {**engine_output(cpu_s=elapsed_s / 10, **kinds), "elapsed_s": elapsed_s}
    load = parsed_output({**output, "spread": spread and spread.model_dump()})
    found = [flag.code for flag in evenness_flags(load)]
    assert [one.code for one in warnings(load, CLOSED) if one.code not in kinds] == found
    return found


def test_who_starves_connections_is_flagged() -> None:
    assert codes(TEN_ARE_SERVED) == ["starved"]
    load = parsed_output({**engine_output(), "spread": TEN_ARE_SERVED.model_dump()})
    (flag,) = evenness_flags(load)
    assert flag.message.startswith(
        "54 of 64 connections got less than a tenth of the 1,000 answers that each got on average"
    )


def test_hit_says_whose_latencies_are_shown() -> None:
    for spread, whose in [(TEN_ARE_SERVED, "those of the others"), (SOME_MORE, "theirs")]:
        load = parsed_output({**engine_output(), "spread": spread.model_dump()})
        (warning,) = warnings(load, CLOSED)
        assert f"so most latencies are {whose};" in warning.message


def test_who_serves_some_far_more_often_is_flagged() -> None:
    assert codes(SOME_MORE) == ["uneven"]
    (flag,) = evenness_flags(parsed_output({**engine_output(), "spread": SOME_MORE.model_dump()}))
    assert "Jain's fairness index 0.30" in flag.message


@pytest.mark.parametrize(
    "spread",
    [
        None,  # Another generator, or another load.
        EVEN,
        EVEN.model_copy(update={"starved": 6}),
        # Two workers that accepted 9 and 55 connections by chance.
        EVEN.model_copy(update={"evenness": 0.51}),
        # Too few answers, or connections, for it to be anything but chance.
        TEN_ARE_SERVED.model_copy(update={"answers_each": 9.0}),
        Spread(connections=8, answers_each=1000.0, starved=0, evenness=0.44),
    ],
)
def test_what_chance_does_is_not(spread: Spread | None) -> None:
    assert codes(spread) == []


def test_a_worker_that_waits_for_a_core_starves_nobody() -> None:
    """One of four did so for most of a short load, with its 8 connections."""
    held_up = Spread(connections=32, answers_each=15.0, starved=8, evenness=0.74)
    assert codes(held_up, elapsed_s=0.6) == []
    assert codes(held_up, elapsed_s=0.5) == []
    # No machine keeps it from them for as long as this.
    assert codes(held_up, elapsed_s=10.0) == ["starved"]
    # A wait leaves a load of 0.4 s nothing to tell by, but one of 0.6 s a sixth of its answers.
    served_alone = TEN_ARE_SERVED.model_copy(update={"answers_each": 200.0})
    assert codes(served_alone, elapsed_s=0.4) == []
    assert codes(served_alone, elapsed_s=0.6) == ["starved"]


def test_the_more_connections_wait_the_fewer_answers_show_it() -> None:
    few = Spread(connections=32, answers_each=12.0, starved=4, evenness=0.86)
    assert codes(few, elapsed_s=1.0) == []
    assert codes(few.model_copy(update={"answers_each": 20.0}), elapsed_s=1.0) == ["starved"]
    assert codes(few.model_copy(update={"starved": 20}), elapsed_s=1.0) == ["starved"]


def test_a_short_load_shows_as_little_of_who_is_served_more_often() -> None:
    assert codes(SOME_MORE, elapsed_s=0.5) == []
    assert codes(SOME_MORE, elapsed_s=1.0) == ["uneven"]


def test_connections_that_could_not_be_opened_are_not_called_starved() -> None:
    assert codes(TEN_ARE_SERVED, refused=5) == []
    assert codes(TEN_ARE_SERVED, client_limit=5) == []


def test_a_load_of_several_machines_is_as_even_as_all_of_its_connections() -> None:
    one = Spread(connections=4, answers_each=10.0, starved=0, evenness=1.0)
    # 40, 0, 0, 0: with the four of 10, 80 answers on 8 connections, of which three have none.
    other = Spread(connections=4, answers_each=10.0, starved=3, evenness=0.25)
    both = Spread.of_parts([one, other])
    assert both is not None
    assert (both.connections, both.answers_each, both.starved) == (8, 10.0, 3)
    assert both.evenness == pytest.approx(80**2 / (8 * (4 * 10**2 + 40**2)))
    assert Spread.of_parts([]) is None
