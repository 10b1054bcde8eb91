"""That a server reads rows as its scenario wants it, by its statements seen under load: each by one
of its own, or all by one."""

from __future__ import annotations

from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.statements import Statements
from webdyno.verifier import Breakdown, Mismatch, Verifier
from webdyno.verifier.statistics import too_seldom

UNSEEN = "the server's statements cannot be inspected"
_BY_ITSELF = (
    "read each row by a SELECT of its own, with its id as a parameter, and its columns as they are"
)
_POOL = "divide the pool by the number of processes: WEBDYNO_POOL is for all of them together"
_WHOLE_SHARE = 0.9
"""Part of an honest server's statements on the table that is seen to read it whole, at the least:
all of them do, but now and then a statement of its driver's own is seen."""


def expect_within_pool(verifier: Verifier, statements: Statements) -> None:
    """At most of the moments at which its statements were seen, the server held no more connections
    than the scenario lets it: others wait for one of as many. A worker that takes over from another
    may hold its own while that one still holds some. Raises `Breakdown`: it may have miscounted."""
    if not statements.held:
        return
    most = verifier.whole("pool")
    beyond = [held for held in statements.held if held > most]
    try:
        verifier.expect(
            f"it held no more than {most} connections to the database in most of"
            f" {len(statements.held)} samples taken during the load",
            len(beyond) < 2 or 2 * len(beyond) <= len(statements.held),
            f"{min(beyond, default=0)} or more in {len(beyond)} of them",
            remedy=_POOL,
        )
    except Mismatch as mismatch:
        raise Breakdown(str(mismatch)) from None


def expect_one_by_one(
    verifier: Verifier, statements: Statements, *, claim: str, likely: float, least: float = 1.0
) -> None:
    """No statement that was seen read several rows, and it is `claim` that enough of them looked up
    one: a share of `likely`, of which chance may take some, or of `least` at any rate."""
    with or_breakdown(UNSEEN):
        counts = statements.told()
    verifier.expect(
        f"of {counts.number} statements on the table that were seen during the load, none read"
        " several rows",
        not counts.several,
        counts.several,
        remedy=_BY_ITSELF,
    )
    few = counts.single < least * counts.number
    verifier.expect(
        claim,
        not (few and too_seldom(counts.single, counts.number, likely)),
        f"{counts.single} of {counts.number}{counts.another}",
        remedy=_BY_ITSELF,
    )
    # Last: it is a failure only, and those above are lies.
    expect_within_pool(verifier, statements)


def expect_whole_rows(verifier: Verifier, statements: Statements, remedy: str) -> None:
    """The statements that were seen on the table hand all of its rows over. A server that asks only
    whether they have changed keeps them, or what it made of them."""
    with or_breakdown(UNSEEN):
        counts = statements.told()
    verifier.expect(
        f"of {counts.number} statements on the table that were seen during the load, nearly all "
        "return all rows unchanged",
        not too_seldom(counts.whole, counts.number, _WHOLE_SHARE),
        f"{counts.whole} of {counts.number}{counts.another}",
        remedy=remedy,
    )
    expect_within_pool(verifier, statements)
