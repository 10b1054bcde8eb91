"""Messages about machines that cannot be reached name the address and port that were given."""

from __future__ import annotations

import socket

import pytest

from webdyno.cluster.keeper.lifeline import grasp
from webdyno.cluster.keeper.listener import KeeperListener
from webdyno.cluster.machines.membership import Membership
from webdyno.errors import UserError


def listener(address: str, port: int) -> KeeperListener:
    return KeeperListener(address, port, "secret", dict, head=True)


def test_the_port_of_join_is_the_one_that_was_given() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    # Nothing listens there any more.
    member = Membership("127.0.0.1", "127.0.0.1", port - 1, ("generator",), "")
    with pytest.raises(UserError, match=rf"no cluster answers at 127\.0\.0\.1:{port - 1} \("):
        grasp(member, "secret")


def test_an_address_of_another_machine_is_told_without_a_port() -> None:
    with pytest.raises(UserError) as caught:
        listener("192.0.2.7", 7412)
    said = "192.0.2.7 is not an address of this machine; give one of its own with --address"
    assert str(caught.value) == said


def test_a_port_that_is_taken_is_told_as_one_of_the_range() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UserError, match=rf"127\.0\.0\.1: port {port}, one of the 60 .*--port"):
            listener("127.0.0.1", port)
