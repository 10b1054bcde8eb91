"""What the fault tests share: a folder for content, from which nothing may live on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.brief_noise import brief_noise
from support.left_behind import nothing_left_behind
from support.quiet import first_in_line

__all__ = ["brief_noise"]


@pytest.fixture
def content(tmp_path: Path) -> Iterator[Path]:
    """A content folder; nothing that was started from it lives on."""
    with nothing_left_behind(), first_in_line():
        yield tmp_path
