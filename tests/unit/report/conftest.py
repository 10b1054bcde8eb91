"""A run to report on."""

import pytest

from support.synthetic_run import build_run
from webdyno.store.records import RunRecord


@pytest.fixture(scope="session")
def run() -> RunRecord:
    """A small but complete run: 8 entries, 2 scenarios, 3 blocks of 3 seconds."""
    return build_run(blocks=3, seconds=3)
