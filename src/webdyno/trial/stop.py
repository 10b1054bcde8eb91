"""The stop of a trial's server, and what it left behind."""

from __future__ import annotations

from webdyno.runtime.trees import size_below
from webdyno.store.records import FlagRecord
from webdyno.trial.events import Listener
from webdyno.trial.folders import TrialFolders
from webdyno.trial.plan import TrialPlan
from webdyno.trial.starting.start import over_memory, port_is_free_again
from webdyno.trial.state import TrialState, step

UNTIDY_BYTES = 1_000_000
"""What a server leaves in its temporary folder is told from this size on."""


def stop(plan: TrialPlan, state: TrialState, listener: Listener, folders: TrialFolders) -> None:
    """Stop the trial's server, if it was started, and note in `state` how it went; `folders`
    are the trial's. Nothing of it is left afterwards."""
    server = state.server
    if server is None:
        return
    with step("stop", state, listener):
        state.stop_seconds = server.process.stop()
    if why := over_memory(plan, server.confinement):
        # Whatever else went wrong followed from this.
        then = f"; {state.reason}" if state.reason else ""
        state.status, state.reason, state.lie = "failed", why + then, ""
    if server.process.killed:
        state.flags.append(
            FlagRecord(
                code="did-not-stop",
                message="it had to be killed; end on SIGTERM within 5 s",
            )
        )
    left = server.process.left_behind()
    server.process.end_all()
    server.confinement.close()
    if left:
        state.flags.append(
            FlagRecord(
                code="left-processes",
                message=f"{len(left)} of its processes outlived it; stop them on SIGTERM",
            )
        )
    if (left_bytes := size_below(folders.of_start() / "tmp")) >= UNTIDY_BYTES:
        state.flags.append(
            FlagRecord(
                code="left-files",
                message=f"it left {left_bytes / 1e6:.0f} MB in its temporary folder, now removed; "
                "remove them on SIGTERM",
            )
        )
    if not port_is_free_again(server):
        state.flags.append(
            FlagRecord(
                code="port-still-open",
                message=f"port {server.port} was still served after the stop; end all processes",
            )
        )
