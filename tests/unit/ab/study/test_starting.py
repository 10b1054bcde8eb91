"""What helps a version that does not come up."""

from __future__ import annotations

import pytest

from webdyno.ab.study.starting import remedy_of_lack, remedy_of_start


@pytest.mark.parametrize(
    ("reason", "remedy"),
    [
        (
            "shop/a: cannot start './service': No such file or directory",
            "; the build does not produce ./service: start what it produces (--command, or "
            "`command` under ",
        ),
        (
            "shop/a listens on 8000 and 9090, not on $PORT (4000): read PORT from the environment",
            "; if a file of settings names 8000, let each start change it there, with --writes "
            "(--command \"sed -i 's/8000/${PORT}/' FILE && …\")",
        ),
        (
            "shop/a gave no answer on 127.0.0.1:4000 within 60 s; its log reports no error; if it "
            "needs longer, raise `start_timeout` under [run]",
            " (--start-timeout); if it speaks TLS, let it listen for plain HTTP while it is "
            "compared, without TLS",
        ),
        (
            "shop/a speaks TLS on 127.0.0.1:4000, where it is asked in plain HTTP",
            "; let it listen for plain HTTP while it is compared, without TLS",
        ),
        (
            "shop/a exited with 1 at start: Error: listen EACCES: permission denied /run/a.sock",
            "; it is asked over TCP, not on a Unix socket: let it listen on 127.0.0.1 at $PORT",
        ),
        (
            "shop/a gave no answer on 127.0.0.1:4000 within 60 s: it listens on no TCP port, only "
            "on the Unix socket /tmp/shop.sock; its log is empty",
            "; let it listen on 127.0.0.1 at $PORT",
        ),
        (
            "shop/a exited with 1 at start: Error: connect ECONNREFUSED 127.0.0.1:5432",
            "; if it needs a database, let ab start one ([services.postgresql] or ",
        ),
        (
            'shop/a exited with 255 at start: pq: no pg_hba.conf entry for host "127.0.0.1"',
            "; if it needs a database, let ab start one",
        ),
        (
            "shop/a exited with 1 at start: dial tcp 127.0.0.1:3306: connect: connection refused",
            "; if it needs a database, let ab start one",
        ),
        (
            "shop/a exited with 1 at start: Error: connect ECONNREFUSED ::1:6379",
            "; ab does not start Redis: start one that both versions may share, and set its ",
        ),
        (
            "shop/a exited with 1 at start: MongoServerSelectionError: connect ECONNREFUSED "
            "127.0.0.1:27017",
            "; ab does not start MongoDB",
        ),
        *(
            (f"shop/a exited with 1 at start: {said}", f"; ab does not start {name}")
            for said, name in (
                ("Error 111 connecting to localhost:6379. Connection refused.", "Redis"),
                ("[Errno 111] Connect call failed ('127.0.0.1', 6379)", "Redis"),
                ('Connection refused - connect(2) for "127.0.0.1" port 6379', "Redis"),
                ("db:5432 is up; connect ECONNREFUSED 127.0.0.1:6379", "Redis"),
                ("found db:5432, connect ECONNREFUSED 127.0.0.1:6379", "Redis"),
                ("localhost:27017: [Errno 111] Connection refused (configured", "MongoDB"),
                ("localhost:9092/1: Connect to ipv4#127.0.0.1:9092 failed: refused", "Kafka"),
            )
        ),
        *(
            (f"shop/a exited with 1 at start: {said}", "; if it needs a database, let ab start")
            for said in (
                "Connection to localhost:5432 refused. Check that the hostname and port are right",
                'connection to server at "::1", port 5432 failed: Connection refused',
                "could not connect to server: Connection refused Is the server running on host "
                '"localhost" (127.0.0.1) and accepting TCP/IP connections on port 5432?',
                "tcp connect (localhost:5432): connection refused - :econnrefused",
                "[Errno 111] Connect call failed ('127.0.0.1', 5432)",
                "SQLSTATE[HY000] [2002] Connection refused (Host: 127.0.0.1, Port: 3306)",
                """(2003, "Can't connect to MySQL server on 'localhost' ([Errno 111] refused)")""",
                "Can't connect to local server through socket '/run/mysqld/mysqld.sock' (2)",
            )
        ),
        ("shop/a exited with 1 at start: connect ECONNREFUSED 127.0.0.1:8500", ""),
        ("shop/a exited with 1 at start: ECONNREFUSED 127.0.0.1:8500, has db at db:5432", ""),
        ("shop/a exited with 1 at start: ECONNREFUSED 127.0.0.1:8500, not on port 5432", ""),
        ("shop/a exited with 1 at start: db:5432 ok, connect ECONNREFUSED 127.0.0.1:8500", ""),
        (
            "shop/a exited with 1 at start: info: connecting to db on port 5432 ok, "
            "ReferenceError: x is not defined",
            "",
        ),
        (
            "shop/a still answered GET / with 503 after 60 s; if it needs longer, raise "
            "`start_timeout` under [run]",
            " (--start-timeout)",
        ),
        ("shop/a: cannot start 'gunicorn': No such file or directory; install it", ""),
        ("shop/a listens on $PORT (4000), but not on 127.0.0.1: bind it to $HOST", ""),
        ("shop/a exited with 1 at start: KeyError", ""),
    ],
)
def test_what_helps_is_told_by_why_it_does_not_come_up(reason: str, remedy: str) -> None:
    found = remedy_of_start(reason)
    assert found.startswith(remedy)
    assert bool(found) == bool(remedy)


@pytest.mark.parametrize(
    ("said", "remedy"),
    [
        (
            "Error: DATABASE_URL is not set",
            "; set DATABASE_URL in `env` (--env); if that is a database, let ab start one",
        ),
        *(
            (line, "; set JWT_SECRET in `env` (--env)")
            for line in (
                "panic: JWT_SECRET must be set",
                "Error: missing environment variable: JWT_SECRET",
                "KeyError: 'JWT_SECRET'",
                'key not found: "JWT_SECRET" (KeyError)',
                'could not fetch environment variable "JWT_SECRET" because it is not set',
                "ValidationError: 1 validation error JWT_SECRET Field required",
            )
        ),
        ("KeyError: 'SECRET'", "; set SECRET in `env` (--env)"),
        ("no output", "; of your variables it gets only PATH and those that locate toolchains"),
        ("Error: Cannot find module 'express'", "; if it is a dependency, let the build install"),
        ("ModuleNotFoundError: No module named 'flask'", "; if it is a dependency, let the build"),
        ("cannot load such file -- sinatra (LoadError)", "; if it is a dependency, let the build"),
        ("Error: Cannot find module '/srv/shop/server.js'", ""),
        ("Error [ERR_MODULE_NOT_FOUND]: required", ""),
        ("ReferenceError: x is not defined", ""),
        ("KeyError: 'shop'", ""),
    ],
)
def test_what_a_version_lacks_is_told(said: str, remedy: str) -> None:
    found = remedy_of_lack(f"shop/a exited with 1 at start: {said}")
    assert found.startswith(remedy)
    assert bool(found) == bool(remedy)
    assert remedy_of_lack(f"shop/a exited with 0, but has to stay at start: {said}") == ""
    assert remedy_of_lack(f"shop/a gave no answer on 127.0.0.1:4000 within 60 s: {said}") == ""


@pytest.mark.parametrize(
    ("services", "told"),
    [
        ((), "; if it needs a database, let ab start one ([services.postgresql] or "),
        (
            ("postgresql",),
            "; ab starts its postgresql at a free port, with one user and no password: give it "
            "${DATABASE_URL} or its parts in `env` (--env), or in this command",
        ),
        (("mariadb",), "; ab starts its mariadb at a free port, with one user and no password: "),
    ],
)
@pytest.mark.parametrize(
    "said",
    [
        "FATAL: password authentication failed for user shop",
        'FATAL: no pg_hba.conf entry for host "127.0.0.1", user "shop"',
        "Error: connect ECONNREFUSED 127.0.0.1:5432",
    ],
)
def test_who_has_a_database_is_told_its_address(
    said: str, services: tuple[str, ...], told: str
) -> None:
    reason = f"shop/a exited with 1 at start: {said}"
    assert remedy_of_start(reason, services).startswith(told)
