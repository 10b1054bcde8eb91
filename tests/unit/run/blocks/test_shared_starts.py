"""Which trials are made at once, and which in one start of a server."""

from __future__ import annotations

from itertools import starmap

from support.small_study import a_study, matchups
from webdyno.run.study.plan import PlacedMatchup, by_entry, concurrent_groups, order_of_block

LOADS = [
    {"name": "full", "kind": "closed", "connections": 8, "duration": "1s", "slice": "100ms"},
    {"name": "alone", "kind": "closed", "connections": 1, "duration": "1s"},
    {"name": "steady", "kind": "open", "phases": ["50/s:1s"], "slice": "100ms"},
]


def test_loads_in_turns_are_made_in_the_same_starts_where_these_are_shared() -> None:
    made = matchups(a_study(loads=LOADS, scenarios=["json"], metrics=["throughput_rps"]))
    entries = {matchup.entry.label for matchup in made}
    for block in range(6):
        order = list(starmap(PlacedMatchup, enumerate(order_of_block(made, "r", block))))
        apart = concurrent_groups(order)
        in_turns = [group for group in apart if len(group) > 1]
        assert {group[0][1].cell.load.label() for group in in_turns} == {"full", "steady"}
        assert sorted(place for group in apart for place, _ in group) == list(range(len(made)))
        shared = concurrent_groups(order, shared_starts=True)
        assert len(shared) == 1 + len(entries)
        (both,) = (group for group in shared if len(group) > 1)
        # Wherever the load of one user stands in the order, with the load that comes first first.
        first = next(m.cell.load.label() for _, m in order if m.cell.load.in_turns)
        starts = by_entry(dict(enumerate(both)))
        assert len(starts) == len(entries)
        for start in starts:
            assert len({due.matchup.entry.label for due in start}) == 1
            loads = [due.matchup.cell.load.label() for due in start]
            assert loads[0] == first
            assert set(loads) == {"full", "steady"}
