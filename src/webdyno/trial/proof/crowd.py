"""The second proof in the midst of load: what a server does there is what it did while measured."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import NamedTuple

from webdyno._engine import Load as BuiltIn
from webdyno.catalog.loads.load import LEAST_CONNECTIONS, Closed, Load
from webdyno.generators.engine import Sliced
from webdyno.generators.job import Job, fresh_seed
from webdyno.runtime.machine.placement import pinned
from webdyno.store.records import Measurement
from webdyno.trial.loads.loading import WatchedLoad
from webdyno.trial.proof.fresh_requests import FreshRequests
from webdyno.trial.proof.gathering import Gathering
from webdyno.trial.turn_taking.rhythm import Rhythm
from webdyno.trial.turn_taking.slices import Freezable
from webdyno.verifier import Ask, Breakdown, Mismatch, Probe, Verifier

LONGEST_S = 60.0
"""How long the load goes on where nobody ends it."""

WORTH_S = 5.0
"""How long the questions of a second proof may take in all: each waits for as many others as there
are connections, so that a slow server is asked in a smaller crowd."""
ASKED_AMID = 1.5
"""By how much longer they take, because each also waits for what its connection is kept busy with:
for half of an answer on average."""

_IN_TURNS_ONE_IN = 2
"""Of the thorough proofs of a server that took turns."""
_REQUESTS = 100
"""Requests like the load's that each connection of the proof makes at least before it asks."""
_WITHIN_S, _THOROUGHLY_WITHIN_S = 2.0, 10.0
"""How long it may do so; and where they are to be as old as one of the load's."""
_AHEAD_S, _MOST_AHEAD, _AHEAD_OF = 0.01, 16, 0.25
"""Of the requests like the load's that go directly ahead of a question: how long they may take, how
many they may be, and of which share of the questions, drawn by lot, they go ahead at all. Each of
them waits for the crowd like a question."""

_TRIES = 4
"""Further proofs, until one is not broken off: a server that ends its workers now and then may just
have ended several connections."""
_LEAVING_S = 0.2
"""How long a server has to notice that earlier connections have ended, before others come."""


def verify_again(
    verifier: Verifier,
    probe: Probe,
    job: Job,
    rps: float,
    lives_s: float = math.inf,
    rhythm: Rhythm | None = None,
) -> None:
    """Verify while a load like the measured one goes on; `rps` is what it was answered at, and
    `lives_s` how long its connections lived. Where that was made in turns, in their `rhythm`.

    A server that answers otherwise while its connections are few and young, or its requests rare,
    would else be honest in every proof. So would one that knows the connections of the first proof
    by what they asked: `probe` closes them, and this one opens its own. Without that load where the
    load is none of the engine's closed ones, and where it would take too long beside a single
    connection; a verifier that must be alone with the server asks some of it again beside the load,
    if it can. Raises `Mismatch`.
    """
    probe.close()
    load = job.load
    made = room = 0
    if (
        isinstance(load, Closed)
        and load.abilities.takes_turns
        and _asks_beside_load(type(verifier))
    ):
        made, room = load.settled_connections, math.floor(WORTH_S * rps / verifier.asked_again)
    if not verifier.in_a_crowd:
        _verify_alone(verifier, probe, job)
    if not isinstance(load, Closed) or made <= 0 or room <= 0:
        if verifier.in_a_crowd:
            _verify_alone(verifier, probe, job)
        if made > 0:
            claim = f"verified again without a load (measured: {made} connections)"
            why = f"beside even one connection it would take longer than {WORTH_S:g} s"
            verifier.expect(claim, True, why)
        return

    def others_of(asking: Probe) -> int:
        # No more than the load had besides: a server may have no worker left for others, and one
        # that has never met so many would know them by that.
        own = verifier.held_at_once + (0 if job.scenario.websocket else asking.connections)
        return max(0, max(made, asking.connections) - own)

    def beside(others: int, why: str) -> None:
        claim = f"verified again beside a load of {others} connections (measured: {made})"
        verifier.expect(claim, True, why)

    age = _age_of(load, rps, lives_s, thorough=verifier.thorough)
    if rhythm is not None:
        verifier.expect("verified again in turns, as the load was made", True, rhythm.told())
    told = len(verifier.evidence)
    others = others_of(probe)
    if not others and not verifier.in_a_crowd:
        return  # It was asked alone just now.
    if room < others:
        others = room
        beside(others, f"beside more, it would take longer than {WORTH_S:g} s")
    try:
        _verify_beside(verifier, probe, job, others, lives_s, age, rhythm)
        return
    except Mismatch as mismatch:
        if not mismatch.is_breakdown:
            raise
        broke = str(mismatch)
    # It may have ended several workers just now. On fewer connections of the proof's that is less
    # likely; beside them no fewer are open: whoever breaks off is asked in no smaller crowd.
    some = probe.another(connections=min(probe.connections, max(1, made // 2)))
    others = min(room, others_of(some))
    for left in reversed(range(_TRIES)):
        del verifier.evidence[told:]
        beside(others, f"at first: {broke}")
        time.sleep(_LEAVING_S)
        try:
            _verify_beside(verifier, some, job, others, lives_s, age, rhythm)
            return
        except Mismatch as mismatch:
            if not (left and mismatch.is_breakdown):
                raise


def likely_s(load: Load, kind: type[Verifier], answer_s: float) -> float:
    """About how many seconds `verify_again` takes beside a load, where each answer takes the server
    `answer_s`: every request of the proof's waits for those of all connections."""
    if not (isinstance(load, Closed) and load.abilities.takes_turns and _asks_beside_load(kind)):
        return 0.0
    waits_s = answer_s * (load.connections or LEAST_CONNECTIONS)
    asked_s = min(WORTH_S, kind.asked_again * waits_s)
    return min(_WITHIN_S, _REQUESTS * waits_s) + ASKED_AMID * asked_s


def _asks_beside_load(kind: type[Verifier]) -> bool:
    return kind.in_a_crowd or kind.verify_beside_load is not Verifier.verify_beside_load


def _verify_alone(verifier: Verifier, like: Probe, job: Job) -> None:
    with like.another() as probe, _as_the_load(job):
        verifier.verify(probe)


def rhythm_of(made: WatchedLoad, process: Freezable, job: Job, verifier: Verifier) -> Rhythm | None:
    """The turns of the load that was `made`, for the second proof of the server in `process`. None
    where it had none, where that is proven less thoroughly, and for every other trial, by lot: it
    takes many times as long, and no server knows beforehand which trials are proven so."""
    if not made.pauses_s or made.slice_s is None or job.make_load is not BuiltIn:
        return None
    if not verifier.thorough or secrets.randbelow(_IN_TURNS_ONE_IN) > 0:
        return None
    return Rhythm(process, made.slice_s, made.pauses_s)


def life_of(load: Load, measured: Measurement) -> float:
    """How many seconds a connection of the load lived, by those that the server ended."""
    opened = measured.generator.connections_opened
    if not isinstance(load, Closed) or load.visits or opened is None:
        return math.inf
    ended = opened - load.settled_connections
    return load.settled_connections * measured.elapsed_s / ended if ended > 0 else math.inf


class _Age(NamedTuple):
    """How old the connections of a proof are before it asks."""

    requests: int
    within_s: float
    ahead: int
    """Requests, at most, that go ahead of each question."""


def _age_of(load: Closed, rps: float, lives_s: float, *, thorough: bool) -> _Age:
    """Where proven thoroughly, the age of the load's own connections at a moment drawn by lot,
    which no server can foresee: it could be honest on younger ones than most of the load's, or on
    older ones. Elsewhere less will do: the first trial of a server to pass was such a one."""
    rate = rps / load.settled_connections
    age_s = _share() * min(load.seconds(), lives_s) if thorough else 0.0
    within_s = min(age_s, _THOROUGHLY_WITHIN_S)
    ahead = min(_MOST_AHEAD, int(rate * _AHEAD_S))
    return _Age(max(_REQUESTS, int(rate * age_s)), max(_WITHIN_S, within_s), ahead)


def _share() -> float:
    return secrets.SystemRandom().random()


def _verify_beside(
    verifier: Verifier,
    like: Probe,
    job: Job,
    others: int,
    lives_s: float,
    age: _Age,
    rhythm: Rhythm | None,
) -> None:
    """Verify by a probe `like` that one while as many `others` make the load."""
    # By the core that a request comes from a server could tell it: SO_INCOMING_CPU.
    with like.another(repeats=True, clock=rhythm) as probe, _as_the_load(job):
        began_s = probe.clock.now()
        # Of the load's connections, too, some are opened beside few others and some beside many.
        with _crowd(job, others, verifier.random.randint(0, others), probe, age, rhythm):
            if verifier.in_a_crowd:
                verifier.verify(probe)
            else:
                verifier.verify_beside_load(probe)
        # Or it could be asked on young ones only. Where workers end, several end together.
        expected = probe.connections * (probe.clock.now() - began_s) / lives_s
        if probe.ended > 1 + expected + 1.5 * math.sqrt(expected):
            raise Breakdown(f"the server ended {probe.ended} connections soon after it answered")


def _as_the_load(job: Job) -> AbstractContextManager[None]:
    """Ask from the load's cores, where the load is made on this machine."""
    return pinned(job.cpus if job.make_load is BuiltIn else ())


@contextmanager
def _crowd(
    job: Job, connections: int, earlier: int, probe: Probe, age: _Age, rhythm: Rhythm | None
) -> Iterator[None]:
    """The load goes on, and nothing is made of it. What the server reads is for the proof alone to
    change: a change of the load's would come between its questions and their answers.

    The connections of `probe` are opened after the `earlier` ones of the load's, at once with its
    others, and grow old among them: by nothing in their lives is a server to know them. Nor do they
    pause between questions, since it could otherwise be honest for some requests after each pause.
    """
    fresh = FreshRequests(job, probe.base_url.partition("://")[2])
    first = _going(job, earlier) if earlier else None
    later = _going(job, connections - earlier) if earlier < connections else None
    with ThreadPoolExecutor(1) as aside:
        load = Gathering(first, lambda: aside.submit(_grow_old, probe, fresh, age), later)
        try:
            with rhythm.kept(load) if rhythm else load.opened():
                load.between.result()
                with probe.kept_busy(lambda: fresh.next().bytes) if fresh.any else nullcontext():
                    yield
        finally:
            load.stop()


def _going(job: Job, connections: int) -> Sliced:
    """So many connections of the load that begin with `go_on`, with requests of their own."""
    how = {"connections": connections, "duration": LONGEST_S, "slice": None}
    more = job.load.model_copy(update=how)
    return Sliced(replace(job, load=more, seed=fresh_seed(), record=None, edge=None, changes=None))


def _grow_old(probe: Probe, fresh: FreshRequests, age: _Age) -> None:
    """Ask what is drawn on all connections at once, so that they are no younger than many others;
    and have `probe` send some of it directly before some questions."""
    ends = probe.clock.now() + age.within_s

    def ask(number: int, request: Ask) -> None:
        for asked in range(age.requests):
            one, written = fresh.next()
            # The first one opens the connection, as one does where the server has ended it.
            if not (asked and probe.exchange(number, written)):
                request(one.method, one.path, headers=dict(one.headers), content=one.body)
            if probe.clock.now() > ends:
                return

    if fresh.any:
        probe.on_each(ask)
        if age.ahead:
            lot = secrets.SystemRandom()

            def ahead() -> Sequence[bytes]:
                comes = _share() < _AHEAD_OF
                return [fresh.next().bytes for _ in range(lot.randint(1, age.ahead) * comes)]

            probe.amid(ahead)
