"""Services for tests: the laboratory's own, or a skipped test where a program is not installed."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from webdyno.runtime.home import Home
from webdyno.runtime.services import RunningService, ServiceMissing, start_service


def make_traversable(folder: Path) -> None:
    """Let others reach `folder`: a database drops to an unprivileged user where we are root, and
    pytest's folders are private."""
    for private in [folder, *folder.parents]:
        if private.stat().st_mode & 0o011 == 0:
            private.chmod(private.stat().st_mode | 0o011)


def postgresql(
    folder: Path, cache: Path | None = None, *, all_rights: bool = False
) -> RunningService:
    """A PostgreSQL with its data below `folder`, copied from an empty cluster in `cache`, or in
    the cache of all runs."""
    make_traversable(folder)
    try:
        return start_service(
            "postgresql",
            folder / "postgresql",
            cache or Home.default().cache,
            (),
            folder / "postgresql.log",
            all_rights=all_rights,
        )
    except ServiceMissing as missing:
        pytest.skip(str(missing))


def wait_until(condition: Callable[[], bool]) -> None:
    """Return once `condition` holds; fails after 30 s."""
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)
