"""What the fault tests share: a folder for content, from which nothing may live on."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.brief_noise import brief_noise
from support.quiet import first_in_line
from webdyno.runtime.proc import descendants, is_zombie

__all__ = ["brief_noise"]


@pytest.fixture
def content(tmp_path: Path) -> Iterator[Path]:
    """A content folder; nothing that was started from it lives on."""
    before = set(descendants(os.getpid()))
    with first_in_line():
        yield tmp_path
    left = [pid for pid in set(descendants(os.getpid())) - before if not is_zombie(pid)]
    assert not left, "a process was left behind"
