"""What to change where something is not compared, by why it is not."""

from __future__ import annotations

from webdyno.ab.pairing import FULL


def is_of_the_generator(load: str, reason: str) -> bool:
    """Whether the load generator cannot show how much the service carries under full load."""
    return load == FULL and "generator-bound" in reason


def remedy_of(load: str, reason: str) -> str:
    """What helps against `reason`, as the end of a sentence; empty where nothing is known to."""
    if is_of_the_generator(load, reason):
        return "; --load steady leaves this load out"
    if "still warming" not in reason:
        return ""
    longer = "a longer max under [warmup] in webdyno.toml, with a longer --budget"
    if "had given only" in reason:
        # Slow answers: more of them at once are more of them in the same time.
        return f"; give more connections (-c), or {longer}"
    return f"; give {longer}"
