"""A server under watch: all that it starts is in its account, and what it takes is told."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Self

from webdyno.catalog.terms.cpus import cpus_text
from webdyno.runtime.confinement.conduct import Conduct, conduct_of
from webdyno.runtime.processes.listening import on_all_addresses
from webdyno.runtime.services import RunningService
from webdyno.store.records import FlagRecord, Measurement
from webdyno.trial.events import Event, Listener, LoadWentOn, TurnEnded
from webdyno.trial.plan import TrialPlan
from webdyno.trial.starting.start import RunningServer
from webdyno.trial.turn_taking.neighbours import CALLED, CALLS, MEETS
from webdyno.trial.watching import stalls
from webdyno.trial.watching.deprivation import DEPRIVED, Deprivation
from webdyno.trial.watching.hidden_processes import (
    HIDDEN,
    first_hidden_process,
    hidden_process_flag,
)
from webdyno.trial.watching.listeners import FOREIGN, foreign_listener
from webdyno.trial.watching.measure import IDLE
from webdyno.trial.watching.observed import Observed
from webdyno.trial.watching.stalls import Stalls
from webdyno.trial.watching.standstill import WORKED
from webdyno.trial.watching.unseen_processes import UNSEEN, UnseenProcesses

EVERY_S = 0.5
"""How often its threads are looked at while it is loaded, in seconds ..."""
SHARE = 0.01
"""... or less often, where the looks would use more than this part of a core."""

MORE_THAN_ALL = 1.1
"""CPU time over that of its cores, above which some of it was used elsewhere: clocks that are read
one after the other differ by far less ..."""
TICKS_S = 0.05
"""... but for some ticks, in which a short load's CPU time is counted."""

TAKEN = frozenset({"more-than-its-cores", "left-its-cores", "raised-priority", FOREIGN})
"""Codes of a server whose figures are not those of what it was given."""

NOT_RANKED = TAKEN | stalls.NOT_RANKED | {UNSEEN, WORKED, HIDDEN, CALLED, CALLS, MEETS, DEPRIVED}
"""These, those of a load that somebody held up, that nobody knows what the server used, that one
worked for another in turns, and that another took from it what it was given."""


class ServerWatch:
    """Looks at a server now and then from the warm-up to the end of its load.

    Used in a `with`, in which `observer` reads what the server and its services use; what it saw is
    in `observed` afterwards.
    """

    def __init__(
        self, plan: TrialPlan, server: RunningServer, services: Sequence[RunningService] = ()
    ) -> None:
        self._plan, self._server = plan, server
        self._conduct = Conduct()
        self._services = services
        self._moved = {service.name: Conduct() for service in services}
        families = {service.name: service.process.family for service in services}
        self._stalls = Stalls({"the server": server.process.family, **families})
        self._unseen = UnseenProcesses(server.process.pid)
        self._deprived = Deprivation(plan.placement.server)
        self._foreign: FlagRecord | None = None
        self._hidden: int | None = None
        self.observer = plan.site.observe(
            server.process.pid, {one.name: one for one in services}, plan.placement.observer
        )
        self.observed = Observed(roles={}, marks={})
        self._counting = False
        self._measuring = False
        self._next_s = self._next_listeners_s = 0.0

    def __enter__(self) -> Self:
        self.observer.start()
        try:
            self.observer.mark(IDLE)
            self._deprived.look(self._server.process.family.alive())
        except BaseException:
            self.observer.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.observed = Observed.model_validate_json(self.observer.stop())

    def begin(self) -> None:
        """The load that counts begins: have `observer` count all that the server started."""
        self._counting = self._measuring = True
        self._look()
        self._look_for_listeners()

    def end(self) -> None:
        """It is over."""
        self._look()
        self._look_for_listeners()
        self._measuring = False

    def listening(self, listener: Listener) -> Listener:
        """`listener`, with a look now and then as the load goes on."""

        def looking_on(event: Event) -> None:
            if isinstance(event, LoadWentOn | TurnEnded):
                alone = isinstance(event, LoadWentOn)
                if self._measuring:
                    self._stalls.look(event.elapsed_s, event.ticks, alone)
                if time.monotonic() >= self._next_s:
                    self._look()
                    if self._measuring and alone:
                        self._stalls.look_for_stopped()
                # With a pace of its own: it reads each of the server's connections, which may be
                # thousands, and would put the other looks off to the end of the load.
                if self._measuring and time.monotonic() >= self._next_listeners_s:
                    self._look_for_listeners()
            listener(event)

        return looking_on

    def _look(self) -> None:
        before = time.thread_time()
        family = self._server.process.family
        alive = family.alive()
        self._deprived.look(alive)
        if self._counting:
            for pid in family.adopted():
                self.observer.join("server", pid)
        if self._measuring:
            self._conduct |= conduct_of(alive, self._plan.placement.server)
            for service in self._services:
                # A server that runs as the same user may move them to more cores than rivals have.
                self._moved[service.name] |= conduct_of(
                    service.process.family.alive(), self._plan.placement.services, service.urgent
                )
            self._unseen.look(alive)
            self._hidden = self._hidden or first_hidden_process(alive)
        self._next_s = _next_s(before)

    def _look_for_listeners(self) -> None:
        before = time.thread_time()
        self._foreign = self._foreign or foreign_listener(self._plan, self._server)
        self._next_listeners_s = _next_s(before)

    def flags(self, measured: Measurement) -> list[FlagRecord]:
        """What the server took that is not its own, and whether it stood still; `NOT_RANKED` names
        the codes that forbid to rank."""
        # First what was done to it, from which the rest may follow.
        flags = self._deprived.flags() + beyond_its_cores(measured)
        for name, conduct in self._moved.items():
            flags += of_service(name, conduct, self._plan.placement.services)
        if self._conduct.cores:
            given = cpus_text(self._plan.placement.server)
            flags.append(
                FlagRecord(
                    code="left-its-cores",
                    message=f"its threads may run on CPU {cpus_text(self._conduct.cores)}, but it "
                    f"was given {given}: do not change the affinity",
                )
            )
        if self._conduct.priority:
            flags.append(
                FlagRecord(
                    code="raised-priority",
                    message=f"{self._conduct.priority}: do not change priorities",
                )
            )
        if self._hidden is not None:
            flags.append(hidden_process_flag(self._hidden))
        flags += self._unseen.flags(measured)
        return flags + self._listeners() + self._stalls.flags(measured, self._plan.load)

    def _listeners(self) -> list[FlagRecord]:
        server = self._server
        pids, port = server.process.family.alive(), server.port
        foreign = self._foreign or foreign_listener(self._plan, server)
        found = [foreign] if foreign else []
        if on_all_addresses(pids, port):
            found.append(
                FlagRecord(
                    code="on-all-addresses",
                    message="it listens on all addresses, so others on the network can reach it; "
                    f"bind it to $HOST ({server.address})",
                )
            )
        return found


def _next_s(began_s: float) -> float:
    """When to look again, by `time.monotonic`, after a look that began at `began_s` of this
    thread's CPU time."""
    return time.monotonic() + max(EVERY_S, (time.thread_time() - began_s) / SHARE)


def of_service(name: str, conduct: Conduct, cores: Sequence[int]) -> list[FlagRecord]:
    """What the service `name`, which may use `cores`, was made to take beyond them."""
    flags = []
    if conduct.cores:
        flags.append(
            FlagRecord(
                code="left-its-cores",
                message=f"threads of {name} may run on CPU {cpus_text(conduct.cores)}, but it was "
                f"given {cpus_text(cores)}: leave its affinity alone",
            )
        )
    if conduct.priority:
        flags.append(
            FlagRecord(
                code="raised-priority",
                message=f"{name}: {conduct.priority}: leave its priority alone",
            )
        )
    return flags


def beyond_its_cores(measured: Measurement) -> list[FlagRecord]:
    """That the server used more CPU time than its cores had while it was watched."""
    used, generator = measured.cpu["server"], measured.generator
    # Who watches may be late to stop, when the machine is busy.
    watched_s = max(measured.elapsed_s, generator.watched_s or 0.0)
    spent_s, had_s = used.user_s + used.system_s, used.cores * watched_s
    if not generator.watched_exactly or spent_s <= MORE_THAN_ALL * had_s + TICKS_S:
        return []
    return [
        FlagRecord(
            code="more-than-its-cores",
            message=f"it used {spent_s / had_s:.0%} of its cores' time: it also ran on others",
        )
    ]
