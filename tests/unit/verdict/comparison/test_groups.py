"""Groups are well defined for every way in which pairs can end."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from webdyno.verdict.comparison.groups import tie_groups


def beats(count, *pairs):
    matrix = np.zeros((count, count), dtype=bool)
    for winner, loser in pairs:
        matrix[winner, loser] = True
    return matrix


def test_all_settled_is_a_ranking():
    assert tie_groups(beats(3, (2, 0), (2, 1), (1, 0)), [1, 2, 3]) == ((2,), (1,), (0,))


def test_nothing_settled_is_one_group_listed_by_estimate():
    assert tie_groups(beats(3), [1, 3, 2]) == ((1, 2, 0),)


def test_ties_that_are_not_transitive_join():
    # 0 beats 2, but 1 ties with both: it has no other place than with both.
    assert tie_groups(beats(3, (0, 2)), [3, 2, 1]) == ((0, 1, 2),)


def test_estimates_never_decide_the_order_of_groups():
    assert tie_groups(beats(2, (0, 1)), [1, 9]) == ((0,), (1,))


def test_a_circle_is_one_group():
    assert tie_groups(beats(4, (0, 1), (1, 2), (2, 0), (3, 0), (3, 1), (3, 2)), [4, 3, 2, 1]) == (
        (3,),
        (0, 1, 2),
    )


def test_no_entries_no_groups():
    assert tie_groups(np.zeros((0, 0), dtype=bool), []) == ()


@given(st.integers(1, 7), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_finest_partition_with_settled_borders(count, random):
    matrix = np.zeros((count, count), dtype=bool)
    for i in range(count):
        for j in range(i):
            matrix[(i, j) if random.random() < 0.5 else (j, i)] = random.random() < 0.7
    groups = tie_groups(matrix, [random.random() for _ in range(count)])
    assert sorted(entry for group in groups for entry in group) == list(range(count))
    for place, group in enumerate(groups):
        assert all(matrix[a, b] for later in groups[place + 1 :] for a in group for b in later)
        # No proper part of a group beats all of the rest of it.
        for chosen in range(1, 2 ** len(group) - 1):
            head = [e for k, e in enumerate(group) if chosen >> k & 1]
            rest = [e for e in group if e not in head]
            assert not all(matrix[a, b] for a in head for b in rest)
