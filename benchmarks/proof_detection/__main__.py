"""`python -m benchmarks.proof_detection`: trials of a server that writes down all it sees.

It prints, for each scenario, how well each sign tells a request of the proof from one of the load.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from benchmarks.proof_detection.signs import (
    PROOFS,
    Interval,
    ObservedRequest,
    observed_requests,
    sign_accuracies,
)
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.loads.load import Closed
from webdyno.catalog.loads.warm_up import Bounds
from webdyno.errors import UserError
from webdyno.generators.engine import Sliced
from webdyno.generators.registry import generator_named
from webdyno.run.preparation.servers import prepare_server
from webdyno.runtime.home import Home
from webdyno.runtime.machine.place import place
from webdyno.trial.events import Event, StepStarted, silent
from webdyno.trial.life import run_trial
from webdyno.trial.plan import TrialPlan
from webdyno.trial.proof import crowd

ROOT = Path(__file__).resolve().parents[2]
WITNESS = "python/cheat@witness"
SCENARIOS = ("hello", "json", "sha256", "session-counter", "blog")
LOAD = Closed(kind="closed", connections=32, duration=1.0)


def observe_trial(scenario: str, temporary: Path) -> list[ObservedRequest]:
    """One trial of the witness: what it saw. Raises `UserError` where it fails."""
    catalog = Catalog([ROOT, ROOT / "tests"])
    server_variant = catalog.server_variant(WITNESS)
    steps: list[tuple[float, str]] = []

    def listen(event: Event) -> None:
        if isinstance(event, StepStarted):
            steps.append((time.time(), event.name))

    chosen = catalog.scenario(scenario)
    folder = temporary / scenario
    folder.mkdir()
    plan = TrialPlan(
        run_id=secrets.token_hex(4),
        index=0,
        block=0,
        order=0,
        server_variant=server_variant,
        control=False,
        build=prepare_server(server_variant.server, Home.default().builds, silent).build,
        scenario=chosen,
        load=LOAD,
        placement=place(with_services=bool(chosen.manifest.services)),
        warmup=Bounds(),
        seed=secrets.randbits(48),
        run_folder=folder,
        temporary=temporary,
    )
    with left_out_intervals() as (beside, young):
        trial = run_trial(plan, generator_named(LOAD.generator), listen)
    if trial.status != "ok":
        raise UserError(f"the witness failed at {scenario}: {trial.reason}")
    return observed_requests(plan.log.read_text(encoding="utf-8"), steps, beside, young)


@contextmanager
def left_out_intervals() -> Iterator[tuple[list[Interval], list[Interval]]]:
    """When the load beside the second proof opens connections, and when the proof's grow old."""
    beside: list[Interval] = []
    young: list[Interval] = []

    def timed(recorded: list[Interval], do: Callable[..., None]) -> Callable[..., None]:
        def wrapped(*given: Any) -> None:
            began = time.time()
            do(*given)
            recorded.append((began, time.time()))

        return wrapped

    go_on, grow_old = timed(beside, Sliced.go_on), timed(young, crowd._grow_old)
    going = type("Going", (Sliced,), {"go_on": go_on})
    with mock.patch.multiple(crowd, _grow_old=grow_old, Sliced=going):
        yield beside, young


def main() -> int:
    """Print the table of each scenario; gives the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.proof_detection", description=__doc__
    )
    parser.add_argument("scenarios", nargs="*", default=SCENARIOS, help="default: all it can do")
    options = parser.parse_args()
    print("| scenario | proof | sign | right | by | load it spares |")
    print("|---|---|---|--:|---|--:|")
    try:
        with tempfile.TemporaryDirectory(prefix="webdyno-proof-detection-") as folder:
            # A database drops to a user of its own, who has to enter it.
            Path(folder).chmod(0o755)
            for scenario in options.scenarios:
                observed = observe_trial(scenario, Path(folder))
                for step, proof in PROOFS.items():
                    found = sign_accuracies(observed, step)
                    if not found:
                        print(
                            f"proof_detection: {scenario}: no request of the {proof} proof, or "
                            "none of the load, was seen; run it again on a calmer machine",
                            file=sys.stderr,
                        )
                    for one in found:
                        print(
                            f"| {scenario} | {proof} | {one.sign} | {one.accuracy:.0%} |"
                            f" {one.rule} | {one.spared_share:.0%} |",
                            flush=True,
                        )
    except UserError as error:
        print(f"proof_detection: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
