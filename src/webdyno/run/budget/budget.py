"""The time budget: what has been spent, and whether the next block still fits."""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass
class Budget:
    """Seconds for the trials of a run. `spent_before` is what a resumed run had used."""

    seconds: float
    spent_before: float = 0.0
    _started: float = field(default_factory=time.monotonic)

    def spent(self) -> float:
        """Seconds used so far."""
        return self.spent_before + time.monotonic() - self._started

    def left(self) -> float:
        """Seconds left; negative once overrun."""
        return self.seconds - self.spent()

    def fits(self, expected_s: float) -> bool:
        """True where something of that length can still be done."""
        return self.left() >= expected_s
