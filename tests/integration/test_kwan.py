"""The tests of the framework in servers/node/kwan, run on its build by Node's own test runner."""

from __future__ import annotations

import re
import subprocess

import pytest

from support.offline import fetching
from webdyno.catalog.catalog import Catalog
from webdyno.run.preparation.servers import prepare_server
from webdyno.runtime.builds.commands import BuildError
from webdyno.runtime.home import Home
from webdyno.runtime.toolchains import find
from webdyno.trial.events import silent

pytestmark = [
    pytest.mark.concurrent,
    pytest.mark.long,
    pytest.mark.skipif(
        not (find("node >= 20").ok and find("npm >= 10").ok), reason="needs Node.js and npm"
    ),
]


def test_its_own_tests_pass() -> None:
    with fetching(BuildError):
        built = prepare_server(Catalog().server("node/kwan"), Home.default().builds, silent)
    done = subprocess.run(
        ["npm", "test", "--silent"],
        cwd=built.build.folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    assert re.search(r"^(#|ℹ) pass [1-9]", done.stdout, re.MULTILINE), done.stdout[-500:]
