"""What the steps of a trial may take, in seconds, and how each is called where it takes longer.

The slowest honest ones take seconds; only a large table that is loaded for the first time takes
minutes. The start has a limit of its own (`starting.awaiting.START_TIMEOUT_S`), warm-up and load
end by the clock, and every stop ends with SIGKILL.
"""

from __future__ import annotations

SERVICES = (180.0, "the start of its services")
PREPARE = (1800.0, "the preparation")
VERIFY = (300.0, "the verification")
RESTART = (600.0, "the verification by restarts")
WARM = (120.0, "the verifier's look before the warm-up")
SETTLE = (120.0, "the check before the load")
AUDIT = (600.0, "the audit")
