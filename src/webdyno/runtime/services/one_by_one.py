"""That a server reads each row by a statement of its own, by those seen under load."""

from __future__ import annotations

from webdyno.runtime.services.or_breakdown import or_breakdown
from webdyno.runtime.services.statements import Statements
from webdyno.verifier import Verifier
from webdyno.verifier.statistics import too_seldom

UNSEEN = "the server's statements cannot be looked at"
_BY_ITSELF = "read each row by a SELECT of its own, with its id as a parameter"


def expect_one_by_one(
    verifier: Verifier, statements: Statements, *, claim: str, likely: float, least: float = 1.0
) -> None:
    """No statement that was seen read several rows, and it is `claim` that enough of them looked up
    one: a share of `likely`, of which chance may take some, or of `least` at any rate."""
    with or_breakdown(UNSEEN):
        told = statements.told()
    verifier.expect(
        f"of {told.number} statements on the table that were seen during the load, none read"
        " several rows",
        not told.several,
        told.several,
        remedy=_BY_ITSELF,
    )
    few = told.single < least * told.number
    verifier.expect(
        claim,
        not (few and too_seldom(told.single, told.number, likely)),
        f"{told.single} of {told.number}{told.another}",
        remedy=_BY_ITSELF,
    )
