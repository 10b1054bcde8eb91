"""What a trial is told: everything about it that is settled before it starts."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from webdyno.catalog.catalog import ServerVariant
from webdyno.catalog.loads.load import Load
from webdyno.catalog.loads.warm_up import Bounds
from webdyno.catalog.scenarios.scenario import Scenario
from webdyno.runtime.builds.build import Build
from webdyno.runtime.machine.placement import Placement
from webdyno.runtime.machine.share import Share
from webdyno.store.records import entry_label
from webdyno.store.trial import jtl_name
from webdyno.trial.site import THIS_MACHINE, Site


@dataclass(frozen=True)
class TrialPlan:
    """One server under one scenario and load, in one place of one block."""

    run_id: str
    index: int
    block: int
    order: int
    server_variant: ServerVariant
    control: bool
    build: Build
    scenario: Scenario
    load: Load
    placement: Placement
    warmup: Bounds
    seed: int
    """Of what its load draws: one that no server can know."""
    run_folder: Path
    temporary: Path
    title: str = ""
    """How the record names the scenario; its own name if empty."""
    parameters: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    share: Share = field(default_factory=Share)
    """What the server may use beyond its cores: a quota and memory."""
    sources: dict[str, str] = field(default_factory=dict)
    only_proof: bool = False
    """Whether it is made for what it proves alone: state moves under a load as published, too."""
    restarted: bool = False
    """Whether an earlier trial has shown what takes further starts of the server, and this one need
    not."""
    reconciled: bool = False
    """Whether an earlier trial has waited until the counters of services were whole, and this one
    need not."""

    log_of: Path | None = None
    """The log of the trial whose start it shares; None where it has its own."""
    site: Site = THIS_MACHINE

    def settled(self) -> TrialPlan:
        """With what the load leaves open filled in, by the cores of both roles."""
        where = self.placement
        return replace(self, load=self.load.settled(where.generator_threads, len(where.server)))

    @property
    def server_cores(self) -> float:
        """How many cores the server can use: those of its placement, or a smaller quota."""
        return min(float(len(self.placement.server)), self.share.cpus or math.inf)

    @property
    def services(self) -> list[str]:
        """What must run beside the server."""
        return self.scenario.manifest.services

    @property
    def entry(self) -> str:
        """How views and verdicts name the server."""
        return entry_label(self.server_variant.server.id, self.server_variant.variant, self.control)

    @property
    def jtl(self) -> Path:
        """Where the requests are written one by one, where the load is recorded."""
        return self.run_folder / "jtl" / jtl_name(self._stem, self.load.label())

    @property
    def log(self) -> Path:
        """Where the server's output goes."""
        if self.log_of is not None:
            return self.log_of
        return self.run_folder / "logs" / f"{self._stem}.log"

    @property
    def _stem(self) -> str:
        name = self.server_variant.label.replace("/", "-").replace("@", "-")
        return f"{self.index:04d}-{name}-{self.scenario.id}"
