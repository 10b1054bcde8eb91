"""Who hides its work in children that nobody waits for, where no control group can be made.

Not beside other tests, whose work would be taken for what is hidden, or leave it no time.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from integration.test_escapes import FORGOTTEN, WORKS_IN_A_CHILD, trial_of


@pytest.mark.long
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="the generator's time is others'")
def test_who_hides_in_children_is_not_ranked_where_no_group_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("parents_of", "parents_of_accounts"):
        monkeypatch.setattr(f"webdyno.runtime.confinement.confine.{name}", lambda *_: [])
    trial = trial_of(tmp_path, FORGOTTEN, WORKS_IN_A_CHILD)
    assert trial.status == "failed"
    assert "unseen-processes" in {flag.code for flag in trial.flags}
    assert "of it was seen in its processes" in trial.reason
