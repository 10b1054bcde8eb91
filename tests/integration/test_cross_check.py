"""The engine and wrk, side by side against the server that the engine brings."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from webdyno.generators.cross_check import check as cross_check
from webdyno.generators.cross_check import tools

pytestmark = pytest.mark.concurrent


def test_both_are_measured_and_the_engine_sees_the_stall(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "wrk.py").symlink_to(Path(tools.__path__[0]) / "wrk.py")
    monkeypatch.setattr(tools, "__path__", [str(tmp_path)])
    monkeypatch.setattr(cross_check, "ROUNDS", 1)
    steps: list[str] = []
    checked = cross_check.check(steps.append)
    rows = {row.name: row for row in checked.compared}
    engine = rows["engine"]
    assert engine.failures == ()
    assert engine.engine_cpu_ratio == 1.0
    assert engine.rps
    assert engine.rps > 1000
    assert engine.cpu_us
    assert 0 < engine.cpu_us < 1000
    assert engine.peak_bytes
    # A busy machine makes it later, never earlier: whoever does not see the stall says 1 to 2 ms.
    assert engine.latency_ms[0.95] > 50
    assert engine.latency_ms[0.999] > 150
    if shutil.which("wrk"):
        assert rows["wrk"].rps
        assert rows["wrk"].latency_ms == {}
        assert steps[-1].startswith("engine: 1000/s")
    else:
        assert [tool.name for tool in checked.missing] == ["wrk"]


def test_a_behaviour_that_is_none_is_refused() -> None:
    code = "from webdyno._engine import serve_known; serve_known('slow')"
    source = str(Path(cross_check.__file__).resolve().parents[3])
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": source},
        timeout=30,
    )
    assert done.returncode == 1
    assert "slow: use instant or stall" in done.stderr
