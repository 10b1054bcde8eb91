"""How gunicorn serves Django, one worker a core: ASGI by uvicorn's workers, or WSGI by threads."""

import os
import sys
from typing import NoReturn

# The variables that each scenario needs.
NEEDS = {
    **dict.fromkeys(("hello", "json", "upload", "stream", "sse"), ()),
    "middleware": ("WEBDYNO_MIDDLEWARE",),
    "blog": ("WEBDYNO_BLOG_DATA",),
    "sha256": ("WEBDYNO_FILE",),
    "session-counter": ("DATABASE_URL", "WEBDYNO_SECRET"),
    **dict.fromkeys(("page", "queries", "updates", "fortunes", "cached"), ("DATABASE_URL",)),
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

bind = f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ['PORT']}"

if os.environ.get("DJANGO_SERVER") == "wsgi":
    wsgi_app = "project.wsgi:application"
    worker_class = "gthread"
    # As many as a process may hold database connections on one core.
    threads = 16
else:
    wsgi_app = "project.asgi:application"
    threads = 1  # gunicorn's own default; asgiref starts those that views run in
    # With uvloop and httptools, which uvicorn takes where they are installed.
    worker_class = "project.worker.Worker"
workers = int(os.environ["WEBDYNO_CPUS"])
if os.environ.get("ACCESS_LOG"):
    accesslog = "-"
if "DATABASE_URL" in NEEDS[scenario]:
    pool = int(os.environ.get("WEBDYNO_POOL", "16"))
    # Each worker holds a connection at least.
    workers = min(workers, pool)
    # A request holds its connection to its end: further threads would only wait for one.
    threads = min(threads, pool // workers)
# Workers divide the database connections among them.
raw_env = [f"WEB_CONCURRENCY={workers}"]

# Longer than the 60 s usual in proxies, so that it is the client who closes first and no request
# meets a connection that is just being closed.
keepalive = 75
graceful_timeout = 3
# The control socket has one path per user: two servers side by side would fight over it.
control_socket_disable = True
