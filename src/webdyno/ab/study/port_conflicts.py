"""A port or a name that one copy of a service takes, so that no other can start beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from webdyno.ab.study.pairing import Pairing
from webdyno.errors import UserError
from webdyno.store.records import RunRecord, TrialRecord

_PORT = re.compile(
    r"address (?:is )?already in use|\bEADDRINUSE\b|\bAddr(?:ess)?InUse\b"
    r"|\bport \d+ (?:was|is) (?:already )?(?:in use|taken|used|allocated)",
    re.IGNORECASE,
)
"""How languages and frameworks say that somebody else listens there."""

_NAME = re.compile(r"\bin use by another Erlang node\b")

_OF_COPIES = {
    _PORT: "if it listens on other ports than $PORT (metrics, gRPC, a debugger), turn them off, or "
    "make each 0, or $((PORT + 1)) in the command",
    _NAME: "set RELEASE_DISTRIBUTION=none in `env`",
}
_ALONE = {
    _PORT: "; another program already uses its port: let the service listen on $PORT alone, or "
    "end that program",
    _NAME: "; another such node runs here: set RELEASE_DISTRIBUTION=none in `env` (--env)",
}

_BY_CHANCE = 1
"""So many starts, or few of many, may meet a program that took the port just before."""

_OFTEN = 0.25
"""Of the trials: where A has such a port and B has none, one of three cannot start."""


def remedy_of_conflict(reason: str) -> str:
    """What helps a version that could not start alone since a port or a name was taken, as the end
    of a sentence; empty where it failed at something else."""
    return _remedy_in(_ALONE, reason)


def is_port_conflict(trial: TrialRecord) -> bool:
    """Whether a trial could not be made because a port or a name was taken.

    That says nothing of a version: alone it did start, and which copy comes too late is chance.
    """
    return bool(_remedy(trial))


def copies_conflict(run: RunRecord) -> bool:
    """Whether the copies of a service keep each other from starting."""
    count = sum(map(is_port_conflict, run.trials))
    return count > _BY_CHANCE and count >= _OFTEN * len(run.trials)


def check_port_conflicts(pair: Pairing, run: RunRecord) -> None:
    """Raise `UserError` where a run ended because they do."""
    if copies_conflict(run):
        trial = next(filter(is_port_conflict, run.trials))
        raise UserError(
            f"copies of {pair.service} cannot run at once: {trial.reason}; {_remedy(trial)}"
        )


def _remedy(trial: TrialRecord) -> str:
    if trial.status != "error" or trial.measurement is not None:
        return ""
    return _remedy_in(_OF_COPIES, f"{trial.reason}\n{trial.log_tail}")


def _remedy_in(remedies: Mapping[re.Pattern[str], str], message: str) -> str:
    return next((remedy for pattern, remedy in remedies.items() if pattern.search(message)), "")
