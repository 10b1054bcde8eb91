"""A headless Chromium, the one that is installed; without it these tests are skipped."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def chromium() -> str | None:
    """The path of the installed browser; None if there is none."""
    named = os.environ.get("WEBDYNO_CHROMIUM")
    found = (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))
    return named or next((path for path in found if path), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser that has no network: every name resolves to nothing, and no proxy is asked."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = chromium()
    if path is None:
        pytest.skip("chromium is not installed; install it: apt-get install -y chromium")
    with sync_api.sync_playwright() as playwright:
        offline = ["--host-resolver-rules=MAP * ~NOTFOUND", "--no-proxy-server"]
        started = playwright.chromium.launch(executable_path=path, args=FLAGS + offline)
        yield started
        started.close()
