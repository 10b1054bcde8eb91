"""Results in a database: every finished trial is stored before the next one starts."""

from webdyno.store.records import (
    Measurement,
    RunRecord,
    TrialRecord,
    VerdictRecord,
)
from webdyno.store.store import Store

__all__ = ["Measurement", "RunRecord", "Store", "TrialRecord", "VerdictRecord"]
