"""Which machine of a cluster does what in a study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webdyno import __version__
from webdyno.cluster.machines.facts import Facts
from webdyno.cluster.machines.machines_toml import NAME, Machines
from webdyno.cluster.machines.nodes import Node
from webdyno.errors import UserError


@dataclass(frozen=True)
class Roles:
    """Addresses. `service` is empty where the server's machine holds the services."""

    server: str
    generators: tuple[str, ...]
    service: str = ""

    @property
    def all(self) -> list[str]:
        """Every machine, once."""
        named = [self.server, *([self.service] if self.service else []), *self.generators]
        return list(dict.fromkeys(named))

    def record(self) -> dict[str, str | list[str]]:
        """For the run's record."""
        return {
            "server": self.server,
            "service": self.service or self.server,
            "generators": list(self.generators),
        }


def roles_of(nodes: Sequence[Node], placement: Machines | None) -> Roles:
    """By `placement`, or of the machines that have a role the first by address; one that has it
    alone comes before one that has others. Raises `UserError` for a role that nobody has."""

    def having(role: str) -> list[str]:
        able = {node.address: node for node in nodes if role in node.roles}
        if placement is None:
            return sorted(able, key=lambda one: len(able[one].roles))
        wanted = placement.with_role(role)
        if missing := [one for one in wanted if one not in able]:
            raise UserError(
                f"{NAME}: {missing[0]} is not in the cluster as a {role}; run `webdyno machines "
                "join` there, or change the file"
            )
        return wanted

    servers, services = having("server"), having("service")
    if not servers:
        raise _nobody("server")
    server = servers[0]
    generators = [one for one in having("generator") if one != server]
    if not generators:
        raise _nobody("generator")
    service = next((one for one in services if one not in (server, *generators)), "")
    return Roles(server, tuple(generators), service)


def _nobody(role: str) -> UserError:
    return UserError(
        f"no machine of the cluster has the role {role}; join one with "
        f"`webdyno machines join HOST --roles {role}`"
    )


def same_versions(facts: Mapping[str, Facts]) -> None:
    """Raise `UserError` where a machine has another Webdyno than this one."""
    for address, machine_facts in facts.items():
        if machine_facts.webdyno != __version__:
            raise UserError(
                f"{address} has Webdyno {machine_facts.webdyno}, this machine {__version__}; "
                "install the same version"
            )
