"""The start of the command line in its environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import stamp
from layout import Layout

BOOTSTRAP = Path(stamp.__file__).parent


def test_a_python_that_cannot_be_started_is_told_in_one_line(tmp_path: Path) -> None:
    layout = Layout(Layout.here().root, tmp_path)
    layout.python.parent.mkdir(parents=True)
    layout.python.write_text("")
    said = (
        "import sys; sys.path.insert(0, sys.argv[1]); import stamp, runpy\n"
        "stamp.is_current = lambda *_: True\n"
        "sys.argv = [sys.argv[1], 'list']\n"
        "sys.exit(runpy.run_path(sys.argv[0] + '/__main__.py')['main']())"
    )
    made = subprocess.run(
        [sys.executable, "-c", said, str(BOOTSTRAP)],
        env={**os.environ, "WEBDYNO_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 2, made.stderr
    (line,) = made.stderr.splitlines()
    assert line.endswith(f"(Permission denied); remove {layout.venv}, and it is set up anew")
