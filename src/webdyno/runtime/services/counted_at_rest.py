"""That nothing a server did before a load is counted as work of that load.

PostgreSQL counts what a connection has read when it has answered a statement outside of a
transaction. In a transaction that stays open, or by a statement that goes on, a server could read
as many rows before a load as the load should read, and have them counted in the midst of it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

from webdyno.printable import one_line
from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.psql import Psql
from webdyno.verifier.records import Breakdown

Counted = TypeVar("Counted")

REST_WITHIN_S = 60.0
"""How long a server is waited for that still works off what the warm-up left in its queues."""
AGAIN_S = 0.05
LOOKS, APART_S = 16, 0.002
"""Looks at the connections after each count, and the time between them: one may come between two
transactions."""

# Only a superuser could keep what it does from being seen there.
_NOT_IDLE = f"""
    SELECT pg_sleep({APART_S});
    SELECT pid, state, query FROM pg_stat_activity
    WHERE usename = :'user' AND datname = current_database() AND pid <> pg_backend_pid()
        AND backend_type = 'client backend' AND state NOT IN ('idle', 'starting');
"""


def counted_at_rest(
    psql: Psql, services: Mapping[str, str], count: Callable[[], Counted]
) -> Counted:
    """What `count` tells while all connections of the servers' user, by the variables that servers
    get, are idle; `psql` is the owner's. A server that is asked nothing has none that is not.

    Raises `Breakdown` where that does not come about within `REST_WITHIN_S`, or PostgreSQL cannot
    be asked.
    """
    ends = time.monotonic() + REST_WITHIN_S
    while True:
        # Counted first: what begins after the looks is of the load.
        counted = count()
        with or_breakdown("the server's connections cannot be looked at"):
            rows = psql.rows(_NOT_IDLE * LOOKS, user=services["PGUSER"])
        busy = {pid: (state, query) for pid, state, query in (row for row in rows if len(row) == 3)}
        if not busy:
            return counted
        if time.monotonic() > ends:
            state, query = next(iter(busy.values()))
            raise Breakdown(
                f"{REST_WITHIN_S:.0f} s after the server was last asked anything, {len(busy)} of"
                f" its connections to the database were not idle; one was {state}, with:"
                f" {one_line(query):.100}; end each transaction before the answer"
            )
        time.sleep(AGAIN_S)
