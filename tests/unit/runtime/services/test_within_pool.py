"""How many connections a server may be seen to hold."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from webdyno.runtime.services.one_by_one import expect_within_pool
from webdyno.runtime.services.statements import Statements
from webdyno.verifier import Breakdown, Verifier


@pytest.mark.parametrize(
    ("held", "is_right"),
    [
        ([], True),
        ([16] * 9, True),
        ([0, 3, 16], True),
        # One worker takes over from another.
        ([16, 20, 20, 16, 16], True),
        ([20], True),
        ([17, 17], False),
        ([100] * 8 + [16] * 7, False),
    ],
)
def test_no_more_than_the_scenario_lets_it(held: list[int], is_right: bool) -> None:
    verifier = Verifier(
        parameters={"pool": 16}, folder=Path("queries"), work=Path(), random=Random(1)
    )
    statements = Statements({}, "world")
    statements.held = held
    if is_right:
        expect_within_pool(verifier, statements)
        assert verifier.evidence[-1].ok
    else:
        with pytest.raises(Breakdown, match="no more than 16 connections"):
            expect_within_pool(verifier, statements)
