"""A study with the user's changes."""

from __future__ import annotations

import pytest

from webdyno.catalog.studies.study import StudyManifest
from webdyno.errors import UserError
from webdyno.run.study.narrow import narrowed


def study(*methods: str, **changes: object) -> StudyManifest:
    loads = [
        {
            "kind": "closed",
            "name": f"load-{i}",
            "method": method,
            "connections": 4,
            "duration": "9s",
        }
        for i, method in enumerate(methods)
    ]
    return StudyManifest.model_validate(
        {
            "name": "small",
            "title": "Small",
            "question": "How long?",
            "servers": ["node/http"],
            "scenarios": ["json"],
            "loads": loads,
            **changes,
        }
    )


def test_a_duration_is_for_the_published_loads_alone() -> None:
    changed = narrowed(study("as-published", "sound"), duration=2.5, method="both")
    assert [load.duration for load in changed.loads if load.kind == "closed"] == [2.5, 9.0]


def test_a_duration_that_changes_nothing_is_refused() -> None:
    with pytest.raises(UserError, match="no closed load of method 'as-published'"):
        narrowed(study("sound"), duration=2.5)


def test_without_changes_it_is_the_same_study() -> None:
    same = study("sound")
    assert narrowed(same) is same


def test_another_number_of_blocks_leaves_the_rest_of_how_they_are_made() -> None:
    asked = study("sound", blocks={"min": 4, "max": 9, "looks": "late", "shared_starts": True})
    for blocks, least in ((2, 2), (6, 4)):
        changed = narrowed(asked, blocks=blocks).blocks
        assert changed.model_dump() == {
            "min": least, "max": blocks, "looks": "late", "shared_starts": True
        }  # fmt: skip
