"""What the connections of the second proof ask: what the load asks, and nothing twice."""

from __future__ import annotations

from pathlib import Path

from webdyno.catalog.loads.load import Closed
from webdyno.catalog.scenarios.scenario import read_scenario
from webdyno.generators.job import Job
from webdyno.trial.proof import fresh_requests
from webdyno.trial.proof.fresh_requests import FreshRequests

SCENARIOS = Path(__file__).parents[4] / "scenarios"


def fresh(scenario: str) -> FreshRequests:
    job = Job(
        scenario=read_scenario(SCENARIOS / scenario).manifest,
        load=Closed(kind="closed", connections=8, duration=1.0),
        port=1,
        cpus=(),
        seed=1,
    )
    return FreshRequests(job, "127.0.0.1:1")


def test_nothing_drawn_comes_twice_however_much_is_asked() -> None:
    requests = fresh("stream")
    assert requests.any
    many = 2 * fresh_requests._MOST_DRAWN + 1
    assert len({requests.next().bytes for _ in range(many)}) == many


def test_a_request_without_variables_stays_what_it_is() -> None:
    requests = fresh("hello")
    expected = b"GET /hello HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n"
    assert {requests.next().bytes for _ in range(3)} == {expected}


def test_no_requests_go_over_a_connection_for_messages() -> None:
    assert not fresh("websocket-echo").any
