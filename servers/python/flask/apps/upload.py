import hashlib

from flask import Flask, Response, request

PIECE_BYTES = 64 * 1024

app = Flask(__name__, static_folder=None)


@app.post("/upload")
def upload() -> Response:
    sha256, length = hashlib.sha256(), 0
    while piece := request.stream.read(PIECE_BYTES):
        sha256.update(piece)
        length += len(piece)
    return Response(f"sha256:{sha256.hexdigest()} {length}", mimetype="text/plain")
