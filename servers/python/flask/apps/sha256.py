import os
import re
from pathlib import Path

from flask import Flask, Response, abort, request

from apps.digests import digest_chain

file = Path(os.environ["WEBDYNO_FILE"])
app = Flask(__name__, static_folder=None)


@app.get("/benchmark")
def benchmark() -> Response:
    n = request.args.get("n", "")
    if not re.fullmatch("[0-9]{1,6}", n) or not 1 <= int(n) <= 100_000:
        abort(400, "n must be an integer from 1 to 100000")
    return Response(digest_chain(file.read_bytes(), int(n)), mimetype="text/plain")
