"""The turn of a load on which all machines have agreed, by this machine's clock."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

ORDER_S = 0.01
"""So close to the end of a turn nobody is asked how far it is."""


@dataclass
class AgreedTurn:
    """The turn under way, or the next one."""

    seconds: float | None = None
    """How long it is; None where the load takes none."""
    at_s: float = 0.0
    """When it begins, by the monotonic clock."""

    def wait(self, before_s: float) -> None:
        """Wait until so long before it begins."""
        time.sleep(max(0.0, self.at_s - before_s - time.monotonic()))

    def left_s(self) -> float:
        """How long it still lasts; for ever, where the load takes none."""
        if self.seconds is None:
            return math.inf
        return self.at_s + self.seconds - time.monotonic()

    def is_ending(self) -> bool:
        """Whether it ends before an answer could be here: its end is not to be missed."""
        return -ORDER_S / 2 < self.left_s() <= ORDER_S
