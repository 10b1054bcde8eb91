"""`python -m benchmarks.ab`: how good are the answers of `webdyno ab`?

All parts run beside a neighbour that uses half a core at random times (`--neighbour`), and write
each result to a file as it comes: an interrupted part goes on where it was.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.processes.supervision import supervised


def main() -> None:
    """Under a warden, which ends whatever is left of services, tools and neighbours."""
    options = _options()
    sys.exit(supervised(lambda: _run(options), Home.default().temporary))


def _options() -> argparse.Namespace:
    from benchmarks.ab.services import LANGUAGES

    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--languages", nargs="+", default=list(LANGUAGES), choices=LANGUAGES, metavar="LANGUAGE"
    )
    shared.add_argument(
        "--neighbour", type=float, default=0.5, metavar="SHARE", help="of a core, in bursts (0.5)"
    )
    shared.add_argument(
        "--results", type=Path, default=Path(".webdyno/benchmarks/ab.jsonl"), metavar="FILE"
    )
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ab", description=__doc__)
    parts = parser.add_subparsers(dest="part", required=True)

    part = parts.add_parser("false-alarms", parents=[shared], help="live pairs of the same")
    part.add_argument("--pairs", type=int, default=60)
    part.add_argument("--budget", default="2m")

    part = parts.add_parser(
        "resampled", parents=[shared], help="pairs drawn from the blocks of false-alarms"
    )
    part.add_argument("--draws", type=int, default=2000)
    part.add_argument("--slower", type=_share, default=0.0, help="planted in B, such as 3%%")
    part.add_argument("--budget", default="5m")

    part = parts.add_parser("found", parents=[shared], help="live pairs with more work in B")
    part.add_argument("--slower", type=_share, default=0.05, help="CPU per request (5%%)")
    part.add_argument("--pairs", type=int, default=12, help="in each language")
    part.add_argument("--budget", default="5m")

    part = parts.add_parser(
        "others", parents=[shared], help="wrk and k6, one version then the other"
    )
    part.add_argument("--slower", type=_share, default=0.05, help="CPU per request (5%%)")
    part.add_argument("--pairs", type=int, default=12, help="in each language")
    part.add_argument("--budget", default="5m", help="of each pair and tool")
    part.add_argument("--tools", nargs="+", default=["wrk", "k6"], choices=["wrk", "k6"])

    parts.add_parser("table", parents=[shared], help="what the file holds so far")
    return parser.parse_args()


def _share(text: str) -> float:
    """5% or 0.05."""
    return float(text[:-1]) / 100 if text.endswith("%") else float(text)


def _run(options: argparse.Namespace) -> int:
    # Imported under the warden, who must have no threads.
    from benchmarks.ab import parts

    try:
        parts.run(options)
    except KeyboardInterrupt:
        print(f"benchmarks.ab: stopped; the same command goes on from {options.results}")
        return 130
    except UserError as error:
        print(f"benchmarks.ab: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    main()
