import os
import re
from pathlib import Path

import falcon

from apps.digests import digest_chain

file = Path(os.environ["WEBDYNO_FILE"])


class Benchmark:
    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        # Not as an integer: Falcon would take "+5", " 5" and "1_0" for numbers.
        n = req.get_param("n", default="")
        if not re.fullmatch("[0-9]{1,6}", n) or not 1 <= int(n) <= 100_000:
            raise falcon.HTTPBadRequest(description="n must be an integer from 1 to 100000")
        resp.content_type = falcon.MEDIA_TEXT
        resp.text = digest_chain(file.read_bytes(), int(n))


app = falcon.App()
app.add_route("/benchmark", Benchmark())
