"""What helps a version that was built and does not come up."""

from __future__ import annotations

import re

from webdyno.ab.study.statuses import PLAIN


def remedy_of_start(reason: str) -> str:
    """What helps a version that did not start for `reason`, as the end of a sentence; empty where
    nothing is known to."""
    found = ((pattern.search(reason), told) for pattern, told in _REMEDIES)
    return next((one.expand(told) for one, told in found if one is not None), "")


_REMEDIES = (
    (
        re.compile(r"cannot start '([^'/]*/[^']*)': No such file"),
        r"; the build makes no \1: start what it makes (--command, or `command` under [run])",
    ),
    (
        re.compile(r" listens on (\d+)(?: and \d+)*, not on \$PORT"),
        r"; if a file of settings names \1, let each start change it there, with --writes "
        r"""(--command "sed -i 's/\1/${PORT}/' FILE && …")""",
    ),
    (
        re.compile(
            r"(?:ECONNREFUSED|[Cc]onnection refused|dial tcp)\W[^;]{0,80}?:(?:5432|3306)\b"
            r"|port(?:=| )(?:5432|3306)\b|no pg_hba\.conf entry|password authentication failed"
            r"|Access denied for user",
        ),
        "; if it needs a database, let ab start one ([services.postgresql] or [services.mariadb] "
        "in webdyno.toml), and tell it where that is in `env`, as with ${DATABASE_URL} or "
        "${MYSQL_URL}",
    ),
    *(
        (
            re.compile(rf"(?:ECONNREFUSED|[Cc]onnection refused|dial tcp)\W[^;]{{0,80}}?:{port}\b"),
            f"; ab does not start {name}: start one that both versions may share, and set its "
            "address in `env`",
        )
        for port, name in ((6379, "Redis"), (27017, "MongoDB"), (5672, "RabbitMQ"), (9092, "Kafka"))
    ),
    (re.compile(r" listens on no TCP port"), "; let it listen on 127.0.0.1 at $PORT"),
    (re.compile(r" gave no answer on \S+ within "), f"; if it speaks TLS, {PLAIN}"),
)
