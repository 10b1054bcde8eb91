"""The second proof, made before the load as well in trials drawn by lot.

A server can count how often all of its connections were closed and as many opened again: for the
warm-up, for the load, and for the proof after it. It could be honest in the last of these crowds
alone, if it knew which one that is.
"""

from __future__ import annotations

import secrets

from webdyno.catalog.loads.load import Closed
from webdyno.generators.job import Job
from webdyno.store.records import Warmup
from webdyno.trial.plan import TrialPlan
from webdyno.trial.proof.crowd import verify_again
from webdyno.trial.proof.prove import is_thorough
from webdyno.verifier import Probe, Verifier

_ONE_IN = 2
"""Of the trials that can. Honest in the crowd before the last, a server is caught in these; honest
in the last, in the others."""


def wants_proof_beforehand(plan: TrialPlan, verifier: Verifier) -> bool:
    """Whether the trial is one of those, by lot.

    Not where services count the work: they may tell late of what was asked here, as if it were the
    load's. Nor where servers take turns: the others' warm-ups would part this proof from the load.
    """
    load = plan.load
    able = isinstance(load, Closed) and load.slice is None and load.abilities.takes_turns
    if not (able and verifier.in_a_crowd and load.method == "sound") or plan.services:
        return False
    return not plan.control and secrets.randbelow(_ONE_IN) == 0


def verify_beforehand(
    plan: TrialPlan, verifier: Verifier, probe: Probe, job: Job, warmed: Warmup
) -> None:
    """Verify in the midst of load a server that was `warmed` up. Raises `Mismatch`."""
    verifier.thorough = is_thorough(plan)
    verifier.phase = "after"
    verify_again(verifier, probe, job, (warmed.answers or 0) / max(warmed.seconds, 1e-9))
    verifier.phase = "before"
