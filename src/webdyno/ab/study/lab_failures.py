"""Trials that the machine keeps from being made: a comparison of nothing else ends, and says so."""

from __future__ import annotations

from webdyno.ab.study.pairing import Pairing
from webdyno.errors import UserError
from webdyno.report.numbers import counted
from webdyno.run.judgement.lab_failures import LEAST, fails_for_good
from webdyno.store.records import RunRecord, TrialRecord
from webdyno.trial.assessment.of_the_lab import is_of_the_lab

LEAST_OF_ONE = 4
"""Trials of one version alone (two blocks of two loads), where `LEAST` are of all copies (two loads
of each, or two blocks of one)."""


def lab_failures(pair: Pairing, run: RunRecord) -> list[TrialRecord]:
    """The trials of the run, or of one version, where none of them counts since the load generator
    or a service failed in each; else none. Further trials would only fail as well."""
    if len(run.trials) >= LEAST and all(map(is_of_the_lab, run.trials)):
        return run.trials
    for label in pair.labels:
        mine = [one for one in run.trials if one.entry == label]
        if len(mine) >= LEAST_OF_ONE and all(map(fails_for_good, mine)):
            return mine
    return []


def check_lab_failures(pair: Pairing, run: RunRecord) -> None:
    """Raise `UserError` where a run ended because of them."""
    if failed := lab_failures(pair, run):
        last = failed[-1]
        remedy = "mend that" if fails_for_good(last) else "end what else uses this machine's CPUs"
        raise UserError(
            f"{pair.service} could not be measured: {counted(len(failed), 'trial')} failed by "
            "this machine, not by a version, and none counts: "
            f"{last.reason.removesuffix('; measure it again')}; {remedy}, and compare again"
        )
