"""`python -m benchmarks.warm_up_curves record`: records a server's curve from its first answer on.

    python -m benchmarks.warm_up_curves record java/servlet --seconds 24 --out FILE.csv

The server is started afresh and put under a closed load, or an open one with `--rate`. What is
recorded in windows of 0.1 s is what a warm-up sees: answers, CPU time of the server, of its
compilers, and of whoever used its cores. `--neighbour 0.5` lets another program use half of these
at random times; the machine has to be quiet otherwise. Put the file into
`tests/unit/verdict/steadiness/curves/`, add its `label`, and run the test of the error rates there.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from benchmarks.warm_up_curves.curve import write_curve
from benchmarks.warm_up_curves.record import RecordingOptions, record
from webdyno.errors import UserError


def main() -> int:
    """Record as asked; gives the exit code."""
    options = _parser().parse_args()
    wanted = RecordingOptions(
        server=options.server,
        scenario=options.scenario,
        seconds=options.seconds,
        connections=options.connections,
        rate=options.rate,
        neighbour=options.neighbour,
        parameters={name: int(value) for name, value in map(_pair, options.parameter)},
        env=dict(map(_pair, options.env)),
    )
    try:
        facts, windows = record(wanted)
    except UserError as error:
        print(f"warm_up_curves: {error}", file=sys.stderr)
        return 2
    if options.label:
        facts["label"] = options.label
    write_curve(options.out, facts, windows)
    rate = windows.answers.sum() / windows.seconds
    print(f"{options.out}: {windows.seconds:.1f} s, {rate:,.0f} answers/s")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.warm_up_curves")
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("record", help="record one server's curve")
    one.add_argument("server", help="language/name, with @variant")
    one.add_argument("--scenario", default="json")
    one.add_argument("--seconds", type=float, default=24.0)
    one.add_argument("--connections", type=int, default=32)
    one.add_argument("--rate", type=float, default=0.0, help="an open load, in requests a second")
    one.add_argument("--neighbour", type=float, default=0.0, metavar="PART")
    one.add_argument("--parameter", action="append", default=[], metavar="NAME=NUMBER")
    one.add_argument("--env", action="append", default=[], metavar="NAME=VALUE")
    one.add_argument("--label", default="", help="what the curve shows")
    one.add_argument("--out", type=Path, required=True)
    return parser


def _pair(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name, value


if __name__ == "__main__":
    sys.exit(main())
