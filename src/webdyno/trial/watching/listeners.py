"""Who listens on a server's port beside it: what others answer there is not its own."""

from __future__ import annotations

from pathlib import Path

from webdyno.runtime.proc import environment_of, name_of
from webdyno.runtime.processes.listening import strangers_on
from webdyno.store.records import FlagRecord
from webdyno.trial.plan import TrialPlan
from webdyno.trial.starting.start import TRIAL_VARIABLE, RunningServer, mark_of
from webdyno.trial.state import TrialState

FOREIGN = "foreign-listener"
"""The flag of a server whose port another program answers on, too."""


def foreign_listener(plan: TrialPlan, server: RunningServer) -> FlagRecord | None:
    """What to tell of a program that the server did not start and that listens on its port now;
    None where there is none."""
    family = server.process.family
    strangers = strangers_on(family.alive(), server.port, server.address)
    if strangers:
        # Not its own that were started or ended meanwhile: a worker may be replaced at any moment.
        own = set(family.alive())
        strangers = [pid for pid in strangers if pid not in own and Path(f"/proc/{pid}").exists()]
    return (
        FlagRecord(code=FOREIGN, message=_process_text(plan, strangers[0])) if strangers else None
    )


def answered_by_another(plan: TrialPlan, state: TrialState) -> str:
    """That another program listens, or did under load, on the server's port, whose answers may be
    the wrong ones; empty where none does."""
    if told := [flag.message for flag in state.flags if flag.code == FOREIGN]:
        return told[0]
    found = foreign_listener(plan, state.server) if state.server is not None else None
    return found.message if found else ""


def _process_text(plan: TrialPlan, pid: int) -> str:
    name = f" ({told})" if (told := name_of(pid)) else ""
    mark = f"{TRIAL_VARIABLE}={mark_of(plan.run_id)}".encode()
    if any(one.startswith(mark) for one in environment_of(pid)):
        return (
            f"process {pid}{name}, of another server of this run, also answers on its port; leave "
            "that server out"
        )
    return (
        f"process {pid}{name}, which it did not start, also answers on its port; end that program"
    )
