"""What to change where something is not compared, by why it is not."""

from __future__ import annotations

from webdyno.ab.study.confidence import FULL
from webdyno.report.numbers import counted
from webdyno.run.judgement.unrankable import GENERATOR_BOUND
from webdyno.store.verdicts import NotRanked
from webdyno.trial.turn_taking.regime import NOT_FULL
from webdyno.verdict.steadiness.warm import GAVE_ONLY


def is_of_the_generator(load: str, not_ranked: NotRanked) -> bool:
    """Whether the load generator cannot show how much the service carries under full load."""
    return load == FULL and not_ranked.reason.startswith(GENERATOR_BOUND)


def remedy_of(load: str, not_ranked: NotRanked) -> str:
    """What helps where an entry was left out, as the end of a sentence; empty where nothing is
    known to."""
    if is_of_the_generator(load, not_ranked):
        return "; --load steady leaves this load out"
    if not_ranked.kind != "still-warming":
        return ""
    longer = "a longer max under [warmup] in webdyno.toml, with a longer --budget"
    if GAVE_ONLY in not_ranked.reason:
        # Slow answers: more of them at once are more of them in the same time.
        return f"; give more connections (-c), or {longer}"
    return f"; give {longer}"


def disturbed(noisy: int, full: int) -> str:
    """That in `noisy` trials of the `full` load something outside them took CPU time, with what
    helps."""
    return (
        f"other programs, the host or a quota took CPU time in {noisy} of "
        f"{counted(full, 'trial')} under full load: end those programs or lift the quota; where "
        "you cannot, give a longer --budget for more blocks"
    )


def why_whole(note: str, waits: bool) -> str:
    """Why a load was made in one piece, not in turns, as the end of a sentence, with what follows
    and what helps. `note` is how the run tells it; `waits`: whether the service is known to wait
    for something else than the CPU."""
    reason = note.replace(NOT_FULL, "left CPU time unused under full load, in its warm-up")
    reason += "; small differences take longer to find"
    if reason.startswith(note):
        return reason
    helps = "more connections (-c) may keep it busy"
    if not waits:
        helps = f"end other programs that use the CPUs; if there are none, {helps}"
    return f"{reason}: {helps}"
