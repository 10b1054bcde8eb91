"""From trials to verdicts."""

from __future__ import annotations

from webdyno.catalog.study import StudyManifest
from webdyno.store.records import TrialRecord, VerdictRecord


def judge(study: StudyManifest, trials: list[TrialRecord]) -> list[VerdictRecord]:
    return []


def settled(verdicts: list[VerdictRecord]) -> bool:
    return False
