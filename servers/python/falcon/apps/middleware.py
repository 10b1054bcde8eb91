import os
from threading import Lock

import falcon

# A worker's threads share the counts.
lock = Lock()
requests = 0
passed = 0


class Counting:
    """Counts a request, which then goes on to the next one."""

    def process_request(self, req: falcon.Request, resp: falcon.Response) -> None:
        global passed
        with lock:
            passed += 1


def receive() -> dict[str, int]:
    """Count a request; what this process has seen, that one included."""
    global requests
    with lock:
        requests += 1
        return {"requests": requests, "passed": passed}


class Hello:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        receive()
        resp.content_type = falcon.MEDIA_TEXT
        resp.text = "Hello World"


class Counters:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        resp.media = receive()


app = falcon.App(middleware=[Counting() for _ in range(int(os.environ["WEBDYNO_MIDDLEWARE"]))])
app.add_route("/hello", Hello())
app.add_route("/passed", Counters())
