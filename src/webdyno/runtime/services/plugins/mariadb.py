"""MariaDB or MySQL 8 as a process of our own: private data and port.

It is MariaDB where that is installed, else MySQL; WEBDYNO_MYSQLD names another server program, such
as `/opt/mysql-8/bin/mysqld` on a machine that has both.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from secrets import token_urlsafe

from webdyno.runtime.ports import free_port
from webdyno.runtime.processes.process import ManagedProcess, plain_environment
from webdyno.runtime.programs import NUMBER, SBIN, Program
from webdyno.runtime.services.base import (
    Access,
    RunningService,
    Service,
    ServiceMissing,
    await_ready,
    database_user,
    find_program,
    made_once,
    own_copy,
    run_checked,
)
from webdyno.runtime.services.mysql import MySql
from webdyno.runtime.trees import hand_over

USER = DATABASE = "webdyno"
"""Who servers connect as: it reads and writes rows, unless all rights are asked for."""
OWNER = "lab"
"""Who verifiers connect as: it has all rights to the database, and a password of its own."""
SERVER_VARIABLE = "WEBDYNO_MYSQLD"
_VARIABLES = {
    "host": "MYSQL_HOST",
    "port": "MYSQL_PORT",
    "user": "MYSQL_USER",
    "password": "MYSQL_PASSWORD",
    "name": "MYSQL_DATABASE",
    "url": "MYSQL_URL",
}
_FOLDERS = ("/usr/sbin", "/usr/libexec", "/usr/local/mysql/bin", "/opt/homebrew/opt/mariadb/bin")
_SETTINGS = {
    "max_connections": "300",
    # The table of the largest scenario fits: lookups cost CPU time, not the disk's moods.
    "innodb_buffer_pool_size": "512M",
    "innodb_flush_log_at_trx_commit": "0",
    "character_set_server": "utf8mb4",
    "collation_server": "utf8mb4_general_ci",
}
# MySQL 8 has no query cache, and another name for the size of the log.
_MARIADB_SETTINGS = {"query_cache_type": "0", "query_cache_size": "0"}
_OWN = {
    # Of the data directory's making, too: a server that finds another size makes its log anew.
    "innodb_log_file_size": "32M",
    "performance_schema": "OFF",
    "skip_name_resolve": "ON",
}


def start_mariadb(
    folder: Path,
    cache: Path,
    cpus: tuple[int, ...],
    log: Path,
    access: Access = Access(),  # noqa: B008 (it is frozen)
) -> RunningService:
    """Start a MariaDB with one empty database in `folder`.

    Servers have no password and rights to the rows in this database, from this machine alone or as
    `access` says. Rows that a scenario needs are brought in by `dataset.install`. Raises
    `ServiceMissing`, `ServiceError`.
    """
    server = _find_server()
    version, mariadb = _version(server)
    user = database_user("mysql")
    template = _template(server, version, mariadb, cache, user)
    data = own_copy("mariadb", template, folder, user)
    files = folder / "files"
    files.mkdir()
    hand_over(files, user)
    port = free_port(access.address)
    password = token_urlsafe()
    first = folder / "access.sql"
    first.write_text(_all_rights() if access.all_rights else _admitting(access, password))
    first.chmod(0o600)
    hand_over(first, user)
    process = ManagedProcess.start(
        [
            str(server),
            "--no-defaults",
            f"--datadir={data}",
            # Its user may not be let into the folder that TMPDIR names.
            f"--tmpdir={data}",
            # Files can be read and written here alone, for rows that are loaded from one.
            f"--secure-file-priv={files}",
            f"--bind-address={access.address}",
            f"--port={port}",
            # Relative to the data: a socket's path may have no more than 107 characters.
            "--socket=server.sock",
            f"--pid-file={data / 'server.pid'}",
            # The data is thrown away: what is in memory need not reach the disk at the stop.
            "--innodb-fast-shutdown=2",
            f"--init-file={first}",
            *_options(mariadb),
        ],
        name="mariadb",
        cwd=folder,
        env=plain_environment(),
        log=log,
        cpus=cpus,
        user=user,
    )
    env = {
        _VARIABLES["host"]: access.address,
        _VARIABLES["port"]: str(port),
        _VARIABLES["user"]: USER,
        _VARIABLES["password"]: "",
        _VARIABLES["name"]: DATABASE,
        _VARIABLES["url"]: f"mysql://{USER}@{access.address}:{port}/{DATABASE}",
    }
    owner_env = {} if access.all_rights else {"MYSQL_USER": OWNER, "MYSQL_PASSWORD": password}
    await_ready(process, folder, MySql(env).answers)
    return RunningService(
        name="mariadb",
        program="MariaDB" if mariadb else "MySQL",
        version=version,
        process=process,
        env=env,
        folder=folder,
        owner_env=owner_env,
        facts={**_SETTINGS, **(_MARIADB_SETTINGS if mariadb else {})},
    )


def _all_rights() -> str:
    """Statements that make the account of who may do anything."""
    return (
        f"CREATE USER '{USER}'@'%' IDENTIFIED BY '';\n"
        f"GRANT ALL PRIVILEGES ON *.* TO '{USER}'@'%' WITH GRANT OPTION;\n"
    )


def _admitting(access: Access, password: str) -> str:
    """Statements, one a line (that is how a server reads them before it accepts connections), that
    make the accounts of a server and of the owner: nobody is let in but the one machine, and this
    one.

    With all rights, a server under test could write files through the database, change its
    settings, and put triggers and views between the verifier and the rows. FILE and RELOAD load and
    export a table (see `dataset`), from and to a folder of the database's own.
    """
    return "".join(
        f"CREATE USER '{USER}'@'{host}' IDENTIFIED BY '';\n"
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON {DATABASE}.* TO '{USER}'@'{host}';\n"
        f"CREATE USER '{OWNER}'@'{host}' IDENTIFIED BY '{password}';\n"
        f"GRANT ALL PRIVILEGES ON {DATABASE}.* TO '{OWNER}'@'{host}';\n"
        f"GRANT FILE, RELOAD ON *.* TO '{OWNER}'@'{host}';\n"
        for host in sorted({access.client, access.address})
    )


def _options(mariadb: bool) -> list[str]:
    settings = {**_SETTINGS, **_OWN, **(_MARIADB_SETTINGS if mariadb else {})}
    if not mariadb:
        settings["innodb_redo_log_capacity"] = settings.pop("innodb_log_file_size")
        settings["mysqlx"] = "OFF"
        # Older drivers, such as node's first one, know no other way to log in.
        settings["default_authentication_plugin"] = "mysql_native_password"
    return [f"--{name}={value}" for name, value in settings.items()]


def look_for_mariadb() -> None:
    """Raises `ServiceMissing` where the server is missing."""
    _find_server()


def _find_server() -> Path:
    if named := os.environ.get(SERVER_VARIABLE):
        if (program := find_program(named)) is None:
            raise ServiceMissing(
                f"{SERVER_VARIABLE} is {named}, which is not a program; set it "
                "to a mysqld or mariadbd"
            )
        return program
    for name in ("mariadbd", "mysqld"):
        if (program := find_program(name, *_FOLDERS)) is not None:
            return program
    raise ServiceMissing(
        "MariaDB is not installed; on Debian or Ubuntu: apt-get install mariadb-server, "
        "on macOS: brew install mariadb"
    )


def _version(server: Path) -> tuple[str, bool]:
    """Such as `10.11.6`, and whether it is MariaDB."""
    text = subprocess.run(
        [server, "--no-defaults", "--version"], capture_output=True, text=True, check=True
    ).stdout
    # "mariadbd  Ver 10.11.6-MariaDB-0+deb12u1 for …", "mysqld  Ver 8.0.33 for …"
    words = text.split()
    version = words[words.index("Ver") + 1]
    return version.partition("-")[0], "mariadb" in text.lower()


def _named_version(server: Path) -> tuple[str, str]:
    version, mariadb = _version(server)
    return "MariaDB" if mariadb else "MySQL", version


def _template(server: Path, version: str, mariadb: bool, cache: Path, user: str | None) -> Path:
    """A data directory that holds our empty database, made once for each version."""

    def make(folder: Path) -> None:
        options = [
            *(f"--{name}={folder}" for name in ("datadir", "tmpdir", "secure-file-priv")),
            *_options(mariadb),
        ]
        if mariadb:
            install = [str(_install_db()), "--no-defaults", *options, "--skip-test-db"]
            install.append("--auth-root-authentication-method=normal")
            run_checked("mariadb", install, folder, user)
            first = "FLUSH PRIVILEGES;\n"  # Without it, this mode knows of no users.
            bootstrap = [str(server), "--no-defaults", "--bootstrap", *options]
            run_checked("mariadb", bootstrap, folder, user, first + _ACCOUNT)
        else:
            account = folder.with_name(f"{folder.name}.sql")
            account.write_text(_ACCOUNT)
            argv = [str(server), "--no-defaults", "--initialize-insecure", *options]
            run_checked("mariadb", [*argv, f"--init-file={account}"], folder, user)
            account.unlink()

    kind = "mariadb" if mariadb else "mysql"
    return made_once(cache / f"{kind}-{version}-{user or 'self'}-no-accounts", user, make)


# The accounts that are there have no passwords.
_ACCOUNT = f"""\
CREATE DATABASE {DATABASE};
DROP USER IF EXISTS root@localhost, root@'127.0.0.1', root@'::1', mysql@localhost, ''@localhost;
"""


def _install_db() -> Path:
    for name in ("mariadb-install-db", "mysql_install_db"):
        if (found := find_program(name, "/usr/bin", *_FOLDERS)) is not None:
            return found
    raise ServiceMissing("mariadb-install-db is missing; it comes with MariaDB's server package")


SERVICE = Service(
    start_mariadb,
    look_for_mariadb,
    programs=(
        Program(
            "mariadb",
            ("--version",),
            rf"Ver {NUMBER}-MariaDB",
            "mariadb-server",
            "mariadb",
            executables=("mariadbd", "mysqld"),
            folders=SBIN,
            use="scenarios with MariaDB",
        ),
    ),
    seed=lambda env, file: MySql(env).run_file(file),
    drivers=r"mysql|mariadb",
    variables=_VARIABLES,
    far=start_mariadb,
    version=lambda: _named_version(_find_server()),
)
