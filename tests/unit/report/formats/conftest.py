"""The HTML report of the small run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.html_page import Page
from webdyno.report.formats.html import render_html

if TYPE_CHECKING:
    from webdyno.store.records import RunRecord


@pytest.fixture(scope="session")
def html(run: RunRecord) -> str:
    """The page of the small run."""
    return render_html(run)


@pytest.fixture(scope="session")
def page(html: str) -> Page:
    """The same, parsed."""
    return Page(html)
