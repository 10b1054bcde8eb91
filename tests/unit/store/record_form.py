"""`python tests/unit/store/record_form.py NAME`: keep the form that records have today.

NAME is what names it, such as a release. Adds a line to `forms.jsonl`; see `test_forms.py`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2] / "src"), str(HERE.parents[1])]


def main(name: str) -> None:
    """Add the form."""
    from support.synthetic_run import build_run

    run = build_run(blocks=1, seconds=2).model_dump(mode="json", by_alias=True)
    trials = {trial["status"]: trial for trial in run["trials"]}
    for trial in trials.values():
        measured = trial["measurement"]
        measured["histograms"], measured["observations"] = {}, measured["observations"][:2]
    run["trials"], run["verdicts"] = list(trials.values()), run["verdicts"][:1]
    line = json.dumps({"form": name, "run": run}, separators=(",", ":"))
    with (HERE / "forms.jsonl").open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


if __name__ == "__main__":
    main(sys.argv[1])
