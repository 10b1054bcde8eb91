"""`hit --agents`: one URL of a cluster's machine, loaded by several of the others."""

from __future__ import annotations

import socket

from webdyno.cluster.agents.cluster import Agents, connected
from webdyno.cluster.load.link_rates import try_links, try_target
from webdyno.cluster.load.one_load import AgentsLost, OneLoad, WatchEach
from webdyno.cluster.load.outcome import LoadOutcome, outcome
from webdyno.cluster.machines import machines_toml
from webdyno.cluster.machines.membership import Membership
from webdyno.cluster.machines.nodes import Node
from webdyno.cluster.machines.reach import Reach
from webdyno.cluster.machines.roles import same_versions
from webdyno.errors import UserError
from webdyno.generators.specification import LoadSpec, TargetSpec


def hit_many(member: Membership, spec: LoadSpec, count: int, watch: WatchEach) -> LoadOutcome:
    """Make the load of `spec` from `count` agents. Raises `UserError`."""
    placement = machines_toml.found(None)
    reach = Reach(member)
    with connected(member) as cluster:
        nodes = cluster.nodes()
        server = server_of(spec.target, nodes)
        chosen = generators(nodes, count, placement, server)
        same_versions({node.address: reach.facts(node.address) for node in chosen})
        agents = cluster.agents(chosen)
        try:
            return _make_load(agents, reach, spec, server, member, watch)
        finally:
            agents.end()


def _make_load(
    agents: Agents,
    reach: Reach,
    spec: LoadSpec,
    server: str,
    member: Membership,
    watch: WatchEach,
) -> LoadOutcome:
    try_target(agents, spec.target)
    clocks = reach.clocks(agents.addresses)
    tried = try_links(agents, server, member.keeper_port, clocks)
    try:
        made = OneLoad(agents, reach, spec, server, member.keeper_port).make(watch)
    except AgentsLost as lost:
        return LoadOutcome(None, server, [], lost.faults)
    return outcome(made, tried, server)


def server_of(target: TargetSpec, nodes: list[Node]) -> str:
    """The cluster's machine that a URL leads to. Raises `UserError` where it leads elsewhere."""
    try:
        entries = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise UserError(f"'{target.host}' has no address ({error}); check the URL") from None
    addresses = list(dict.fromkeys(str(entry[4][0]) for entry in entries))
    known = [node.address for node in nodes]
    if strange := [address for address in addresses if address not in known]:
        raise UserError(
            f"'{target.host}' is {strange[0]}, which is not a machine of this cluster "
            f"({', '.join(known)}), and agents load only those; run `webdyno machines join` there"
        )
    return addresses[0]


def generators(
    nodes: list[Node], count: int, placement: machines_toml.Machines | None, server: str
) -> list[Node]:
    """The machines that make the load: by `placement`, or the first by address, the server's own
    left out as long as there are enough. Raises `UserError` where they are too few."""
    able = {node.address: node for node in nodes if "generator" in node.roles}
    if placement is not None:
        wanted = placement.with_role("generator")[:count]
        if missing := [address for address in wanted if address not in able]:
            raise UserError(
                f"{machines_toml.NAME}: {missing[0]} is not in the cluster as a generator; run "
                "`webdyno machines join` there, or change the file"
            )
        chosen = [able[address] for address in wanted]
    else:
        others = sorted(able.values(), key=lambda node: node.address == server)
        chosen = others[:count]
    if len(chosen) < count:
        raise UserError(
            f"--agents {count}: the cluster has {len(chosen)} machines with the role generator; "
            "join more with `webdyno machines join HOST --roles generator`"
        )
    return chosen
