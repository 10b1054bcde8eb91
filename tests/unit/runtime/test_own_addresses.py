"""Which addresses are this machine's."""

from __future__ import annotations

import pytest

from support.own_address import own_address
from webdyno.runtime.own_addresses import is_here, reached_by


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "127.9.9.9", "::1", "0.0.0.0", "::", "::ffff:127.0.0.1"]
)
def test_loopback_however_written(address: str) -> None:
    assert is_here(address)


@pytest.mark.parametrize(
    "address",
    [
        "198.51.100.7",
        "255.255.255.255",
        "224.0.0.1",
        "2001:db8::1",
        "::ffff:198.51.100.7",
        "a.name",
    ],
)
def test_others_are_elsewhere(address: str) -> None:
    assert not is_here(address)


def test_an_interface_of_this_machine_is_here() -> None:
    assert is_here(own_address())
    assert is_here(f"::ffff:{own_address()}")


def test_where_a_connection_goes() -> None:
    assert reached_by("0.0.0.0") == "127.0.0.1"
    assert reached_by("::") == "::1"
    assert reached_by("::ffff:127.0.0.1") == "127.0.0.1"
    assert reached_by("198.51.100.7") == "198.51.100.7"
