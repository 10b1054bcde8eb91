"""How a trial was really made, as its record tells."""

import subprocess
from types import SimpleNamespace
from typing import Any

from webdyno.catalog.loads.load import Closed
from webdyno.runtime.processes.open_files import with_limit
from webdyno.trial.assessment.record import setup_of


def test_it_tells_how_many_files_the_server_could_have_open() -> None:
    placement = SimpleNamespace(
        server=[0], generator=[1], services=[], observer=None, elsewhere=None
    )
    plan: Any = SimpleNamespace(
        placement=placement, load=Closed(kind="closed", duration=10.0), services=[]
    )
    state: Any = SimpleNamespace(measurement=None, regime=SimpleNamespace(note=""))
    started = with_limit(["/bin/sh", "-c", "ulimit -S -n"])
    told = subprocess.run(started, capture_output=True, text=True, check=True).stdout
    assert setup_of(plan, state).open_files == int(told)
