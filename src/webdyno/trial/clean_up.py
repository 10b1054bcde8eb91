"""The end of a trial: nothing of it stays behind, however it ended."""

from __future__ import annotations

from webdyno.runtime import heap
from webdyno.runtime.shared_memory import remove_shared_memory
from webdyno.runtime.trees import remove
from webdyno.trial.assessment import reasons
from webdyno.trial.events import Listener
from webdyno.trial.folders import TrialFolders
from webdyno.trial.plan import TrialPlan
from webdyno.trial.services import services_folder
from webdyno.trial.state import TrialState, step
from webdyno.trial.stop import stop


def clean_up(plan: TrialPlan, state: TrialState, listener: Listener, folders: TrialFolders) -> None:
    """Stop what was started, and remove what was written. What goes wrong is told by `state`."""
    if gone := reasons.of_services(state):
        # Whatever else went wrong followed from this.
        state.status, state.reason, state.lie = "error", gone, ""
    try:
        stop(plan, state, listener, folders)
    finally:
        try:
            if state.verifier is not None:
                state.verifier.close()
        except Exception as error:  # A verifier may have opened anything.
            state.status, state.reason, state.lie = "error", reasons.of_fault(plan, error), ""
        finally:
            if state.services:
                with step("services", state, listener):
                    for service in state.services:
                        service.stop()
            data = services_folder(folders.root)
            remove_shared_memory(data)  # Of one that never came up, and so is in no list.
            for folder in (folders.root, data):
                remove(folder)
            heap.give_back()
