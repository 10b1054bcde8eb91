"""From the answers that trials kept to what differs between servers: "not the same work"."""

from __future__ import annotations

from webdyno.store.findings import AnswerRecord, DifferenceRecord
from webdyno.store.records import TrialRecord
from webdyno.verdict.sameness import Captured, differences


def differences_of(trials: list[TrialRecord]) -> list[DifferenceRecord]:
    """What servers answer differently, for each scenario and load whose generator keeps answers.

    One answer of each entry is compared, of its first trial that counts: how a server answers does
    not change from trial to trial.
    """
    cells: dict[tuple[str, str], dict[str, AnswerRecord]] = {}
    for trial in sorted(trials, key=lambda trial: trial.index):
        if trial.answer is not None and trial.status == "ok" and not trial.control:
            answers = cells.setdefault((trial.scenario, trial.load), {})
            answers.setdefault(trial.entry, trial.answer)
    return [
        DifferenceRecord(
            scenario=scenario,
            load=load,
            what=found.what,
            groups=[(value, list(servers)) for value, servers in found.groups],
            why=found.why,
            sizes=list(found.sizes),
        )
        for (scenario, load), answers in cells.items()
        for found in differences(
            {entry: _captured(answers[entry]) for entry in sorted(answers)},
            same_body=all(one.same_body and one.body is not None for one in answers.values()),
        )
    ]


def _captured(answer: AnswerRecord) -> Captured:
    return Captured(answer.status, answer.headers, answer.body or b"")
