"""What a trial showed of who was busy, by which its limit is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class LimitEvidence:
    """What a trial showed of who was busy; None where that is not known.

    Shares are CPU seconds per wall second and core given to the role: 1.0 is all of it.
    """

    server_cpu_share: float
    """Of the cores it was given."""
    server_cores: float = 1.0
    """How many the server was given: cores, or a quota of them."""
    sharing: Mapping[str, float] = field(default_factory=dict)
    """Of each role on the server's cores, where services or the generator have them, too: `server`,
    `generator` and the services by name, as shares of the same cores, which none of them can fill
    alone."""
    placed_cores: float | None = None
    """How many it runs on, where a quota gives it less than these; else those it was given."""
    paused_share: float | None = None
    """Part of the periods of a quota around all of the trial in which it was used up."""
    server_cores_used: float | None = None
    """CPU seconds per second."""
    busiest_thread_share: float | None = None
    """CPU of the server's busiest thread, of one core: a server of one thread on four cores is full
    at a share of 0.25."""
    ready_thread_share: float | None = None
    """Part of the time that one of its threads ran or waited for a core, at most."""
    run_delay_share: float | None = None
    """Time the server was ready to run but waited, per second and core; that of the services on its
    cores as well."""
    foreign_cpu_share: float | None = None
    """Part of the server's cores used by anything outside the trial, stolen time included. Others'
    work is no disturbance while the server does not want the core: noise is where it was ready as
    well, so that running and waiting for a core (`run_delay_share`) make up its time."""
    generator_cpu_share: float
    """Of its busiest thread, which limits its own connections whatever the mean is; of all of them
    where they are not told apart."""
    generator_threads: int = 1
    generator_by_thread: bool = True
    """Whether `generator_cpu_share` is of one thread."""
    generator_late: bool = False
    """Whether it sent requests late though connections were free."""
    stolen_cpu_share: float | None = None
    """Part of the server's cores that the host of a virtual machine took: of `foreign_cpu_share`,
    where that is known. Nobody can wait for it in a queue: a program whose core is taken away goes
    on as if it ran, so that `run_delay_share` does not hold it."""
    generator_foreign_share: float | None = None
    """As `foreign_cpu_share`, of the generator's cores."""
    generator_stolen_share: float | None = None
    """As `stolen_cpu_share`, of the generator's cores."""
    services: Mapping[str, float] = field(default_factory=dict)
    """Of each service, where they have cores of their own: shares of the same ones."""
    service_threads: Mapping[str, float] = field(default_factory=dict)
    """CPU of the busiest thread of each service, of one core."""
    connections: int | None = None
    """Of a load in which each sends its next request when the last one is answered."""
    idle_share: float | None = None
    """That of `integrity`; closed load only."""
    achieved: float | None = None
    """Answered in time / asked for (see `in_time`); None for a closed load."""
    by_the_clock: bool = False
    """Whether requests arrive on a schedule, at random intervals: then they queue before the server
    is full."""

    @property
    def cores(self) -> float:
        """How many the server runs on."""
        return self.placed_cores or self.server_cores

    @property
    def ran_share(self) -> float:
        """CPU of the server and of all that share its cores, of these."""
        return sum(self.sharing.values()) or self.server_cpu_share * self.server_cores / self.cores
