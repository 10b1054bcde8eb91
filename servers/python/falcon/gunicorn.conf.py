"""How gunicorn serves: one application, the one that WEBDYNO_SCENARIO names."""

import os
import sys
from typing import NoReturn

# The variables that each scenario's application reads when a worker imports it.
NEEDS = {
    **dict.fromkeys(("hello", "json", "upload", "stream", "sse"), ()),
    "middleware": ("WEBDYNO_MIDDLEWARE",),
    "blog": ("WEBDYNO_BLOG_DATA",),
    "sha256": ("WEBDYNO_FILE",),
    "static": ("WEBDYNO_STATIC",),
    "session-counter": ("DATABASE_URL", "WEBDYNO_SECRET"),
    **dict.fromkeys(("page", "queries", "updates", "fortunes", "cached"), ("DATABASE_URL",)),
    "point-lookup": ("MYSQL_HOST", "MYSQL_PORT", "MYSQL_USER", "MYSQL_DATABASE", "WEBDYNO_SKUS"),
}


def refuse(message: str) -> NoReturn:
    print(f"server: {message}", file=sys.stderr)
    sys.exit(2)


scenario = os.environ.get("WEBDYNO_SCENARIO", "")
if scenario not in NEEDS:
    refuse(f"unknown WEBDYNO_SCENARIO {scenario!r}: set it to one of {', '.join(sorted(NEEDS))}")
for name in ("PORT", "WEBDYNO_CPUS", *NEEDS[scenario]):
    if not os.environ.get(name):
        refuse(f"the environment variable {name} is not set")

wsgi_app = f"apps.{scenario.replace('-', '_')}:app"
bind = f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ['PORT']}"

# gunicorn's documentation starts from 2 x cores + 1 workers and 4 threads each.
worker_class = "gthread"
workers = int(os.environ.get("WORKERS") or 2 * int(os.environ["WEBDYNO_CPUS"]) + 1)
threads = int(os.environ.get("THREADS") or 4)
if {"DATABASE_URL", "MYSQL_HOST"} & {*NEEDS[scenario]}:
    # Each worker holds a connection at least.
    workers = min(workers, int(os.environ.get("WEBDYNO_POOL", "16")))
# Workers divide the database connections among them.
raw_env = [f"WEB_CONCURRENCY={workers}"]

# Longer than the 60 s usual in proxies, so that it is the client who closes first and no request
# meets a connection that is just being closed.
keepalive = 75
# A stopping worker keeps idle connections for 2 s; requests in flight get one second more.
graceful_timeout = 3
# The control socket has one path per user: two servers side by side would fight over it.
control_socket_disable = True
