"""Tests that need programs of a language."""

from __future__ import annotations

import pytest

from webdyno.runtime.toolchains import find


def needs(*specs: str) -> pytest.MarkDecorator:
    """Skips a test where one of these programs, such as "java >= 17", is not installed."""
    missing = [spec for spec in specs if not find(spec).ok]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")
