import os
from pathlib import Path

import falcon

from apps.digests import digest_chain

file = Path(os.environ["WEBDYNO_FILE"])


class Benchmark:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        # Answers 400 by itself where it is missing, no integer, or out of bounds.
        n = req.get_param_as_int("n", required=True, min_value=1, max_value=100_000)
        resp.content_type = falcon.MEDIA_TEXT
        resp.text = digest_chain(file.read_bytes(), n)


app = falcon.App()
app.add_route("/benchmark", Benchmark())
