"""What to change where something is not compared, by why it is not."""

from __future__ import annotations

from webdyno.ab.study.confidence import FULL
from webdyno.run.judgement.unrankable import GENERATOR_BOUND
from webdyno.store.verdicts import NotRanked
from webdyno.verdict.steadiness.warm import GAVE_ONLY


def is_of_the_generator(load: str, left: NotRanked) -> bool:
    """Whether the load generator cannot show how much the service carries under full load."""
    return load == FULL and left.reason.startswith(GENERATOR_BOUND)


def remedy_of(load: str, left: NotRanked) -> str:
    """What helps where an entry was left out, as the end of a sentence; empty where nothing is
    known to."""
    if is_of_the_generator(load, left):
        return "; --load steady leaves this load out"
    if left.kind != "still-warming":
        return ""
    longer = "a longer max under [warmup] in webdyno.toml, with a longer --budget"
    if GAVE_ONLY in left.reason:
        # Slow answers: more of them at once are more of them in the same time.
        return f"; give more connections (-c), or {longer}"
    return f"; give {longer}"
