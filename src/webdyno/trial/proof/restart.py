"""Further starts of a trial's server, for what a proof can see in no other way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from webdyno.runtime.trees import remove
from webdyno.trial.folders import TrialFolders
from webdyno.trial.plan import TrialPlan
from webdyno.trial.starting.awaiting import StartError
from webdyno.trial.starting.start import start
from webdyno.verifier import Probe, Restart, Verifier

_SUFFIX = ".again"


def wants_restart(plan: TrialPlan, verifier: Verifier) -> bool:
    """Whether the trial is one that pays for further starts: its verifier asks for them, and no
    earlier one has made them. The control is the same program as another entry."""
    asks = type(verifier).verify_restarted is not Verifier.verify_restarted
    return asks and not plan.restarted and not plan.control


def restart_of(plan: TrialPlan, env: Mapping[str, str], folders: TrialFolders) -> Restart:
    """Starts the plan's server again, as it was started with `env` in the trial's `folders`.

    Raises `StartError` where it does not come up.
    """

    @contextmanager
    def restart(changed: Mapping[str, str]) -> Iterator[Probe]:
        try:
            server = start(plan, {**env, **changed}, folders, _SUFFIX)
        except StartError as error:
            other = f" with another {', '.join(changed)}" if changed else ""
            raise StartError(f"started again{other}: {error}") from None
        try:
            with Probe(f"http://{server.address}:{server.port}") as probe:
                yield probe
        finally:
            server.process.stop()
            server.process.end_all()
            server.confinement.close()
            remove(folders.of_start(_SUFFIX))
        server.process.log.unlink(missing_ok=True)

    return restart
