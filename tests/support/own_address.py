"""An address of this machine that is none of loopback."""

from __future__ import annotations

import socket

import pytest


def own_address() -> str:
    """That from which other machines are reached; the test is left out where there is none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(("192.0.2.1", 9))  # Nothing is sent.
        except OSError:
            pytest.skip("this machine has no network")
        return str(asking.getsockname()[0])
