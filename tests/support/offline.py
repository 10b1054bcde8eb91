"""What cannot be fetched here may skip a test. What breaks in any other way has to fail it."""

from __future__ import annotations

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
)
"""What npm, Maven, Go, Cargo and pip say where they reach no package index, in lower case."""


def skip_where_offline(error: Exception) -> None:
    """Skip the test if `error` says that a package index was not reached; return otherwise."""
    if any(sign in str(error).lower() for sign in _SIGNS):
        pytest.skip(f"no package index is reached here: {error}")
