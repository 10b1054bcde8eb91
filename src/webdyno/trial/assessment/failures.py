"""A trial that failed keeps what it was: an error of the laboratory's, or the server's failure."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from webdyno.errors import UserError
from webdyno.generators.generator import GeneratorError, GeneratorFault
from webdyno.runtime.disk import is_full
from webdyno.runtime.processes.deadline import Overdue, TookTooLong
from webdyno.runtime.processes.process import LaunchError
from webdyno.runtime.services import ServiceError, ServiceMissing
from webdyno.store.records import FlagRecord
from webdyno.trial.assessment import reasons
from webdyno.trial.assessment.of_the_lab import GENERATOR_FAILED, SERVICE_FAILED
from webdyno.trial.plan import TrialPlan
from webdyno.trial.proof.lie import lie_of
from webdyno.trial.starting.awaiting import StartError
from webdyno.trial.state import TrialState
from webdyno.verdict.search.objective import Unshowable
from webdyno.verifier import Mismatch


@contextmanager
def failures_told(plan: TrialPlan, state: TrialState) -> Iterator[None]:
    """Note in `state` what goes wrong within.

    Raises `UserError` for content that is wrong, and what no later trial would fare better with.
    """
    try:
        yield
    except ServiceMissing as error:
        # No later trial would fare better: the user has to install it first.
        raise UserError(f"scenario {plan.scenario.id}: {error}") from None
    except (StartError, LaunchError, GeneratorError, ServiceError, Unshowable) as error:
        state.status, state.reason = "error", str(error)
        if isinstance(error, GeneratorFault):
            state.flags.append(FlagRecord(code=GENERATOR_FAILED, message=str(error)))
        # Services are started before anything of the server is looked at; later it is its doing.
        if isinstance(error, ServiceError) and state.verifier is None:
            state.flags.append(FlagRecord(code=SERVICE_FAILED, message=str(error)))
    except Mismatch as error:
        if not error.is_breakdown and (clock_set := reasons.of_clock(state)):
            state.status, state.reason = "error", clock_set
            return
        state.status, state.reason = "failed", reasons.of_mismatch(plan, state, error)
        state.lie = lie_of(plan, state, error)
    except (TookTooLong, Overdue) as error:
        state.status, state.reason = "error", reasons.of_deadline(plan, error)
    except UserError:
        raise
    except Exception as error:
        if is_full(error):  # No later trial would fare better, and none could be stored.
            raise
        state.status, state.reason = "error", reasons.of_fault(plan, error)
