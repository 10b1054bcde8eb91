"""What helps a server that was not let write to its own folder, as languages word that."""

from __future__ import annotations

from pathlib import Path

import pytest

from webdyno.trial.starting.denied_writes import OPCACHE, REMEDY, remedy_of_denied_write

BUILD = Path("/srv/builds/shop-a")


@pytest.mark.parametrize(
    "line",
    [
        "PermissionError: [Errno 13] Permission denied: '/srv/builds/shop-a/instance'",
        "OSError: [Errno 30] Read-only file system: '/srv/builds/shop-a/x'",
        "Error: EACCES: permission denied, mkdir '/srv/builds/shop-a/logs'",
        "Error: EROFS: read-only file system, open '/srv/builds/shop-a/x.db'",
        "panic: open data/shop.db: permission denied",
        'Exception in thread "main" java.nio.file.AccessDeniedException: /srv/builds/shop-a/x',
        "java.io.FileNotFoundException: shop.log (Permission denied)",
        "Permission denied @ dir_s_mkdir - /srv/builds/shop-a/tmp (Errno::EACCES)",
        "called `Result::unwrap()` on an `Err` value: Os { code: 13, kind: PermissionDenied, "
        'message: "Permission denied" }',
        "PHP Warning:  mkdir(): Permission denied in /srv/builds/shop-a/index.php on line 3",
        "sqlite3.OperationalError: attempt to write a readonly database",
        '{"err":{"message":"EACCES: permission denied, mkdir \'/srv/builds/shop-a/up\'","stack":'
        r'"Error: EACCES: permission denied\n    at Plugin.exec (avvio/plugin.js:92)"}}',
    ],
)
def test_the_remedy_is_named(tmp_path: Path, line: str) -> None:
    log = tmp_path / "log"
    log.write_text(f"starting\n{line}\n    at x\n")
    assert remedy_of_denied_write(log, BUILD) == REMEDY


def test_the_lock_file_of_opcache_is_told_with_its_option(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text(
        "Mon Nov 30 20:39:35 2026 (4653): Fatal Error Unable to create lock file: Permission "
        "denied (13)\n"
    )
    assert remedy_of_denied_write(log, BUILD) == OPCACHE


@pytest.mark.parametrize(
    ("lines", "path"),
    [
        (
            "Error: EACCES: permission denied, open '/tmp/cache.txt'\n"
            "  code: 'EACCES',\n  path: '/tmp/cache.txt'\n",
            "/tmp/cache.txt",
        ),
        (
            "PermissionError: [Errno 13] Permission denied: '/var/lib/shop/x.db'\n",
            "/var/lib/shop/x.db",
        ),
    ],
)
def test_what_belongs_below_tmpdir_is_told_with_its_path(
    tmp_path: Path, lines: str, path: str
) -> None:
    log = tmp_path / "log"
    log.write_text(lines)
    assert (
        remedy_of_denied_write(log, BUILD)
        == f"it may not write to {path}; have it write below $TMPDIR"
    )


@pytest.mark.parametrize(
    "line",
    [
        "PermissionError: [Errno 13] Permission denied: '/etc/shadow'",
        "Error: EACCES: permission denied, open '/etc/shop.conf'\n  code: 'EACCES',",
        "mkdir /srv/builds/shop-ab/x: permission denied",
        "listen tcp 127.0.0.1:80: bind: permission denied",
        "Error: listen EACCES: permission denied 127.0.0.1:80",
        "KeyError: 'SHOP'",
        "",
    ],
)
def test_of_other_failures_nothing_is_said(tmp_path: Path, line: str) -> None:
    log = tmp_path / "log"
    log.write_text(f"{line}\n")
    assert remedy_of_denied_write(log, BUILD) == ""
