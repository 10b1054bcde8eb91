import os
from collections.abc import Callable
from threading import Lock

from flask import Flask, Response

# A worker's threads share the counts.
lock = Lock()
requests = 0
passed = 0


def counting() -> Callable[[], None]:
    """A function of its own that Flask calls before each request: a middleware of Flask's."""

    def count() -> None:
        global passed
        with lock:
            passed += 1

    return count


def receive() -> dict[str, int]:
    """Count a request; what this process has seen, that one included."""
    global requests
    with lock:
        requests += 1
        return {"requests": requests, "passed": passed}


app = Flask(__name__, static_folder=None)
for _ in range(int(os.environ["WEBDYNO_MIDDLEWARE"])):
    app.before_request(counting())


@app.get("/hello")
def hello() -> Response:
    receive()
    return Response("Hello World", mimetype="text/plain")


@app.get("/passed")
def counters() -> dict[str, int]:
    return receive()
