"""Results in a database: every finished trial is stored before the next one starts."""

from webdyno.store.records import Measurement, RunRecord, TrialRecord
from webdyno.store.store import Store
from webdyno.store.verdicts import VerdictRecord

__all__ = ["Measurement", "RunRecord", "Store", "TrialRecord", "VerdictRecord"]
