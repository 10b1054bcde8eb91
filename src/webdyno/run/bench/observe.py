"""Which machine a run ran on, and what it ran: stored with it, so that it can be judged later."""

from __future__ import annotations

import platform

from webdyno import __version__
from webdyno.runtime.machine.facts import MachineFacts, fingerprint
from webdyno.runtime.machine.noise import measure_noise

NOISE_S = 1.5
"""How long a run looks at the machine's noise before it begins; `doctor` looks for longer."""


def machine(noise: bool = True) -> MachineFacts:
    """The machine's description, with its `noise` measured or left out."""
    return fingerprint(measure_noise(NOISE_S) if noise else None)


def versions() -> dict[str, str]:
    """Versions of what every run uses."""
    return {
        "webdyno": __version__,
        "python": platform.python_version(),
        "kernel": platform.release(),
    }
