"""From trials to verdicts: one for each scenario, load and metric of the study."""

from __future__ import annotations

from webdyno.catalog.studies.study import StudyManifest
from webdyno.run.judgement.conditions import Conditions, looks_of
from webdyno.run.judgement.questions import questions_of, statistical_answer
from webdyno.run.judgement.unrankable import still_warming, why_unrankable
from webdyno.run.judgement.verdict_record import verdict_record
from webdyno.store.cell import Place
from webdyno.store.disqualification import disqualifications
from webdyno.store.records import TrialRecord
from webdyno.store.verdicts import VerdictRecord
from webdyno.verdict.sequential.stopping import next_blocks


def judge(
    study: StudyManifest, trials: list[TrialRecord], conditions: Conditions | None = None
) -> list[VerdictRecord]:
    """What the trials so far support. Call it after every block, with all trials."""
    conditions = conditions or Conditions(looks_of(study))
    lies = disqualifications(trials)
    return [
        verdict_record(study, conditions, lies, question)
        for question in questions_of(study, trials)
    ]


def still_needed(
    study: StudyManifest, trials: list[TrialRecord], conditions: Conditions | None = None
) -> set[Place]:
    """The places of the trials that the next block has to make.

    An entry that is settled against all others of its cell, on every metric, or cannot be, is
    measured no more; nothing is needed where that holds of all. Depends on `trials` alone, so a
    resumed run decides alike.
    """
    conditions = conditions or Conditions(looks_of(study))
    lies = disqualifications(trials)
    needed: set[Place] = set()
    for question in questions_of(study, trials):
        scenario, load, of_cell = question.scenario, question.load, question.trials
        verdict = statistical_answer(study, conditions, lies, question).verdict
        plan = next_blocks(verdict, looks=conditions.looks)
        needed |= {(entry, scenario, load) for entry in plan.entries_still_needed}
        if still_warming(of_cell, conditions.looks.least):
            # Nobody is settled against one that is not: both must be in the same blocks.
            left_out = {
                left.entry
                for left in verdict.not_ranked
                if (scenario, left.entry) in lies or why_unrankable(left.entry, of_cell)
            }
            needed |= {(one, scenario, load) for one in verdict.entries if one not in left_out}
    return needed
