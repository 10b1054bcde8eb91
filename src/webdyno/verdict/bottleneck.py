"""What limited a trial: the busiest role, the load itself, or waiting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BUSY = 0.90
"""A role that uses 90% of what it was given is its limit: schedulers rarely give away the rest."""
GENERATOR_BUSY = 0.95
"""The generator polls no more than it must, so a share this high means that it could not go faster."""
NOISY = 0.10
"""Share of the time that the server was ready to run but had no core, above which the machine is
the limit rather than the server."""

Kind = Literal[
    "server-bound", "generator-bound", "service-bound", "offered-load", "waiting", "machine-noise"
]


@dataclass(frozen=True)
class Bottleneck:
    """`kind` in one word, `reason` with the figures behind it."""

    kind: Kind
    reason: str


def bottleneck(
    *,
    server: float,
    generator: float,
    services: float = 0.0,
    open_load: bool = False,
    run_delay: float = 0.0,
    shared_core: bool = False,
) -> Bottleneck:
    """Judge CPU shares (1.0: all cores given were busy) of each role.

    `run_delay` is the server's time spent ready but waiting for a core, as a share of the trial;
    `shared_core` says that server and generator have the same cores, so that neither can reach a
    share of 1 alone and their sum counts.
    """
    if shared_core and server + generator >= BUSY:
        if generator > server:
            return Bottleneck(
                "generator-bound", f"on a shared core the generator used {generator:.0%}"
            )
        return Bottleneck("server-bound", f"on a shared core the server used {server:.0%}")
    if open_load and max(server, generator, services) < BUSY:
        return Bottleneck("offered-load", f"the server used {server:.0%} of its cores")
    if server >= BUSY:
        return Bottleneck("server-bound", f"the server used {server:.0%} of its cores")
    if generator >= GENERATOR_BUSY:
        return Bottleneck("generator-bound", f"the generator used {generator:.0%} of its cores")
    if services >= BUSY:
        return Bottleneck("service-bound", f"a service used {services:.0%} of its cores")
    if server + run_delay >= BUSY and run_delay >= NOISY:
        return Bottleneck(
            "machine-noise", f"the server ran {server:.0%} and waited {run_delay:.0%} for a core"
        )
    return Bottleneck(
        "waiting", f"nobody was busy: server {server:.0%}, generator {generator:.0%}"
    )
