"""`python -m benchmarks.proofs honest`: is an honest server ever blamed, beside a busy neighbour?
`python -m benchmarks.proofs cost`: what do proofs under load cost it?
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.proofs import cost, honest
from benchmarks.proofs.plans import SCENARIOS, pairs, plan_of, runnable
from webdyno.catalog.catalog import Catalog
from webdyno.catalog.loads.load import Closed
from webdyno.errors import UserError
from webdyno.runtime.home import Home
from webdyno.runtime.processes.supervision import supervised

SERVERS = (
    "go/net-http", "rust/actix", "node/http", "node/express", "python/starlette", "php/plain",
    "java/servlet", "swift/foundation", "nginx/static", "nginx/cache",
)  # fmt: skip
"""One of each language, and one that keeps pages and says so."""

CONNECTIONS = 32
MOVING = ("sha256", "static", "page", "session-counter", "point-lookup")


def main() -> None:
    """Under a warden, which ends whatever is left of servers, services and neighbours."""
    options = _options()
    sys.exit(supervised(lambda: _examined(options), Home.default().temporary))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.proofs", description=__doc__)
    parser.add_argument("--content", type=Path, help="a content folder beside the catalog's")
    kinds = parser.add_subparsers(dest="what", required=True)
    blamed = kinds.add_parser("honest", help="trials of honest servers: none may be blamed")
    blamed.add_argument("--trials", type=int, default=50, help="in all (default: 50)")
    blamed.add_argument("--neighbour", type=float, default=0.5, help="part of a core that it uses")
    blamed.add_argument("--seconds", type=float, default=2.0, help="of each load")
    blamed.set_defaults(scenarios=list(SCENARIOS))
    costs = kinds.add_parser("cost", help="the server's CPU an answer, with proofs and without")
    costs.add_argument("--rounds", type=int, default=15, help="pairs of loads (default: 15)")
    costs.add_argument("--seconds", type=float, default=5.0, help="of each load")
    costs.add_argument("--limit", type=float, default=0.01, help="allowed part (default: 0.01)")
    costs.set_defaults(scenarios=list(MOVING))
    for kind in (blamed, costs):
        kind.add_argument("--servers", nargs="+", default=list(SERVERS))
        kind.add_argument("--scenarios", nargs="+", default=argparse.SUPPRESS)
    return parser.parse_args()


def _examined(options: argparse.Namespace) -> int:
    try:
        catalog = Catalog.with_overlay(options.content) if options.content else Catalog()
        chosen = runnable(catalog, pairs(catalog, options.servers, options.scenarios), _show)
        load = Closed(kind="closed", connections=CONNECTIONS, duration=options.seconds)
        with tempfile.TemporaryDirectory(prefix="webdyno-proofs-") as held:
            # Servers and databases drop to users of their own, who have to enter it.
            Path(held).chmod(0o755)
            if options.what == "honest":
                return _honest(options, catalog, chosen, load, Path(held))
            return _cost(options, catalog, chosen, load, Path(held))
    except UserError as error:
        print(f"proofs: {error}", file=sys.stderr)
        return 2


def _honest(
    options: argparse.Namespace,
    catalog: Catalog,
    chosen: list[tuple[str, str]],
    load: Closed,
    temporary: Path,
) -> int:
    told = honest.examine(
        catalog, chosen, options.trials, load, options.neighbour, temporary, _show
    )
    print("\n".join(honest.table(told)))
    blamed = [said for one in told for said in one.blamed]
    for said in blamed:
        print(f"blamed: {said}")
    return 1 if blamed else 0


def _cost(
    options: argparse.Namespace,
    catalog: Catalog,
    chosen: list[tuple[str, str]],
    load: Closed,
    temporary: Path,
) -> int:
    found = []
    for index, pair in enumerate(chosen):
        plan = plan_of(catalog, pair, load, index, temporary, honest.WARM)
        found.append(cost.cost(plan, options.rounds, _show))
    print("\n".join(cost.table(found)))
    return int(any(one.ratio().low > 1 + options.limit for one in found))


def _show(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
