"""A database that ends at its start: its own words, and what helps."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from webdyno.runtime.services.base import ServiceError, await_ready

STAMP = "2026-12-01 00:48:31.391 UTC [11061] "


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            'FATAL:  could not resize shared memory segment "/PostgreSQL.1" to 66976 bytes: No '
            "space left on device",
            "device; make /dev/shm writable and give it more room (in a container: --shm-size=1g)",
        ),
        ("FATAL:  could not create lock file", "start: FATAL:  could not create lock file"),
    ],
)
def test_the_first_fault_is_told_without_its_stamp(tmp_path: Path, line: str, told: str) -> None:
    process: Any = SimpleNamespace(
        name="postgresql",
        exit_code=lambda: 1,
        log_tail=lambda: f"{STAMP}LOG:  starting\n{STAMP}{line}\n{STAMP}LOG:  shut down",
        stop=lambda grace_s: None,
    )
    with pytest.raises(ServiceError) as caught:
        await_ready(process, tmp_path / "none", lambda: False)
    assert str(caught.value).startswith("postgresql exited during its start: FATAL:  could not ")
    assert str(caught.value).endswith(told)
