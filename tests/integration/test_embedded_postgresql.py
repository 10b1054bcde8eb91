"""The PostgreSQL that is fetched where the machine has none: the real wheel, the real database."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest

from support.services import postgresql
from webdyno.errors import UserError
from webdyno.runtime.services import ServiceMissing, postgresql_programs
from webdyno.runtime.services.psql import Psql, find_psql
from webdyno.runtime.services.sessions import PostgreSqlSessions

pytestmark = pytest.mark.concurrent


def test_the_fetched_one_serves_and_brings_its_own_tools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(postgresql_programs.VARIABLE, "embedded")
    service = postgresql(tmp_path, tmp_path / "cache")  # skips where no registry can be reached
    try:
        assert service.version == postgresql_programs.EMBEDDED_VERSION
        assert find_psql().parent == postgresql_programs.postgres_program().parent
        [[told]] = Psql(service.env).rows("SHOW server_version")
        assert told == postgresql_programs.EMBEDDED_VERSION
        assert PostgreSqlSessions(service.as_owner, service.env).total() == (0, 0)
    finally:
        service.stop()


def test_what_cannot_be_fetched_is_told_with_the_remedy_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(postgresql_programs.VARIABLE, "embedded")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setattr(postgresql_programs, "_store", lambda: tmp_path)
    with pytest.raises(ServiceMissing, match=r"could not be fetched by pip \(.*apt-get install"):
        postgresql_programs.postgres_program()
    assert [path.suffix for path in tmp_path.iterdir()] == [".lock"]


def test_one_that_somebody_else_has_laid_in_the_shared_folder_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can make a folder of somebody else")
    monkeypatch.setenv(postgresql_programs.VARIABLE, "embedded")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    planted = tmp_path / "webdyno-0"
    planted.mkdir()
    os.chown(planted, pwd.getpwnam("nobody").pw_uid, -1)
    with pytest.raises(UserError, match="belongs to another user"):
        postgresql_programs.postgres_program()


def test_another_program_may_be_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "postgres"
    program.touch(0o755)
    monkeypatch.setenv(postgresql_programs.VARIABLE, str(program))
    assert postgresql_programs.postgres_program() == program
    monkeypatch.setenv(postgresql_programs.VARIABLE, str(tmp_path))
    with pytest.raises(ServiceMissing, match="which is not a program"):
        postgresql_programs.postgres_program()


def test_the_download_may_be_forbidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(postgresql_programs.VARIABLE, "system")
    monkeypatch.setattr(postgresql_programs, "find_program", lambda *names: None)
    with pytest.raises(ServiceMissing, match="PostgreSQL is not installed; on Debian"):
        postgresql_programs.postgres_program()
