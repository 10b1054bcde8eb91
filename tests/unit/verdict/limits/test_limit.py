"""Every trial has one limit, named from the CPU of each role."""

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webdyno.verdict import limit_of
from webdyno.verdict.limits.limit import LimitKind
from webdyno.verdict.limits.limit_evidence import LimitEvidence

BUSY, CALM = 0.97, 0.4
STOLEN = {"foreign_cpu_share": 0.2, "stolen_cpu_share": 0.2}


def kind(server=CALM, generator=CALM, **more):
    return limit_of(
        LimitEvidence(server_cpu_share=server, generator_cpu_share=generator, **more)
    ).kind


@pytest.mark.parametrize(
    ("seen", "expected"),
    [
        ({"server": BUSY}, "server-bound"),
        ({"generator": BUSY}, "generator-bound"),
        ({"services": {"redis": 0.9}}, "service-bound"),
        ({}, "waiting"),
        ({"achieved": 1.0}, "offered-load"),
        # A full server stays the limit beside a full generator: asking more would get no more.
        ({"server": BUSY, "generator": BUSY}, "server-bound"),
        ({"server": BUSY, "services": {"redis": 0.95}}, "server-bound"),
        # An open load that was not held has another limit than the rate.
        ({"server": BUSY, "achieved": 0.9}, "server-bound"),
        ({"generator": BUSY, "achieved": 0.9}, "generator-bound"),
        ({"achieved": 0.9}, "waiting"),
        # A server of one thread on four cores is full at a quarter.
        ({"server": 0.25, "busiest_thread_share": 0.98}, "server-bound"),
        ({"server": 0.25, "busiest_thread_share": 0.25}, "waiting"),
        # Connections that idle between requests wait for the generator, if it was busy or late.
        ({"idle_share": 0.3, "generator": 0.7}, "generator-bound"),
        ({"idle_share": 0.3, "generator_late": True}, "generator-bound"),
        ({"idle_share": 0.2, "generator": 0.15}, "waiting"),
        ({"idle_share": 0.02}, "waiting"),
        # Somebody else had the core.
        ({"server": 0.6, "run_delay_share": 0.4}, "machine-noise"),
        ({"server": 0.6, "run_delay_share": 0.05}, "waiting"),
        ({"server": 0.6, "foreign_cpu_share": 0.38}, "machine-noise"),
        # What is known of others replaces the guess: threads of one server delay each other, too.
        ({"server": 0.6, "run_delay_share": 0.4, "foreign_cpu_share": 0.0}, "waiting"),
        ({"server": 0.3, "foreign_cpu_share": 0.2}, "waiting"),
        # A neighbour takes nothing from a server that sleeps: it did not wait for the core.
        ({"server": 0.3, "foreign_cpu_share": 0.7, "run_delay_share": 0.1}, "waiting"),
        ({"server": 0.5, "foreign_cpu_share": 0.5, "run_delay_share": 0.5}, "machine-noise"),
        ({"generator": 0.6, "generator_foreign_share": 0.39}, "machine-noise"),
        ({"generator": 0.3, "generator_foreign_share": 0.1}, "waiting"),
        # Both lose their cores in turn, and wait for each other: neither adds up to a full one.
        ({"server": 0.5, "generator": 0.32, "generator_foreign_share": 0.56}, "machine-noise"),
        # What a host takes from a running program is in no queue.
        ({"server": 0.8, **STOLEN, "run_delay_share": 0.005}, "machine-noise"),
        ({"server": 0.5, **STOLEN, "run_delay_share": 0.005}, "waiting"),
        ({"server": 0.8, "foreign_cpu_share": 0.2, "run_delay_share": 0.005}, "waiting"),
        # Services have the same cores: together they can fill them.
        ({"services": {"redis": 0.4, "postgresql": 0.5}}, "service-bound"),
        # A service of one thread on four cores is full at a quarter, too.
        ({"services": {"redis": 0.25}, "service_threads": {"redis": 0.97}}, "service-bound"),
        ({"services": {"redis": 0.25}, "service_threads": {"redis": 0.6}}, "waiting"),
        # Requests that come at random queue before the server is full; in a closed loop none do.
        ({"server": 0.85, "by_the_clock": True, "achieved": 0.9}, "server-bound"),
        ({"server": 0.85, "by_the_clock": True}, "server-bound"),
        ({"server": 0.2, "busiest_thread_share": 0.85, "by_the_clock": True}, "server-bound"),
        ({"server": 0.7, "by_the_clock": True}, "waiting"),
        ({"server": 0.85}, "waiting"),
        ({"sharing": {"server": 0.45, "redis": 0.4}, "by_the_clock": True}, "server-bound"),
        ({"sharing": {"server": 0.4, "generator": 0.45}, "by_the_clock": True}, "waiting"),
        # On a shared core none can be full alone, and the one that used most answers for all.
        ({"sharing": {"server": 0.6, "generator": 0.38}}, "server-bound"),
        ({"sharing": {"server": 0.3, "generator": 0.68}}, "generator-bound"),
        ({"sharing": {"server": 0.2, "postgresql": 0.5, "generator": 0.28}}, "service-bound"),
        ({"sharing": {"server": 0.3, "generator": 0.3}}, "waiting"),
        # There all wait for each other, which is no noise.
        ({"sharing": {"server": 0.5, "generator": 0.3}, "run_delay_share": 0.5}, "waiting"),
        (
            {"sharing": {"server": 0.5, "generator": 0.3}, "stolen_cpu_share": 0.15},
            "machine-noise",
        ),
    ],
)
def test_the_limit(seen, expected):
    assert kind(**seen) == expected


def test_one_thread_that_is_full_is_told_with_the_cores_it_leaves_idle():
    found = limit_of(
        LimitEvidence(
            server_cpu_share=0.17,
            server_cores=6,
            server_cores_used=1.04,
            busiest_thread_share=0.99,
            generator_cpu_share=CALM,
        )
    )
    assert (found.kind, found.one_thread) == ("server-bound", True)
    assert found.reason.startswith("limited by one of its threads (1.0 of 6 cores)")


def test_a_thread_that_is_full_on_its_only_core_leaves_none_idle():
    found = limit_of(
        LimitEvidence(server_cpu_share=0.97, busiest_thread_share=0.97, generator_cpu_share=CALM)
    )
    assert (found.kind, found.one_thread) == ("server-bound", False)


def test_the_busiest_thread_of_the_generator_is_told():
    found = limit_of(
        LimitEvidence(server_cpu_share=CALM, generator_cpu_share=BUSY, generator_threads=4)
    )
    assert "the generator's busiest thread used 97% of a core (4 threads)" in found.reason


def test_each_that_has_the_servers_cores_is_told_with_its_own_figure():
    both = {"server": 0.5, "postgresql": 0.45}
    found = limit_of(
        LimitEvidence(server_cpu_share=0.5, generator_cpu_share=CALM, sharing=both, achieved=0.9)
    )
    assert found.reason == "the server used 50% and postgresql 45% of the core they share"
    calm = {"server": 0.3, "postgresql": 0.2}
    found = limit_of(LimitEvidence(server_cpu_share=0.3, generator_cpu_share=0.4, sharing=calm))
    assert "(server 30%, generator 40%, postgresql 20%)" in found.reason


DISTURBED_THREAD = {"server_cpu_share": 0.125, "server_cores": 6, "busiest_thread_share": 0.75}


@pytest.mark.parametrize(
    ("ready", "foreign", "expected"),
    [(0.98, 0.2, "machine-noise"), (0.98, 0.01, "waiting"), (0.78, 0.2, "waiting")],
)
def test_one_thread_that_others_kept_from_running_is_disturbed(ready, foreign, expected):
    found = limit_of(
        LimitEvidence(
            **DISTURBED_THREAD,
            generator_cpu_share=CALM,
            ready_thread_share=ready,
            foreign_cpu_share=foreign,
            run_delay_share=0.04,
        )
    )
    assert found.kind == expected
    assert expected == "waiting" or (
        "had work for 98% of the time, but none ran for more than 75%" in found.reason
    )


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"stolen_cpu_share": 0.2}, "the host took 20% of the server's cores (steal)"),
        (
            {"stolen_cpu_share": 0.1, "run_delay_share": 0.09},
            "the host took 10% of the server's cores (steal), and other programs used 10%, and it "
            "waited for one 9% of the time",
        ),
        (
            {"run_delay_share": 0.2},
            "other programs used 20% of the server's cores, and it waited for one 20% of the time",
        ),
    ],
)
def test_a_host_is_no_other_program(more, told):
    seen = {"run_delay_share": 0.005, "foreign_cpu_share": 0.2, **more}
    found = limit_of(LimitEvidence(server_cpu_share=0.8, generator_cpu_share=0.5, **seen))
    assert (found.kind, found.reason) == ("machine-noise", told)


def test_a_host_that_took_the_generators_cores_is_named():
    seen = {"generator_foreign_share": 0.2, "generator_stolen_share": 0.2}
    found = limit_of(LimitEvidence(server_cpu_share=0.5, generator_cpu_share=0.5, **seen))
    assert found.reason.startswith("the host took 20% of the generator's cores (steal), so what")


@pytest.mark.parametrize(("threads", "expected"), [(1, "machine-noise"), (4, "waiting")])
def test_what_a_host_takes_is_missed_by_whoever_ran(threads, expected):
    """Of four cores, one thread had one at 75%, or each had one at 40%."""
    share = 0.75 if threads == 1 else 0.4
    found = limit_of(
        LimitEvidence(
            server_cpu_share=share * threads / 4,
            server_cores=4,
            busiest_thread_share=share,
            ready_thread_share=share,
            run_delay_share=0.0,
            foreign_cpu_share=0.0625,
            stolen_cpu_share=0.0625,
            generator_cpu_share=CALM,
        )
    )
    assert found.kind == expected


@pytest.mark.parametrize(
    ("connections", "cores", "told"),
    [
        (1, 6, "the load asked too little, with only 1 connection, or the server waited"),
        (3, 6, "the load asked too little, with only 3 connections, or the server waited"),
        (1, 1, "the load asked too little, with only 1 connection, or the server waited"),
        (64, 6, "(server 10%, generator 40%): the server waited"),
        (None, 6, "(server 10%, generator 40%): the server waited"),
    ],
)
def test_a_load_of_few_connections_may_be_the_limit_itself(connections, cores, told):
    found = limit_of(
        LimitEvidence(
            server_cpu_share=0.1,
            server_cores=cores,
            generator_cpu_share=CALM,
            connections=connections,
        )
    )
    assert told in found.reason


SHARES = st.floats(0, 1.2)
MAYBE = st.none() | SHARES


@given(SHARES, SHARES, MAYBE, MAYBE, MAYBE, MAYBE, MAYBE, MAYBE, st.booleans())
@settings(deadline=None)
def test_every_trial_gets_one_word_and_a_reason_with_figures(
    server, generator, service, thread, delay, foreign, residual, achieved, shared
):
    found = limit_of(
        LimitEvidence(
            server_cpu_share=server,
            generator_cpu_share=generator,
            services={} if service is None else {"redis": service},
            busiest_thread_share=thread,
            run_delay_share=delay,
            foreign_cpu_share=foreign,
            idle_share=residual,
            achieved=achieved,
            sharing={"server": server, "generator": generator} if shared else {},
        )
    )
    assert found.kind in get_args(LimitKind)
    assert "%" in found.reason
