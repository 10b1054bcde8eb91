"""Services for tests: the laboratory's own, or a skipped test where a program is not installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.runtime.services import RunningService, ServiceMissing, start_service


def postgresql(folder: Path) -> RunningService:
    """A PostgreSQL with its data below `folder`."""
    # The database drops to an unprivileged user where we are root; pytest's folders are private.
    for private in [folder, *folder.parents]:
        if private.stat().st_mode & 0o011 == 0:
            private.chmod(private.stat().st_mode | 0o011)
    try:
        return start_service(
            "postgresql", folder / "postgresql", folder / "cache", (), folder / "postgresql.log"
        )
    except ServiceMissing as missing:
        pytest.skip(str(missing))
