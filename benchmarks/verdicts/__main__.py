"""`python -m benchmarks.verdicts`: is it true what runs say?

Every server is loaded for long on one life, in turns of seconds with one that all are compared
with. Then runs are made of the same servers, and each ratio that they tell is held against the one
of the long loads. Writes verdicts.md and verdicts.json.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from webdyno.catalog.terms import quantity
from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.processes.supervision import supervised

SERVERS = (
    "node/http",
    "java/servlet",
    "java/quarkus",
    "java/spring-boot",
    "java/micronaut",
    "kotlin/ktor",
    "kotlin/spring-boot",
    "kotlin/spring-boot-coroutines",
    "python/starlette",
    "go/net-http",
    "rust/actix",
)


def main() -> None:
    """Under a warden, which ends whatever is left of servers and neighbours."""
    options = _options()
    sys.exit(supervised(lambda: _examine(options), Home.default().temporary))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.verdicts", description=__doc__)
    parser.add_argument("--servers", nargs="+", default=list(SERVERS), metavar="SERVER")
    parser.add_argument("--against", metavar="SERVER", help="compared with all (the first one)")
    parser.add_argument("--scenario", default="json", help="one that needs no service (json)")
    parser.add_argument("--seconds", type=float, default=60.0, help="of long load a server (60)")
    parser.add_argument("--turn", type=float, default=5.0, help="seconds of a turn of it (5)")
    parser.add_argument(
        "--together", type=int, default=3, help="servers in turns with --against at once (3)"
    )
    parser.add_argument("--lives", type=int, default=1, help="long loads of each server (1)")
    parser.add_argument("--budget", default="120s", help="of each run (120s)")
    parser.add_argument(
        "--one-run", action="store_true", help="all servers in one run, not a run for each"
    )
    parser.add_argument(
        "--neighbour", type=float, default=0.0, metavar="SHARE", help="of a core, in bursts (none)"
    )
    parser.add_argument("--out", type=Path, default=Path(".webdyno/benchmarks/verdicts"))
    return parser.parse_args()


def _examine(options: argparse.Namespace) -> int:
    # Imported under the warden, who must have no threads.
    from benchmarks.verdicts.examine import ExaminationOptions, examine
    from benchmarks.verdicts.neighbour import neighbour

    try:
        _check(options)
        examination = ExaminationOptions(
            servers=tuple(dict.fromkeys(options.servers)),
            against=options.against or options.servers[0],
            scenario=options.scenario,
            seconds=options.seconds,
            turn_s=options.turn,
            together=options.together,
            lives=options.lives,
            budget=options.budget,
            one_run=options.one_run,
            neighbour=options.neighbour,
            out=options.out,
        )
        runs_s = len(examination.studies) * quantity.duration(examination.budget)
        minutes = (examination.load_s + runs_s) / 60
        print(f"about {minutes:.0f} min, starts and builds not counted", flush=True)
        with neighbour(options.neighbour):
            found = examine(examination)
    except UserError as error:
        print(f"benchmarks.verdicts: {error}", file=sys.stderr)
        return 2
    print(f"\n{found.write()}\n\nwritten to {options.out}/verdicts.md and verdicts.json")
    return 130 if found.stopped else 0


def _check(options: argparse.Namespace) -> None:
    """Raise `UserError` for numbers that mean nothing."""
    if len(set(options.servers)) < 2:
        raise UserError("--servers: name two at least")
    if options.against and options.against not in options.servers:
        raise UserError(f"--against: {options.against} is not among --servers")
    if not 1 <= options.turn <= options.seconds / 2:
        raise UserError("--turn: from 1 to half of --seconds")
    if options.together < 1 or options.lives < 1:
        raise UserError("--together, --lives: 1 at least")
    if not 0 <= options.neighbour <= 1:
        raise UserError("--neighbour: a part of a core, from 0 to 1")


if __name__ == "__main__":
    main()
