"""What was compared, and on what an answer rests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from webdyno.ab.conclusion.words import rate_text
from webdyno.ab.study.confidence import STEADY
from webdyno.ab.study.pairing import Pairing
from webdyno.catalog.terms import quantity
from webdyno.report.numbers import counted, percent
from webdyno.store.records import RunRecord
from webdyno.words import duration

NOTHING = "Nothing was measured."


@dataclass(frozen=True)
class About:
    """What was compared, and on what the answer rests."""

    service: str
    names: tuple[str, str]
    """A and B as the user named them."""
    commits: tuple[str, str] = ("", "")
    margin: float = 0.03
    confidence: float = 0.95
    rate: str = ""
    """Of the steady load as it was made, such as `1,200/s`; empty where there was none."""
    spent_s: float = 0.0
    evidence: str = ""
    """One sentence: trials, blocks, confidence."""
    run: str = ""
    command: str = ""
    started: datetime | None = None


def about_run(pair: Pairing, run: RunRecord) -> About:
    """What a run compared."""
    a, b = pair.versions
    blocks = 1 + max((trial.block for trial in run.trials), default=-1)
    spent_s = sum(trial.took_s for trial in run.trials)
    confidence, margin = pair.description.confidence, pair.study.margin
    return About(
        service=pair.service,
        names=(a.name, b.name),
        commits=(a.commit, b.commit),
        margin=margin,
        confidence=confidence,
        rate=_steady_rate(run),
        spent_s=spent_s,
        evidence=evidence_sentence(
            counted(len(run.trials), "trial"), blocks, spent_s, confidence, margin
        )
        if run.trials
        else NOTHING,
        run=run.id,
        command=run.command,
        started=run.started,
    )


def evidence_sentence(
    repetitions: str, blocks: int, spent_s: float, confidence: float, margin: float
) -> str:
    """On what an answer rests, in a sentence; `repetitions` is such as `24 trials`."""
    return (
        f"{repetitions} in {counted(blocks, 'block')}, {duration(spent_s)}; all intervals hold "
        f"together with {percent(confidence)} confidence; margin {percent(margin)}; A and B are "
        "medians; differences rest on geometric means."
    )


def _steady_rate(run: RunRecord) -> str:
    fitted = [one.given for one in run.fitted_loads or [] if one.load == STEADY]
    stated = [load.phases for load in run.study.loads if load.name == STEADY and not load.scale]
    phases: list[str] = next((given for given in [*fitted, *stated] if given), [])
    return rate_text(quantity.phase(phases[0]).rps) if phases else ""
