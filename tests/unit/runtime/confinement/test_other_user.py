"""Root that may not start programs as another user: servers run as root, databases not at all."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from webdyno.runtime.confinement import protection as protection_module
from webdyno.runtime.confinement import sandbox
from webdyno.runtime.confinement.other_user import can_become
from webdyno.runtime.services import base
from webdyno.runtime.services.base import ServiceError, database_user

LACKING = {
    "capabilities": ["setpriv", "--bounding-set=-chown,-setuid,-setgid"],
    "numbers": ["unshare", "--user", "--map-root-user"],
}
ASKS = (
    "from webdyno.runtime.confinement.sandbox import unprivileged\n"
    "import os\nprint(os.geteuid(), unprivileged())"
)


@pytest.mark.slow
@pytest.mark.parametrize("what", LACKING)
def test_root_may_lack_what_it_takes_to_be_another_user(what: str) -> None:
    start = LACKING[what]
    usable = shutil.which(start[0]) and subprocess.run([*start, "true"], check=False)
    if os.geteuid() != 0 or not usable or usable.returncode != 0:
        pytest.skip(f"needs root, and {start[0]} that works")
    asked = subprocess.run(
        [*start, sys.executable, "-c", ASKS], capture_output=True, text=True, check=True
    )
    assert asked.stdout.split() == ["0", "None"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_root_with_its_rights_can() -> None:
    assert can_become("nobody")
    assert not can_become("no-such-user")


@pytest.fixture
def crippled_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    for module in (sandbox, base):
        monkeypatch.setattr(module, "can_become", lambda _user: False)


@pytest.mark.usefixtures("crippled_root")
def test_servers_then_run_as_root_which_is_told() -> None:
    assert sandbox.unprivileged() is None
    missing = protection_module.protection.__wrapped__().missing
    assert [line for line in missing if line.startswith("servers run as root, because")]


@pytest.mark.usefixtures("crippled_root")
def test_databases_then_say_why_they_cannot_run() -> None:
    with pytest.raises(ServiceError, match="start Webdyno as an ordinary user"):
        database_user("postgres")
