"""The time that a server has: all of it, or what is left of it where the server is frozen now and
then."""

from __future__ import annotations

import time


class AwakeClock:
    """The clock of a server that is never frozen. What a verifier gives a server time for, it
    measures by this one, so that no honest server is late because it stood still."""

    def now(self) -> float:
        """Seconds that the server was awake, from some moment on: `time.monotonic` where it is
        never frozen."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait until the server was awake for so long."""
        time.sleep(seconds)

    def longest_s(self, awake_s: float) -> float:
        """In how many seconds of `time.monotonic`, at most, the server is awake for `awake_s`."""
        return awake_s

    def stood_still(self, since_s: float, until_s: float) -> bool:
        """Whether the server was frozen at any moment between these two of `time.monotonic`."""
        return False


ALWAYS = AwakeClock()
"""Of a server that is never frozen."""
