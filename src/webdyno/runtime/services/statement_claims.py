"""That a server reads rows as its scenario wants it, by its statements seen under load: each by one
of its own, or all by one."""

from __future__ import annotations

from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.statements import Statements, StatementsSeen
from webdyno.runtime.services.within_pool import expect_within_pool
from webdyno.verifier import Verifier, as_excess
from webdyno.verifier.statistics import too_seldom

UNSEEN = "the server's statements cannot be inspected"
_BY_ITSELF = (
    "read each row by a SELECT of its own, with its id as a parameter, and its columns as they are"
)
_PLAINLY = (
    "read the table by plain SELECTs: without EXECUTE, FETCH, COPY and EXPLAIN, and without OR,"
    " UNION, INTERSECT, EXCEPT, CASE, backslashes, comparisons with NULL and constant texts other"
    " than the key"
)
_TRANSACTION = "end each request's transaction before its answer is sent"
_LEAST_ON_TABLE = 0.01
"""Part of an honest server's statements that is seen to be on the table, at the least: a COMMIT is
seen for longer, until the connection is used again."""
_WHOLE_SHARE = 0.9
"""Part of an honest server's statements on the table that is seen to read it whole, at the least:
all of them do, but now and then a statement of its driver's own is seen."""


def _expect_some(verifier: Verifier, seen: StatementsSeen) -> None:
    """Of many statements seen, one at least is on the table: else it is read in a way that is not
    seen. Raises `Excess`: a connection shows its last statement however long it is idle."""
    with as_excess():
        verifier.expect(
            f"of {seen.of_all} statements that were seen during the load, some are on the table",
            seen.number > 0 or not too_seldom(0, seen.of_all, _LEAST_ON_TABLE),
            f"{seen.number} of {seen.of_all}",
            remedy=_PLAINLY,
        )


def _expect_shown(verifier: Verifier, seen: StatementsSeen) -> None:
    """No statement hid what it reads, by another one or by a setting of its session. Raises
    `Excess`: a driver may do so for all that is honest, and what it read is not known."""
    with as_excess():
        verifier.expect(
            "none of the statements that were seen during the load hid what it reads",
            not seen.hidden,
            seen.hidden,
            remedy=_PLAINLY,
        )


def _expect_no_older(verifier: Verifier, statements: Statements) -> None:
    """No transaction that was seen during the load had begun before it, by when every request had
    been answered: what it had read by then counts as the load's. Raises `Excess`."""
    if not statements.held:
        return
    older = statements.older
    with as_excess():
        verifier.expect(
            "no transaction that was seen during the load had begun before it",
            not older,
            f"{len(older)} had; one with: {next(iter(older.values()), '')}",
            remedy=_TRANSACTION,
        )


def _expect_no_excess(verifier: Verifier, statements: Statements, seen: StatementsSeen) -> None:
    """What is a failure only, and so comes after what is a lie."""
    _expect_shown(verifier, seen)
    _expect_some(verifier, seen)
    _expect_no_older(verifier, statements)
    expect_within_pool(verifier, statements.held)


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
    _expect_no_excess(verifier, statements, counts)


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
    _expect_no_excess(verifier, statements, counts)
