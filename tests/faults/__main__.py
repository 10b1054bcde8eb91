"""`python -m tests.faults [--rounds N] [--examples N] [--seed S]`: faults and made-up input.

Rounds are random kills of real runs, about ten seconds each; examples are made-up manifests and
command lines. Prints a table of each; ends with 1 where anything was lost, changed, left, or told
in another way than it should be. `webdyno test faults` makes a few of both.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from tests.faults import examples, kills
from tests.faults.lab import Lab


def main() -> int:
    """Make what was asked for; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--rounds", type=int, default=0, help="random kills (300 take an hour)")
    parser.add_argument(
        "--examples", type=int, default=0, help="made-up inputs, of all kinds together"
    )
    parser.add_argument("--seed", type=int, default=1, help="makes the same again")
    asked = parser.parse_args()
    if asked.rounds <= 0 and asked.examples <= 0:
        parser.error("nothing is asked for; name --rounds or --examples")
    clean = True
    if asked.examples > 0:
        clean &= _examples(asked.examples, asked.seed)
    if asked.rounds > 0:
        clean &= _kills(asked.rounds, asked.seed)
    return 0 if clean else 1


def _examples(count: int, seed: int) -> bool:
    each = max(1, count // len(examples.KINDS))
    tallies = [examples.tally(kind, each, seed) for kind in examples.KINDS]
    print(examples.table(tallies), flush=True)
    for one in tallies:
        if one.fault:
            print(f"{one.kind}: {one.fault}", file=sys.stderr)
    return not any(one.fault for one in tallies)


def _kills(count: int, seed: int) -> bool:
    # Databases drop to a user of their own, who must be able to enter it.
    with tempfile.TemporaryDirectory(prefix="faults-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        folder.chmod(0o755)
        lab = Lab(folder)
        if not lab.has_database:
            print("without a database, since PostgreSQL is missing", file=sys.stderr)
        began, made = time.monotonic(), []
        for one in kills.rounds(lab, count, seed):
            made.append(one)
            if not one.is_clean:
                print(one.told(), file=sys.stderr, flush=True)
            if len(made) % 25 == 0:
                spent = time.monotonic() - began
                print(f"{len(made)} of {count} rounds ({spent:.0f} s)", file=sys.stderr, flush=True)
        print(kills.table(made), flush=True)
    return all(one.is_clean for one in made)


if __name__ == "__main__":
    sys.exit(main())
