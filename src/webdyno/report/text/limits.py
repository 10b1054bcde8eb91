"""What limited a trial, in a word for a table and a sentence for whoever asks."""

from __future__ import annotations

from collections.abc import Iterable

_LIMITS = {
    "server-bound": ("server", "it used all the cores it was given, or nearly all"),
    "one-thread": (
        "one thread",
        "one of its threads was saturated, or nearly, while its other cores idled",
    ),
    "generator-bound": (
        "generator",
        "the load generator was saturated, so the server is not ranked",
    ),
    "service-bound": ("service", "a service, such as the database, was saturated"),
    "waiting": (
        "waiting",
        "nothing was saturated; requests waited for locks, timers or the disk, or were too few",
    ),
    "offered-load": (
        "the load",
        "every scheduled request was answered in time; the server may be able to do more",
    ),
    "network": (
        "network",
        "a link between the machines was full or lost packets, so the server is not ranked",
    ),
    "machine-noise": (
        "noise",
        "other programs, the host or a quota took CPU time that the trial needed",
    ),
}


def word(limit: str) -> str:
    """The limit as a table shows it; one that is not known here as it is called."""
    return _LIMITS[limit][0] if limit in _LIMITS else limit.replace("-", " ")


def meanings(limits: Iterable[str]) -> list[tuple[str, str]]:
    """(word, meaning) of those of `limits` that are known, in a fixed order, once each."""
    wanted = set(limits)
    return [_LIMITS[limit] for limit in _LIMITS if limit in wanted]
