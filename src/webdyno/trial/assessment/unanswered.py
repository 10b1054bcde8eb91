"""Whether a trial failed by answers that did not come in time, which may be the machine's doing."""

from __future__ import annotations

from webdyno.store.counts import RequestCounts
from webdyno.store.records import TrialRecord
from webdyno.trial.assessment.assess import never_answered
from webdyno.trial.watching.stalls import AWAY
from webdyno.verdict.integrity import FAILED_KINDS
from webdyno.verifier.probe import NOT_IN_TIME


def is_unanswered(trial: TrialRecord) -> bool:
    """Whether nothing is held against a failed trial but answers that did not come in time.

    On a machine that other programs starve, one of thousands may come too late, or all of a moment;
    only when it is asked again does it show whether the server answers. One that died, or closed a
    connection, is none of these: its end is among its evidence.
    """
    if trial.status != "failed" or trial.lie:
        return False
    if any(flag.code == AWAY and flag.message == trial.reason for flag in trial.flags):
        return True
    counts = trial.measurement.counts if trial.measurement else RequestCounts()
    late, failed = counts.timed_out, counts.of(FAILED_KINDS)
    # The reason may be another one, such as that the server died.
    if failed and not (failed <= late and trial.reason.startswith(never_answered(counts))):
        return False
    unproven = [one for one in trial.evidence if not one.ok]
    return bool(late or unproven) and all(NOT_IN_TIME in one.detail for one in unproven)
