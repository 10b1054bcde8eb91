"""The second proof in the midst of load: what a server does there is what it did while measured."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from webdyno.catalog.load import Closed, Load
from webdyno.errors import UserError
from webdyno.generators.base import Job
from webdyno.generators.drawn import draw
from webdyno.generators.engine import Sliced
from webdyno.store.records import Measurement
from webdyno.verifier import Breakdown, Mismatch, Probe, Verifier

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

_TRIES = 4
"""Proofs beside a smaller crowd, until one is not broken off: a server that ends its workers now
and then may just have ended several connections."""
_LEAVING_S = 0.2
"""How long a server has to notice that earlier connections have ended, before others come."""


def verify_again(
    verifier: Verifier, probe: Probe, job: Job, rps: float, lives_s: float = math.inf
) -> None:
    """Verify while a load like the measured one goes on; `rps` is what it was answered at, and
    `lives_s` how long its connections lived.

    A server that answers otherwise while its connections are few and young, or its requests rare,
    would else be honest in every proof. So would one that knows the connections of the first proof
    by what they asked: `probe` closes them, and this one opens its own. Without that load where the
    verifier must be alone with the server, where the load is none of the engine's closed ones, and
    where it would take too long. Raises `Mismatch`.
    """
    probe.close()
    load = job.load
    number = 0
    if isinstance(load, Closed) and load.abilities.takes_turns and verifier.in_a_crowd:
        number = load.made_connections
    if not number or rps <= 0 or number / rps * ASKED > WORTH_S:
        with probe.another() as fresh:
            verifier.verify(fresh)
        return
    told = len(verifier.evidence)
    try:
        _verify_beside(verifier, probe, job, number, lives_s)
        return
    except Mismatch as mismatch:
        if not mismatch.is_breakdown:
            raise
        broke = str(mismatch)
    # That many connections it never had to serve: it may have no worker left for more, hang up on
    # them or answer 503. But as many as the load had it served without a single failure, and no
    # fewer are open now: whoever breaks off to be asked again is asked in no smaller crowd.
    some = probe.another(connections=min(probe.connections, max(1, number // 2)))
    own = verifier.held_at_once + (0 if job.scenario.websocket else some.connections)
    others = max(0, max(number, probe.connections) - own)
    for left in reversed(range(_TRIES)):
        del verifier.evidence[told:]
        claim = f"verified again beside {others} connections of a load instead of {number}"
        verifier.expect(claim, True, f"beside all: {broke}")
        time.sleep(_LEAVING_S)
        try:
            _verify_beside(verifier, some, job, others, lives_s)
            return
        except Mismatch as mismatch:
            if not (left and mismatch.is_breakdown):
                raise


def life_of(load: Load, measured: Measurement) -> float:
    """How many seconds a connection of the load lived, by those that the server ended."""
    opened = measured.generator.connections_opened
    if not isinstance(load, Closed) or load.visits or opened is None:
        return math.inf
    ended = opened - load.made_connections
    return load.made_connections * measured.elapsed_s / ended if ended > 0 else math.inf


def _verify_beside(verifier: Verifier, like: Probe, job: Job, others: int, lives_s: float) -> None:
    """Verify by a probe `like` that one while as many `others` make the load."""
    with like.another(repeats=True) as probe:
        began_s = time.monotonic()
        # Before the crowd comes, since each request then takes as long as the load's do.
        _grow_old(probe, job)
        with _crowd(job, others):
            verifier.verify(probe)
        # Or it could be asked on young ones only. Where workers end, several end together.
        expected = probe.connections * (time.monotonic() - began_s) / lives_s
        if probe.ended > 1 + expected + 1.5 * math.sqrt(expected):
            raise Breakdown(f"the server ended {probe.ended} connections soon after it answered")


@contextmanager
def _crowd(job: Job, connections: int) -> Iterator[None]:
    """The load goes on, and nothing is made of it. What the server reads is for the proof alone to
    change: a change of the load's would come between its questions and their answers."""
    if not connections:
        yield
        return
    how = {"connections": connections, "duration": LONGEST_S, "slice": None}
    more = job.load.model_copy(update=how)
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
