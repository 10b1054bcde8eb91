"""How long a comparison measures: what its builds have left of the budget."""

import pytest

from webdyno.ab.compare import left_of


@pytest.mark.parametrize(
    ("budget_s", "spent_s", "left_s"),
    [(300.0, 12.4, 287.0), (300.0, 0.2, 299.0), (300.0, 200.0, 150.0), (1.0, 4.0, 1.0)],
)
def test_builds_are_part_of_the_budget(budget_s: float, spent_s: float, left_s: float) -> None:
    # Half of it at least is for measuring, however long they took.
    assert left_of(budget_s, spent_s) == left_s
