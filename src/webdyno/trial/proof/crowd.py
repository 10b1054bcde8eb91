"""The second proof in the midst of load: what a server does there is what it did while measured."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from webdyno.catalog.load import Closed
from webdyno.errors import UserError
from webdyno.generators.base import Job
from webdyno.generators.drawn import draw
from webdyno.generators.engine import Sliced
from webdyno.verifier import Breakdown, Probe, Unheard, Verifier

LONGEST_S = 60.0
"""How long the load goes on where nobody ends it."""

ASKED = 100
"""About how many questions a second proof has ..."""

WORTH_S = 3.0
"""... and how long they may take in all: each waits for as many others as there are connections."""

_OPENING_S = 0.02
_REQUESTS, _WITHIN_S = 100, 1.0
"""Requests like the load's that each connection of the proof makes first, within so long."""
_MOST_BYTES = 32_000_000
"""Of their bodies: fewer of them are drawn where those are large, and sent again."""

_ENDED = 1
"""Connections of the proof at most that a server may end so soon, as it ends a worker."""


def verify_again(verifier: Verifier, probe: Probe, job: Job, rps: float) -> None:
    """Verify while a load like the measured one goes on; `rps` is what it was answered at.

    A server that answers otherwise while its connections are few and young, or its requests rare,
    would else be honest in every proof. So would one that knows the connections of the first proof
    by what they asked: `probe` closes them, and this one opens its own. Without that load where the
    verifier must be alone with the server, where the load is none of the engine's closed ones, and
    where it would take too long. Raises `Mismatch`.
    """
    probe.close()
    with probe.another(repeats=verifier.in_a_crowd) as fresh:
        _verify_again(verifier, fresh, job, rps)


def _verify_again(verifier: Verifier, probe: Probe, job: Job, rps: float) -> None:
    load = job.load
    in_turns = load.abilities.takes_turns
    if not isinstance(load, Closed) or not in_turns or not verifier.in_a_crowd:
        verifier.verify(probe)
        return
    if rps <= 0 or load.made_connections / rps * ASKED > WORTH_S:
        verifier.verify(probe)
        return
    told = len(verifier.evidence)
    try:
        _verify_beside(load, verifier, probe, job)
    except Unheard as unheard:
        # All of its workers may be busy with the connections of the load, and none left for new
        # ones: that is no fault. But it served as many connections as the load has, and may fail
        # in no other way: the load was answered without a single failure.
        del verifier.evidence[told:]
        probe.close()
        fewer = load.made_connections - probe.connections - verifier.held_at_once
        others = f"{max(0, fewer)} connections of the load instead of {load.made_connections}"
        verifier.expect(f"verified again beside {others}", True, f"beside all: {unheard}")
        with probe.another(repeats=True) as fresh:
            if fewer > 0:
                less = load.model_copy(update={"connections": fewer})
                _verify_beside(less, verifier, fresh, job)
            else:
                verifier.verify(fresh)


def _verify_beside(load: Closed, verifier: Verifier, probe: Probe, job: Job) -> None:
    """Verify while `load` goes on."""
    # Before the crowd comes, since each request then takes as long as the load's do.
    _grow_old(probe, job)
    with _crowd(job, load):
        verifier.verify(probe)
    if probe.ended > _ENDED:
        # Or it could be asked on young ones only.
        raise Breakdown(f"the server ended {probe.ended} connections soon after it answered")


@contextmanager
def _crowd(job: Job, load: Closed) -> Iterator[None]:
    """The load goes on, and nothing is made of it. What the server reads is for the proof alone to
    change: a change of the load's would come between its questions and their answers."""
    more = load.model_copy(update={"duration": LONGEST_S, "slice": None})
    going = Sliced(replace(job, load=more, seed=job.seed + 1, record=None, edge=None, changes=None))
    try:
        going.go_on(_OPENING_S)
        yield
    finally:
        going.stop()


def _grow_old(probe: Probe, job: Job) -> None:
    """Ask what the load asks, so that the proof's connections are no younger than many others."""
    if job.scenario.websocket:
        return  # Messages go over connections that the verifier upgrades itself.
    largest = max(len(request.body or "") for request in job.scenario.requests)
    try:
        drawn = draw(job, max(1, min(_REQUESTS, _MOST_BYTES // max(1, largest))))
    except UserError:
        return  # The manifest's variables are the engine's to refuse.
    ends = time.monotonic() + _WITHIN_S
    for place in range(_REQUESTS * probe.connections):
        one = drawn[place % len(drawn)]
        probe.request(one.method, one.path, headers=dict(one.headers), content=one.body)
        if time.monotonic() > ends:
            return
