"""A PostgreSQL for the tests of a file, and its users."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.services import postgresql
from webdyno.runtime.services import RunningService

Env = dict[str, str]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningService]:
    service = postgresql(tmp_path_factory.mktemp("services"))
    yield service
    service.stop()


@pytest.fixture
def env(service: RunningService) -> Env:
    """As a server reaches it."""
    return service.env


@pytest.fixture
def owner(service: RunningService) -> Env:
    """As a verifier reaches it."""
    return service.as_owner
