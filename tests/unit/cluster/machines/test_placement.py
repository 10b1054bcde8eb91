"""Which machine does what: the file, and the choice where there is none."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from webdyno.catalog.reading.manifest import parse_manifest, read_manifest
from webdyno.cluster.load.hit import generators, server_of
from webdyno.cluster.machines import machines_toml
from webdyno.cluster.machines.machines_toml import Machines
from webdyno.cluster.machines.nodes import Node
from webdyno.errors import UserError
from webdyno.generators.specification import TargetSpec

NODES = [
    Node("10.0.0.1", ("server", "generator"), "1"),
    Node("10.0.0.2", ("generator",), "2"),
    Node("10.0.0.3", ("generator",), "3"),
]


def placement(*generating: str) -> Machines:
    rows = [(address, ("generator",)) for address in generating]
    text = machines_toml.text("10.0.0.1", 7411, rows)
    return parse_manifest(tomllib.loads(text), Machines, "machines.toml")


def test_the_servers_own_machine_makes_load_only_where_others_are_too_few() -> None:
    chosen = generators(NODES, 2, None, "10.0.0.1")
    assert [node.address for node in chosen] == ["10.0.0.2", "10.0.0.3"]
    chosen = generators(NODES, 3, None, "10.0.0.1")
    assert [node.address for node in chosen] == ["10.0.0.2", "10.0.0.3", "10.0.0.1"]
    with pytest.raises(UserError, match="the cluster has 3 machines"):
        generators(NODES, 4, None, "10.0.0.1")


def test_the_file_decides_where_there_is_one() -> None:
    chosen = generators(NODES, 2, placement("10.0.0.3", "10.0.0.1"), "10.0.0.1")
    assert [node.address for node in chosen] == ["10.0.0.3", "10.0.0.1"]
    with pytest.raises(UserError, match=r"10\.0\.0\.8 is not in the cluster"):
        generators(NODES, 1, placement("10.0.0.8"), "10.0.0.1")


def test_a_load_goes_to_a_machine_of_the_cluster() -> None:
    assert server_of(TargetSpec(host="10.0.0.1", port=80), NODES) == "10.0.0.1"
    for host in ("10.0.0.7", "127.0.0.1"):
        with pytest.raises(UserError, match="not a machine of this cluster"):
            server_of(TargetSpec(host=host, port=80), NODES)


def test_a_file_says_again_what_was_written(tmp_path: Path) -> None:
    file = tmp_path / "machines.toml"
    rows = [("10.0.0.1", ("server",)), ("10.0.0.2", ("service", "generator"))]
    file.write_text(machines_toml.text("10.0.0.1", 7500, rows))
    found = read_manifest(file, Machines)
    assert (found.head.address, found.head.port) == ("10.0.0.1", 7500)
    assert found.roles_of("10.0.0.2") == ("service", "generator")
    assert found.roles_of("10.0.0.3") is None
    assert machines_toml.found(file) == found


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('address = "127.0.0.1"', "is not an address at which"),
        ('address = "0.0.0.0"', "is not an address at which"),
        ('address = "here"', "not an IPv4 address"),
        ('address = "10.0.0.1"\nroles = ["client"]', "roles"),
        ('address = "10.0.0.1"\nrole = "server"', "did you mean 'roles'"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(tmp_path: Path, line: str, said: str) -> None:
    roles = "" if "role" in line else '\nroles = ["server"]'
    file = tmp_path / "machines.toml"
    file.write_text(f'[head]\naddress = "10.0.0.1"\n[[machine]]\n{line}{roles}\n')
    with pytest.raises(UserError, match=r"machines\.toml") as refusal:
        read_manifest(file, Machines)
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_machine_is_listed_once() -> None:
    with pytest.raises(UserError, match="is listed twice"):
        placement("10.0.0.2", "10.0.0.2")
