"""How many connections to a database a server holds under load."""

from __future__ import annotations

from collections.abc import Sequence

from webdyno.verifier import Verifier, as_excess

_POOL = "divide the pool by the number of processes: WEBDYNO_POOL is for all of them together"


def expect_within_pool(verifier: Verifier, held: Sequence[int]) -> None:
    """At most of the moments of the load at which they were counted, the server `held` no more
    connections than the scenario lets it: others wait for one of as many. A worker that takes over
    from another may hold its own while that one still holds some. Raises `Excess`: it may have
    miscounted."""
    if not held:
        return
    most = verifier.whole("pool")
    beyond = [one for one in held if one > most]
    with as_excess():
        verifier.expect(
            f"it held no more than {most} connections to the database in most of"
            f" {len(held)} samples taken during the load",
            len(beyond) < 2 or 2 * len(beyond) <= len(held),
            f"{min(beyond, default=0)} or more in {len(beyond)} of them",
            remedy=_POOL,
        )
