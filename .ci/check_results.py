"""Check what a short run wrote: valid by its schema, complete, and sound.

Usage: check_results.py RUN.json REPORT.html
"""

from __future__ import annotations

import json
import sys
from importlib import resources
from pathlib import Path
from typing import Any

import jsonschema


def faults(run: dict[str, Any]) -> list[str]:
    """What is wrong with the run, one line each."""
    schema = json.loads(resources.files("webdyno").joinpath("schemas/run.schema.json").read_text())
    validator = jsonschema.validators.validator_for(schema)(schema)
    found = [f"schema: {error.json_path}: {error.message}" for error in validator.iter_errors(run)]
    if found:
        return found
    trials, verdicts = run["trials"], run["verdicts"]
    if not trials:
        found.append("no trials")
    if not verdicts:
        found.append("no verdicts")
    for trial in trials:
        if trial["status"] != "ok":
            name = f"{trial['server']} {trial['scenario']}"
            found.append(f"{name} is {trial['status']}: {trial.get('reason', '')}")
    if len({trial["server"] for trial in trials}) < 2:
        found.append("fewer than two servers were measured")
    # What the budget carried fewer than three blocks of has no places.
    enough = [verdict for verdict in verdicts if verdict["blocks"] >= verdict["blocks_needed"]]
    if verdicts and not enough:
        found.append("the budget did not carry the blocks of a single verdict")
    unranked = [verdict["scenario"] for verdict in enough if not verdict["groups"]]
    return found + [f"{scenario}: nothing is ranked" for scenario in unranked]


def main() -> int:
    """Print what was found; gives the exit code."""
    run_file, report = map(Path, sys.argv[1:3])
    run = json.loads(run_file.read_text(encoding="utf-8"))
    found = faults(run)
    if "<!doctype html>" not in report.read_text(encoding="utf-8")[:200].lower():
        found.append(f"{report}: not an HTML page")
    for line in found:
        print(f"✗ {line}")
    if not found:
        counted = f"{len(run['trials'])} trials, {len(run['verdicts'])} verdicts"
        print(f"✓ {counted}, valid by the schema; report of {report.stat().st_size} bytes")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
