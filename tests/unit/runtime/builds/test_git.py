"""Git as Webdyno runs it: of its caller's variables, it has those that name no repository."""

from pathlib import Path

import pytest

from webdyno.runtime.builds.git import git


def test_variables_that_say_how_and_not_where_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = {"GIT_LFS_SKIP_SMUDGE": "1", "GIT_SSH_COMMAND": "ssh -i key", "GIT_ASKPASS": "/bin/ask"}
    for name, value in {**kept, "GIT_DIR": "/nowhere", "GIT_INDEX_FILE": "/index"}.items():
        monkeypatch.setenv(name, value)
    shown = git(["-c", "alias.shown=!env", "shown"], tmp_path).stdout.splitlines()
    assert {f"{name}={value}" for name, value in kept.items()} <= set(shown)
    assert not [one for one in shown if one.startswith(("GIT_DIR=", "GIT_INDEX_FILE="))]
