"""Which machine a run ran on, and what it ran: stored with it, so that it can be judged later."""

from __future__ import annotations

import platform
from typing import Any

from webdyno import __version__
from webdyno.runtime.machine.facts import fingerprint
from webdyno.runtime.machine.noise import measure_noise

NOISE_S = 1.5
"""How long a run looks at the machine's noise before it begins; `doctor` looks for longer."""


def machine(noise: bool = True) -> dict[str, Any]:
    """The machine's description as a plain mapping, with its `noise` measured or left out."""
    seen = measure_noise(NOISE_S) if noise else None
    return fingerprint(seen).model_dump(mode="json")


def versions() -> dict[str, str]:
    """Versions of what every run uses."""
    return {
        "webdyno": __version__,
        "python": platform.python_version(),
        "kernel": platform.release(),
    }
