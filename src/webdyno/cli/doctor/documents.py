"""What `doctor --json` prints; its schema is schemas/doctor.schema.json, made from these classes.

With --generators and --machines it prints other documents, which stand beside what makes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from webdyno.cli.doctor.needs import Need
from webdyno.run.budget.forecast import Forecast
from webdyno.runtime.confinement.confine import ConfinementMeans, means
from webdyno.runtime.confinement.protection import Protection, protection
from webdyno.runtime.machine.advice import machine_limits, noise_causes, noise_meaning
from webdyno.runtime.machine.facts import MachineFacts
from webdyno.runtime.machine.place import place
from webdyno.runtime.machine.placement_advice import cautions
from webdyno.runtime.machine.topology import Core
from webdyno.store.document import Document
from webdyno.store.record import Count, Record


class TopologyTold(Record):
    """The processor as the kernel describes it."""

    text: str
    """In words."""
    cores: list[Core]
    """Physical cores of which at least one thread may be used."""


class PlacementTold(Record):
    """Which CPUs each role of a run would get. CPUs are numbered as the kernel does."""

    text: str
    """In words."""
    server: list[Count]
    """CPUs of the server."""
    generator: list[Count]
    """CPUs of the load generator."""
    generator_threads: Count
    """Of the load generator, at most."""
    services: list[Count]
    """CPUs of services, such as databases, in scenarios that have them."""
    observer: Count | None
    """The CPU from which processes are watched."""
    cautions: list[str]
    """What casts doubt on it, each with its remedy."""


class ProgramTold(Record):
    """A program that servers need, or that is of use beside."""

    spec: str
    """What is asked for, such as `node >= 20`."""
    name: str
    """Of the program."""
    minimum: str
    """The oldest version that will do; empty where any does."""
    found_version: str | None
    """None where it is missing, or does not tell."""
    path: str | None
    """None where it is missing."""
    ok: bool
    """Whether what is there will do."""
    install_hint: str
    """How to install it; empty where that is not needed."""
    lacks: list[str]
    """Extensions that were asked for and are not there."""
    silent: bool
    """Whether it is there, but did not tell its version in time."""
    extensions: dict[str, str]
    """Versions of the extensions that were asked for, as far as it tells them."""
    needed_by: list[str]
    """Servers that cannot be built without it."""
    optional: bool
    """Whether no server needs it."""

    @classmethod
    def of(cls, need: Need) -> ProgramTold:
        """Of a need."""
        found = asdict(need.toolchain) | {"lacks": list(need.toolchain.lacks)}
        return cls(spec=need.spec, **found, needed_by=need.needed_by, optional=need.optional)


class OutOfReach(Record):
    """Servers whose packages cannot be fetched."""

    reason: str
    """Why not, in a line."""
    servers: list[str]
    """LANGUAGE/NAME."""


class DoctorDocument(Document):
    """What is installed, what is missing, and how noisy this machine is."""

    protection: Protection
    """What keeps servers from Webdyno and from each other."""
    topology: TopologyTold
    """Its processor."""
    placement: PlacementTold
    """Which CPUs the roles of a run would get."""
    programs: list[ProgramTold]
    """What servers need, and what is of use beside."""
    packages_out_of_reach: list[OutOfReach]
    """Servers that runs leave out for it."""
    machine: MachineFacts
    """What it is, and its noise where that was measured."""
    limits: list[str]
    """What limits the machine for measurements, each with its remedy."""
    limits_held_by: ConfinementMeans
    """What holds a server to its CPUs and its memory."""
    noise_meaning: str | None
    """What the noise means for measurements; null where it was not measured."""
    noise_causes: list[str]
    """Why the machine is noisy, each with its remedy."""
    resolution: Forecast | None
    """What can be told apart in how many minutes; null where noise was not measured."""

    @classmethod
    def of(
        cls,
        needs: list[Need],
        unfetched: Mapping[str, list[str]],
        machine: MachineFacts,
        foretold: Forecast | None,
    ) -> DoctorDocument:
        """Of what was found; `unfetched` are servers by the reason."""
        noise, placement = machine.noise, place()
        return cls(
            protection=protection(),
            topology=TopologyTold(
                text=placement.machine.describe(), cores=list(placement.machine.cores)
            ),
            placement=PlacementTold(
                text=placement.describe(),
                server=sorted(placement.server),
                generator=sorted(placement.generator),
                generator_threads=placement.generator_threads,
                services=sorted(place(with_services=True).services),
                observer=placement.observer,
                cautions=cautions(placement),
            ),
            programs=[ProgramTold.of(need) for need in needs],
            packages_out_of_reach=[
                OutOfReach(reason=reason, servers=names) for reason, names in unfetched.items()
            ],
            machine=machine,
            limits=machine_limits(machine),
            limits_held_by=means(),
            noise_meaning=noise_meaning(noise) if noise else None,
            noise_causes=noise_causes(noise, machine) if noise else [],
            resolution=foretold,
        )
