import re
import time
from collections.abc import Iterator

from flask import Flask, Response, abort, request

BYTES = 4096
MOST = 65_536

app = Flask(__name__, static_folder=None)


def pieces(count: int, tag: str) -> Iterator[bytes]:
    for number in range(count):
        head = f"{number:010} {tag} {time.time_ns() // 1000:016} "
        yield head.encode().ljust(BYTES - 1, b".") + b"\n"


@app.get("/stream")
def stream() -> Response:
    n = request.args.get("n", "")
    tag = request.args.get("tag", "")
    count = int(n) if re.fullmatch("[0-9]{1,5}", n) else 0
    if not 1 <= count <= MOST or not re.fullmatch("[0-9]{18}", tag):
        abort(400, f"n must be 1 to {MOST}, tag have 18 digits")
    return Response(pieces(count, tag), mimetype="text/plain")
