"""The steps of `action.yml`, run as a runner runs them."""

import os
import re
import subprocess
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
STEPS = {
    name: textwrap.dedent(script)
    for name, script in re.findall(
        r"- name: (\w+)\n(?:      .*\n)*?      run: \|\n((?:        .*\n|\n)+)", ACTION
    )
}


def step(name: str, folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Run a step in `folder` with `inputs` as its environment."""
    script = folder / "script.sh"
    script.write_text(STEPS[name])
    env = {
        "PATH": os.environ["PATH"],
        "RUNNER_TEMP": str(folder),
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
    }
    command = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
    return subprocess.run(command, env=env | inputs, capture_output=True, text=True)


def program(path: Path, text: str) -> None:
    """Write a stand-in for a program, a shell script."""
    path.write_text(f"#!/bin/sh\n{text}")
    path.chmod(0o755)
