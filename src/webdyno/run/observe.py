"""Which machine a run ran on, and what it ran: stored with it, so that it can be judged later."""

from __future__ import annotations

from typing import Any

from webdyno import __version__
from webdyno.runtime.machine import fingerprint


def machine() -> dict[str, Any]:
    """The machine's description, as a plain mapping."""
    return fingerprint().model_dump(mode="json")


def versions() -> dict[str, str]:
    """Versions of what every run uses."""
    import platform

    return {
        "webdyno": __version__,
        "python": platform.python_version(),
        "kernel": platform.release(),
    }
