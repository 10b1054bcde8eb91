"""What a build leaves is measured as its manifest says."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.catalog.server import read_server
from webdyno.runtime.build import build

MANIFEST = """
name = "tiny"
language = "shell"
framework = "none"
framework_version = "1"
licence = "MIT"
toolchain = []
scenarios = ["hello"]
[build]
commands = [["sh", "-c", "mkdir -p lib/tools; printf 12345 >lib/used; printf 123 >lib/tools/one"]]
artefact = {artefact}
[run]
command = ["true"]
"""


@pytest.mark.parametrize(
    ("artefact", "size"),
    [
        ('["lib"]', 8),
        ('["lib/*"]', 8),
        ('["lib", "!lib/tools"]', 5),
        ('["!lib/tools", "lib/*"]', 5),
        ('["lib", "!*/used"]', 3),
    ],
)
def test_the_artefact_is_what_its_globs_leave(tmp_path: Path, artefact: str, size: int) -> None:
    folder = tmp_path / "shell" / "tiny"
    folder.mkdir(parents=True)
    (folder / "server.toml").write_text(MANIFEST.format(artefact=artefact))
    assert build(read_server(folder), tmp_path / "builds", {}).artefact_bytes == size
