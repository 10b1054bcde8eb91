"""What a machine of a cluster is and has, as it tells the others."""

from __future__ import annotations

import platform
import socket
from importlib import metadata
from typing import Annotated

from pydantic import Field

from webdyno import __version__
from webdyno.cluster.link.counters import LinkFacts, interface_of, link_facts
from webdyno.cluster.machines.machines_toml import Role
from webdyno.cluster.machines.membership import Membership
from webdyno.cluster.wire.messages import BoundedText, WireMessage
from webdyno.runtime.machine.facts import MachineFacts, fingerprint
from webdyno.runtime.machine.place import load_cores
from webdyno.runtime.programs import programs
from webdyno.runtime.toolchains import located


class Facts(WireMessage, use_attribute_docstrings=True):
    """A machine's facts."""

    address: BoundedText
    """By which the others reach it."""
    roles: tuple[Role, ...]
    """What it does in the cluster."""
    host: BoundedText
    """Its host name."""
    machine: MachineFacts
    """Its hardware and system."""
    load_cores: Annotated[int, Field(ge=1, le=100_000)]
    """How many threads of load can run there at once."""
    link: LinkFacts
    """Its network interface."""
    webdyno: BoundedText
    """Version of Webdyno."""
    python: BoundedText
    """Version of Python."""
    ray: BoundedText
    """Version of Ray; empty where it is not installed."""
    ray_address: BoundedText = ""
    """Where a Ray listens that somebody else has started; else empty."""
    programs: Annotated[list[BoundedText], Field(max_length=1_000)]
    """Programs that are installed there."""


def facts_of_this(member: Membership) -> Facts:
    """This machine's facts. Takes some milliseconds."""
    return Facts(
        address=member.address,
        roles=member.roles,
        host=socket.gethostname(),
        machine=fingerprint(),
        load_cores=load_cores(),
        link=link_facts(interface_of(member.address)),
        webdyno=__version__,
        python=platform.python_version(),
        ray=_ray_version(),
        ray_address=member.ray,
        programs=[name for name, program in programs().items() if located(program)],
    )


def _ray_version() -> str:
    try:
        return metadata.version("ray")
    except metadata.PackageNotFoundError:
        return ""
