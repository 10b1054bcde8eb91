"""PostgreSQL as a process of our own: private data, socket and port, no root."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from secrets import token_urlsafe

from webdyno.runtime.ports import LOOPBACK, free_port
from webdyno.runtime.processes.process import ManagedProcess, plain_environment
from webdyno.runtime.programs import NUMBER, SBIN, Program
from webdyno.runtime.services.base import (
    Access,
    RunningService,
    Service,
    await_ready,
    database_user,
    made_once,
    own_copy,
    run_checked,
)
from webdyno.runtime.services.postgresql_programs import (
    DOWNLOAD_MB,
    EMBEDDED_VERSION,
    own_program,
    postgres_program,
)
from webdyno.runtime.services.psql import Psql, find_psql

USER = DATABASE = "webdyno"
"""Who servers connect as: it reads and writes the rows of tables that are not its own, and may make
others in a schema of its own, unless all rights are asked for. A superuser could start programs and
write files, which are in nobody's account or sandbox. Nor may it write functions, procedures and DO
blocks."""
_OWNER = "lab"
"""Who verifiers connect as: it owns the database and the tables in it. What servers do to their own
role, such as a search path that puts views of theirs before the system's, does not concern it."""
_ADMIN = "admin"
"""The superuser; nobody can connect as it."""
READY_TIMEOUT_S = 5.0
_VARIABLES = {
    "host": "PGHOST",
    "port": "PGPORT",
    "user": "PGUSER",
    "name": "PGDATABASE",
    "url": "DATABASE_URL",
}
_SETTINGS = {
    "max_connections": "300",
    "shared_buffers": "128MB",
    # Commits do not wait for the disk: a shared disk's moods would drown what servers differ in.
    "synchronous_commit": "off",
    "log_min_messages": "warning",
    "jit": "off",
    "max_wal_size": "2GB",
    # Until a trial is over: what was written is counted in the log.
    "wal_keep_size": "4GB",
    # In bytes: a verifier sees all of each statement, and not only its beginning.
    "track_activity_query_size": "65536",
}


def look_for_postgresql() -> None:
    """Raises `ServiceMissing` where the server, or the client that verifiers use, is missing;
    fetches the pinned server where the machine has none."""
    find_psql()


def start_postgresql(
    folder: Path,
    cache: Path,
    cpus: tuple[int, ...],
    log: Path,
    access: Access = Access(),  # noqa: B008 (it is frozen)
) -> RunningService:
    """Start an empty PostgreSQL in `folder`. Raises `ServiceMissing`, `ServiceError`."""
    postgres = postgres_program()
    version = _version(postgres)
    user = database_user("postgres")
    template = _template(postgres, version, cache, user, all_rights=access.all_rights)
    data = own_copy("postgresql", template, folder, user)
    owner_env = {} if access.all_rights else _with_password(postgres, data, folder, user)
    port = free_port(access.address)
    if access.client != LOOPBACK:
        with (data / "pg_hba.conf").open("a") as allowed:
            allowed.writelines(map(_admitting, (access.client, access.address)))
    settings = {
        **_SETTINGS,
        "listen_addresses": access.address,
        "port": str(port),
        # All come by TCP, and a socket's path may be too long, or hold a comma.
        "unix_socket_directories": "",
    }
    process = ManagedProcess.start(
        [
            str(postgres),
            "-D",
            str(data),
            *(f"--{name}={value}" for name, value in settings.items()),
        ],
        name="postgresql",
        cwd=folder,
        env=plain_environment(),
        log=log,
        cpus=cpus,
        user=user,
    )
    await_ready(process, folder, lambda: _is_ready(postgres, access.address, port))
    return RunningService(
        name="postgresql",
        program="PostgreSQL",
        version=version,
        process=process,
        env={
            _VARIABLES["host"]: access.address,
            _VARIABLES["port"]: str(port),
            _VARIABLES["user"]: USER,
            _VARIABLES["name"]: DATABASE,
            _VARIABLES["url"]: f"postgresql://{USER}@{access.address}:{port}/{DATABASE}",
        },
        folder=folder,
        owner_env=owner_env,
        facts=dict(_SETTINGS),
        stopped_by=signal.SIGINT,  # Its fast shutdown; at SIGTERM it waits for its clients.
    )


def _program_and_version() -> tuple[str, str]:
    own = own_program()
    return "PostgreSQL", EMBEDDED_VERSION if own is None else _version(own)


def _version(postgres: Path) -> str:
    text = subprocess.run(
        [postgres, "--version"], capture_output=True, text=True, check=True
    ).stdout
    return text.split()[2]


def _admitting(address: str) -> str:
    """The lines by which nobody but servers, and who has the owner's password, is let in from
    there."""
    return f"host all {USER} {address}/32 trust\nhost all {_OWNER} {address}/32 scram-sha-256\n"


def _with_password(postgres: Path, data: Path, folder: Path, user: str | None) -> dict[str, str]:
    """Give the owner of a cluster that does not run yet a new password: how it connects."""
    password = token_urlsafe()
    statement = f"ALTER ROLE {_OWNER} PASSWORD '{password}';\n"
    _alone(postgres, data, "postgres", folder, user, statement)
    return {"PGUSER": _OWNER, "PGPASSWORD": password, "PGOPTIONS": "-c search_path=public"}


def _alone(
    postgres: Path, data: Path, database: str, folder: Path, user: str | None, statements: str
) -> None:
    """Run statements, one a line, in a cluster that does not run."""
    argv = [str(postgres), "--single", "-F", "-D", str(data), database]
    run_checked("postgresql", argv, folder, user, statements)


def _template(
    postgres: Path, version: str, cache: Path, user: str | None, *, all_rights: bool
) -> Path:
    """An initialised cluster that holds our empty database, made once for each version."""

    def make(folder: Path) -> None:
        initdb = [
            str(postgres.with_name("initdb")), "--pgdata", str(folder), "--username", _ADMIN,
            "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync",
        ]  # fmt: skip
        run_checked("postgresql", initdb, folder, user)
        (folder / "pg_hba.conf").write_text(_admitting(LOOPBACK))
        if all_rights:
            steps = [("postgres", _ALL_RIGHTS), (DATABASE, _log_for(USER))]
        else:
            # Our database is a copy of template1; servers may enter the others, too.
            entered = ("template0", "template1", "postgres")
            steps = [(database, _NO_PROGRAMS) for database in entered]
            own = _RIGHTS + _NO_STAND_INS + _log_for(_OWNER)
            steps += [("postgres", _ACCOUNTS), (DATABASE, own)]
        for database, statements in steps:
            _alone(postgres, folder, database, folder, user, statements)

    # Another name for each set of statements: templates outlive Webdyno's versions.
    rights = "all-rights-2" if all_rights else "rows-only-4"
    # initdb settles by this whether there is shared memory of POSIX's.
    memory = "" if Path("/dev/shm").is_dir() else "-without-shm"
    name = f"postgresql-{version}-{user or 'self'}-{rights}{memory}"
    return made_once(cache / name, user, make)


# One statement a line: that is how a server without clients reads them.
_ALL_RIGHTS = f"""\
CREATE ROLE {USER} LOGIN SUPERUSER;
CREATE DATABASE {DATABASE} OWNER {USER};
"""
# The owner may look into the tables that a server has made, too.
_ACCOUNTS = f"""\
CREATE ROLE {USER} LOGIN;
CREATE ROLE {_OWNER} LOGIN IN ROLE {USER}, pg_monitor;
CREATE DATABASE {DATABASE} OWNER {_OWNER};
"""
# A server's own schema has its name: it makes its tables there without saying so, and reads those
# of the verifier all the same.
_RIGHTS = f"""\
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
GRANT USAGE ON SCHEMA public TO {USER};
GRANT USAGE, CREATE ON SCHEMA public TO {_OWNER};
CREATE SCHEMA {USER} AUTHORIZATION {USER};
ALTER DEFAULT PRIVILEGES FOR ROLE {_OWNER} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {USER};
ALTER DEFAULT PRIVILEGES FOR ROLE {_OWNER} GRANT USAGE, SELECT ON SEQUENCES TO {USER};
"""
# Names must mean the same in its sessions as to the verifier: where a view stands in the place of a
# table, or an operator in that of another, the look-up of a row reads many. Event
# triggers fire also in transactions that are rolled back.
_NO_STAND_INS = f"""\
REVOKE TEMPORARY ON DATABASE {DATABASE} FROM PUBLIC;
CREATE SCHEMA names;
CREATE FUNCTION names.refuse() RETURNS event_trigger LANGUAGE plpgsql \
SET search_path = pg_catalog, pg_temp AS $$ BEGIN IF session_user = '{USER}' THEN \
RAISE insufficient_privilege USING MESSAGE = 'permission denied: ' || tg_tag; END IF; END $$;
CREATE FUNCTION names.refuse_taken() RETURNS event_trigger LANGUAGE plpgsql \
SET search_path = pg_catalog, pg_temp AS $$ DECLARE taken text; BEGIN \
IF session_user = '{USER}' THEN SELECT own.relname INTO taken FROM pg_class own \
JOIN pg_class others USING (relname) JOIN pg_namespace s ON s.oid = own.relnamespace \
WHERE s.nspname = '{USER}' AND 'vmrpf' ~ own.relkind::text AND 'vmrpf' ~ others.relkind::text \
AND others.relnamespace IN ('public'::regnamespace, 'pg_catalog'::regnamespace) LIMIT 1; \
IF FOUND THEN RAISE insufficient_privilege USING MESSAGE = \
'permission denied: another table is called ' || taken; END IF; END IF; END $$;
CREATE EVENT TRIGGER no_stand_ins ON ddl_command_start WHEN TAG IN ('CREATE VIEW', \
'CREATE MATERIALIZED VIEW', 'CREATE RULE', 'CREATE OPERATOR', 'CREATE AGGREGATE', 'CREATE CAST') \
EXECUTE FUNCTION names.refuse();
CREATE EVENT TRIGGER no_namesakes ON ddl_command_end \
EXECUTE FUNCTION names.refuse_taken();
"""
# Who can write programs that run in the database can have it do the work of many requests for one
# statement, and count as many transactions. To run those of others takes no such right. Nor are
# there functions that run a statement given as a text: it is seen nowhere.
_NO_PROGRAMS = """\
REVOKE USAGE ON LANGUAGE plpgsql, sql FROM PUBLIC;
DO $$ DECLARE one regprocedure; BEGIN FOR one IN SELECT oid FROM pg_proc \
WHERE pronamespace = 'pg_catalog'::regnamespace AND (proname ~ '_to_xml' OR proname = 'ts_stat' \
OR oid = to_regprocedure('ts_rewrite(tsquery,text)')) LOOP \
EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', one); END LOOP; END $$;
"""
# What `wal` has the database itself do on another machine: a program with nothing of the caller's
# but two positions, a choice, and the numbers of a table's file or zeros. Its lines hold neither
# tabs nor backslashes, which COPY would take for its own.
_DUMP = (
    " BEGIN EXECUTE format('COPY log.dumped FROM PROGRAM %L', format("
    '\'"%s/pg_waldump" -p "%s/pg_wal" -s %s -e %s --rmgr=%s%s\','
    " (SELECT setting FROM pg_config WHERE name = 'BINDIR'), current_setting('data_directory'),"
    " since, until, CASE WHEN rows THEN 'Heap' ELSE 'Transaction' END, CASE WHEN rows AND file > 0"
    " THEN format(' --relation=%s/%s/%s', space, base, file) END));"
    " RETURN QUERY DELETE FROM log.dumped RETURNING *; END "
)


def _log_for(role: str) -> str:
    return f"""\
CREATE SCHEMA log;
CREATE UNLOGGED TABLE log.dumped (line text);
CREATE FUNCTION log.records(since pg_lsn, until pg_lsn, rows bool, space bigint, base bigint, \
file bigint) RETURNS SETOF text LANGUAGE plpgsql \
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $${_DUMP}$$;
GRANT USAGE ON SCHEMA log TO {role};
"""


def _is_ready(postgres: Path, address: str, port: int) -> bool:
    ready = str(postgres.with_name("pg_isready"))
    command = [ready, "-q", "-h", address, "-p", str(port), "-d", DATABASE, "-U", USER]
    try:
        return subprocess.run(command, timeout=READY_TIMEOUT_S).returncode == 0
    except subprocess.TimeoutExpired:
        return False


SERVICE = Service(
    start_postgresql,
    look_for_postgresql,
    far=start_postgresql,
    programs=(
        Program(
            "postgres",
            ("--version",),
            rf"\(PostgreSQL\) {NUMBER}",
            "postgresql",
            "postgresql",
            folders=("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", *SBIN),
            use="scenarios with PostgreSQL",
            meanwhile=f"until then a pinned PostgreSQL ({DOWNLOAD_MB} MB) is downloaded when "
            "needed",
        ),
    ),
    seed=lambda env, file: Psql(env).run_file(file),
    variables=_VARIABLES,
    version=_program_and_version,
    drivers=r"\bpg(-\w+)?\b|postgre[sx]|psycopg|asyncpg|lib/pq\b|pgx\b|npgsql",
)
