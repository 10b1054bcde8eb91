"""What `hit` makes of its options and URL, and what it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from webdyno.cli.hit import run
from webdyno.cli.hit.options import Options
from webdyno.cli.hit.specification import specification
from webdyno.errors import UserError
from webdyno.generators.specification import ClosedShape, IterationsShape, OpenShape, PhaseSpec
from webdyno.generators.target import parse

HELLO = parse("http://127.0.0.1:8080/hello")


def test_a_closed_load_is_the_default() -> None:
    spec = specification(HELLO, Options())
    assert spec.load == ClosedShape(connections=64, duration_s=10.0)
    assert spec.load.seconds() == 10
    assert spec.target.host_header == "127.0.0.1:8080"
    assert spec.requests[0].method == "GET"
    assert spec.requests[0].body is None
    assert spec.allow_remote is False


def test_requests_are_recorded_where_a_file_is_named() -> None:
    assert specification(HELLO, Options(record="x.jtl")).record == "x.jtl"
    assert specification(HELLO, Options()).record is None


def test_a_rate_makes_an_open_load() -> None:
    load = specification(HELLO, Options(rate="2k/s", duration="1m")).load
    phases = [PhaseSpec(rate=2000, duration_s=60)]
    assert load == OpenShape(phases=phases, arrivals="uniform", connections=256)


def test_phases_may_ramp() -> None:
    options = Options(phases="150/s:60s,100/s..400/s:30s", poisson=True, connections=9)
    load = specification(HELLO, options).load
    phases = [
        PhaseSpec(rate=150, duration_s=60),
        PhaseSpec(rate=100, to_rate=400, duration_s=30),
    ]
    assert load == OpenShape(phases=phases, arrivals="poisson", connections=9)
    assert load.seconds() == 90


def test_users_and_iterations() -> None:
    load = specification(HELLO, Options(users=30, iterations=1000)).load
    assert load == IterationsShape(users=30, iterations=1000)
    assert load.seconds() is None


def test_a_body_makes_a_post_and_braces_are_no_variables() -> None:
    options = Options(body='{"a": 1}', headers=["X-Json: {}", "Accept:*/*"])
    (request,) = specification(HELLO, options).requests
    assert request.method == "POST"
    assert request.body == '{{"a": 1}}'
    assert request.headers == [("X-Json", "{{}}"), ("Accept", "*/*")]
    assert specification(HELLO, Options(body="x", method="PUT")).requests[0].method == "PUT"


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (Options(rate="5", phases="5:1s"), "--rate and --phases"),
        (Options(rate="5", users=1, iterations=1), "--users and --rate"),
        (Options(phases="5:1s", iterations=1), "--users and --rate or --phases"),
        (Options(phases="5:1s", duration="1s"), "--duration and --phases"),
        (Options(users=1, iterations=1, duration="1s"), "--duration and --users"),
        (Options(users=1, iterations=1, connections=1), "--connections and --users"),
        (Options(users=1), "--iterations is missing"),
        (Options(iterations=1), "--users is missing"),
        (Options(poisson=True), "--poisson needs a rate"),
        (Options(rate="fast"), "--rate: 'fast' is not a rate"),
        (Options(rate="0/s"), "--rate: '0/s' is not a valid rate"),
        (Options(phases="5/s"), "--phases: '5/s' is not a phase"),
        (Options(duration="0s"), "--duration: '0s' is not a duration"),
        (Options(timeout="never"), "--timeout: 'never' is not a duration"),
        (Options(headers=["no colon"]), "--header: 'no colon' is not a header"),
    ],
)
def test_what_contradicts_itself_names_the_option(options: Options, named: str) -> None:
    with pytest.raises(UserError, match=re.escape(named)):
        specification(HELLO, options)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            Options(duration="366d"),
            "--duration: '366d' is not a valid load duration; write one from",
        ),
        (
            Options(timeout="10d"),
            "--timeout: '10d' is not a valid load duration; write one from 1ms",
        ),
        (Options(rate="1000M/s"), "--rate: '1000M/s' is too fast for a load; write at most 10M/s"),
        (Options(rate="0.01/s"), "--rate: fewer than one request in all; raise the rate, or load"),
        (
            Options(phases=",".join(["1/s:24h"] * 8)),
            "--phases: the phases last more than 7 days",
        ),
        (Options(phases="0.1/s:2s"), "--phases: fewer than one request in all"),
        (Options(phases="9/s:2d"), "--phases: '2d' is not a valid load duration"),
        (Options(rate="0/s"), "--rate: '0/s' is not a valid rate; it must be above 0/s"),
        (Options(objective="p99 < 1s", max_rate="200M/s"), "--max-rate: '200M/s' is too fast"),
        (Options(objective="p99 < 1s", duration="2d"), "--duration: '2d' is not a valid load"),
    ],
)
def test_what_the_engine_would_refuse_is_told_by_its_option(options: Options, said: str) -> None:
    with pytest.raises(UserError) as caught:
        specification(HELLO, options)
    assert str(caught.value).startswith(said)


def test_what_only_the_engine_finds_bears_the_name_of_its_option(tmp_path: Path) -> None:
    (file := tmp_path / "empty.pem").touch()
    for cacert, said in (
        (file, "holds no certificate"),
        (tmp_path / "none.pem", ": No such file"),
        (tmp_path, ": Is a directory"),
    ):
        secure = specification(parse("https://127.0.0.1:1/"), Options(cacert=cacert))
        with pytest.raises(UserError, match=f"^--cacert: {cacert} ?{said}"):
            run.prepare(secure)
    many = specification(HELLO, Options(http2=True, streams=10_000, connections=1000))
    with pytest.raises(UserError, match=r"^--streams: 10000 are 10000000 users in all"):
        run.prepare(many)
