import json
import re
import time
from collections.abc import Iterator

import falcon

MOST = 10_000
LONGEST_MS = 1000


def whole(text: str) -> int:
    """The number that `text` is in up to five digits; -1 where it is none."""
    return int(text) if re.fullmatch("[0-9]{1,5}", text) else -1


def events(last: int, count: int, tag: str, gap_ms: int) -> Iterator[bytes]:
    for number in range(last + 1, count + 1):
        if gap_ms and number > last + 1:
            time.sleep(gap_ms / 1000)
        event = {"number": number, "tag": tag, "made": time.time_ns() // 1000}
        yield f"id: {number}\ndata: {json.dumps(event, separators=(',', ':'))}\n\n".encode()


class Events:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        tag = req.get_param("tag", default="")
        count = whole(req.get_param("n", default=""))
        gap_ms = whole(req.get_param("gap", default="0"))
        last = whole(req.get_header("Last-Event-ID", default="0"))
        right = 1 <= count <= MOST and 0 <= gap_ms <= LONGEST_MS and 0 <= last <= count
        if not right or not re.fullmatch("[0-9]{18}", tag):
            raise falcon.HTTPBadRequest(description=f"n must be 1 to {MOST}, tag have 18 digits")
        if last == count:
            resp.status = falcon.HTTP_204
            return
        resp.content_type = "text/event-stream"
        resp.cache_control = ["no-cache"]
        resp.stream = events(last, count, tag, gap_ms)


app = falcon.App()
app.add_route("/events", Events())
