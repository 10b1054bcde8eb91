"""A server on the JVM, built by Maven and proven on cold JVMs, with another collector, too."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

from support.toolchains import needs

Cli = Callable[..., subprocess.CompletedProcess[str]]

pytestmark = [
    pytest.mark.long,
    pytest.mark.concurrent,
    needs("java >= 17", "javac >= 17", "mvn >= 3.6.3"),
]


def test_a_cold_jvm_is_proven_to_hash_the_file_of_each_request(cli: Cli) -> None:
    done = cli("verify", "java/servlet", "java/servlet@zgc", "--scenario", "sha256")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ok     java/servlet sha256" in done.stdout
    assert "ok     java/servlet@zgc sha256" in done.stdout
    assert "2 proven, 0 failed" in done.stdout
