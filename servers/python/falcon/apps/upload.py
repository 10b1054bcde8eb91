import hashlib

import falcon

PIECE_BYTES = 64 * 1024


class Upload:
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        sha256, length = hashlib.sha256(), 0
        # Not bounded_stream, which takes a body without a length for an empty one.
        while piece := req.stream.read(PIECE_BYTES):
            sha256.update(piece)
            length += len(piece)
        resp.content_type = falcon.MEDIA_TEXT
        resp.text = f"sha256:{sha256.hexdigest()} {length}"


app = falcon.App()
app.add_route("/upload", Upload())
