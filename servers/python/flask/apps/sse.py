import json
import re
import time
from collections.abc import Iterator

from flask import Flask, Response, abort, request

MOST = 10_000
LONGEST_MS = 1000

app = Flask(__name__, static_folder=None)


def whole(text: str) -> int:
    """The number that `text` is in up to five digits; -1 where it is none."""
    return int(text) if re.fullmatch("[0-9]{1,5}", text) else -1


def events(last: int, count: int, tag: str, gap_ms: int) -> Iterator[str]:
    for number in range(last + 1, count + 1):
        if gap_ms and number > last + 1:
            time.sleep(gap_ms / 1000)
        event = {"number": number, "tag": tag, "made": time.time_ns() // 1000}
        yield f"id: {number}\ndata: {json.dumps(event, separators=(',', ':'))}\n\n"


@app.get("/events")
def push() -> Response:
    tag = request.args.get("tag", "")
    count = whole(request.args.get("n", ""))
    gap_ms = whole(request.args.get("gap", "0"))
    last = whole(request.headers.get("Last-Event-ID", "0"))
    right = 1 <= count <= MOST and 0 <= gap_ms <= LONGEST_MS and 0 <= last <= count
    if not right or not re.fullmatch("[0-9]{18}", tag):
        abort(400, f"n must be 1 to {MOST}, tag have 18 digits")
    if last == count:
        return Response(status=204)
    return Response(
        events(last, count, tag, gap_ms),
        mimetype="text/event-stream",
        headers={"Cache-Control": "no-cache"},
    )
