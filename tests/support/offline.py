"""What cannot be fetched here may skip a test. What breaks in any other way has to fail it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

_SIGNS = (
    "enotfound",
    "eai_again",
    "econnrefused",
    "econnreset",
    "etimedout",
    "unknown host",
    "could not resolve host",
    "could not transfer artifact",
    "name resolution",
    "network is unreachable",
    "no route to host",
    "connection refused",
    "connection timed out",
    "nxdomain",
    "ehostunreach",
    "enetunreach",
)
"""What npm, Maven, Go, Cargo, pip and Mix say where they reach no package index, in lower case."""


def skip_where_offline(error: Exception | str) -> None:
    """Skip the test if `error`, or a build's log, says that a package index was not reached; return
    otherwise."""
    for line in str(error).splitlines():
        if any(sign in line.lower() for sign in _SIGNS):
            pytest.skip(f"no package index is reached here: {line}")


@contextmanager
def fetching(kind: type[Exception]) -> Iterator[None]:
    """Skip the test where an error of this kind says that a package index was not reached."""
    try:
        yield
    except kind as error:
        skip_where_offline(error)
        raise
