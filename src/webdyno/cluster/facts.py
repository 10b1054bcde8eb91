"""What a machine of a cluster is and has, as it tells the others."""

from __future__ import annotations

import platform
import socket
from importlib import metadata
from typing import Any

from webdyno import __version__
from webdyno.cluster.counters import interface_of, link_facts
from webdyno.cluster.membership import Membership
from webdyno.runtime.machine.facts import fingerprint
from webdyno.runtime.programs import programs
from webdyno.runtime.toolchains import located


def facts_of_this(member: Membership) -> dict[str, Any]:
    """This machine's facts. Takes some milliseconds."""
    return {
        "address": member.address,
        "roles": list(member.roles),
        "host": socket.gethostname(),
        "machine": fingerprint().model_dump(mode="json"),
        "link": link_facts(interface_of(member.address)),
        "webdyno": __version__,
        "python": platform.python_version(),
        "ray": _ray_version(),
        "ray_address": member.ray,
        "programs": [name for name, program in programs().items() if located(program)],
    }


def _ray_version() -> str:
    try:
        return metadata.version("ray")
    except metadata.PackageNotFoundError:
        return ""
